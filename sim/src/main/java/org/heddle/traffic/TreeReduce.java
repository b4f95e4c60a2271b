package org.heddle.traffic;

/** Binomial tree to rank 0: a broadcast backwards, the largest step first. */
public record TreeReduce() implements TrafficPattern {
  @Override
  public String name() {
    return "tree-reduce";
  }

  @Override
  public int levels(int ranks) {
    return Powers.ceilLog2(ranks);
  }

  @Override
  public long size(int ranks, int level) {
    int half = 1 << levels(ranks) - 1 - level;
    return Math.min(half, ranks - half);
  }

  @Override
  public void flows(int ranks, int level, TrialRandom random, Flows out) {
    int half = 1 << levels(ranks) - 1 - level;
    for (int r = 0; r < half && r + half < ranks; r++) {
      out.add(r + half, r);
    }
  }
}
