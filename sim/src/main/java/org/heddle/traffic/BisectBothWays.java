package org.heddle.traffic;

/** Pairs of ranks that send to each other at the same time: 2i to 2i + 1 and back. */
public record BisectBothWays() implements TrafficPattern {
  @Override
  public String name() {
    return "bisect-fb-sym";
  }

  @Override
  public long size(int ranks, int level) {
    return ranks / 2 * 2L;
  }

  @Override
  public void flows(int ranks, int level, TrialRandom random, Flows out) {
    for (int r = 0; r + 1 < ranks; r += 2) {
      out.add(r, r + 1);
      out.add(r + 1, r);
    }
  }
}
