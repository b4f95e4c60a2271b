package org.heddle.traffic;

/**
 * Bruck's all-gather: in level l rank i sends to i + 2^l, around the end (Bruck et al., 1997).
 * ceil(log2 n) levels.
 */
public record Bruck() implements TrafficPattern {
  @Override
  public String name() {
    return "bruck";
  }

  @Override
  public int levels(int ranks) {
    return Powers.ceilLog2(ranks);
  }

  @Override
  public long size(int ranks, int level) {
    return ranks;
  }

  @Override
  public void flows(int ranks, int level, TrialRandom random, Flows out) {
    int step = 1 << level;
    for (int r = 0; r < ranks; r++) {
      int to = r + step;
      out.add(r, to >= ranks ? to - ranks : to);
    }
  }
}
