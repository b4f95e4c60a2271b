package org.heddle.traffic;

/** Nobody sends: the interferer of the noiseless case. */
public record Silence() implements TrafficPattern {
  @Override
  public String name() {
    return "null";
  }

  @Override
  public boolean symmetric() {
    return true;
  }

  @Override
  public long size(int ranks, int level) {
    return 0;
  }

  @Override
  public void flows(int ranks, int level, TrialRandom random, Flows out) {
    // nothing
  }
}
