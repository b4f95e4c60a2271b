package org.heddle.traffic;

/** Binomial tree from rank 0: in level l rank i below 2^l sends to i + 2^l. */
public record TreeBroadcast() implements TrafficPattern {
  @Override
  public String name() {
    return "tree";
  }

  @Override
  public int levels(int ranks) {
    return Powers.ceilLog2(ranks);
  }

  @Override
  public long size(int ranks, int level) {
    return Math.min(1 << level, ranks - (1 << level));
  }

  @Override
  public void flows(int ranks, int level, TrialRandom random, Flows out) {
    int half = 1 << level;
    for (int r = 0; r < half && r + half < ranks; r++) {
      out.add(r, r + half);
    }
  }
}
