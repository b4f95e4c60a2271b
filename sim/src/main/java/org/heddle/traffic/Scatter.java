package org.heddle.traffic;

/** Rank 0 sends to all others at the same time. */
public record Scatter() implements TrafficPattern {
  @Override
  public String name() {
    return "scatter";
  }

  @Override
  public long size(int ranks, int level) {
    return Math.max(0, ranks - 1);
  }

  @Override
  public void flows(int ranks, int level, TrialRandom random, Flows out) {
    for (int r = 1; r < ranks; r++) {
      out.add(0, r);
    }
  }
}
