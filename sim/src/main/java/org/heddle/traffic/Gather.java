package org.heddle.traffic;

/** All ranks send to rank 0 at the same time. */
public record Gather() implements TrafficPattern {
  @Override
  public String name() {
    return "gather";
  }

  @Override
  public long size(int ranks, int level) {
    return Math.max(0, ranks - 1);
  }

  @Override
  public void flows(int ranks, int level, TrialRandom random, Flows out) {
    for (int r = 1; r < ranks; r++) {
      out.add(r, 0);
    }
  }
}
