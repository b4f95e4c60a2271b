package org.heddle.traffic;

/** A token goes round: n levels with a single message each, from l to l + 1, the last to 0. */
public record Ring() implements TrafficPattern {
  @Override
  public String name() {
    return "ring";
  }

  @Override
  public int levels(int ranks) {
    return ranks < 2 ? 0 : ranks;
  }

  @Override
  public long size(int ranks, int level) {
    return 1;
  }

  @Override
  public void flows(int ranks, int level, TrialRandom random, Flows out) {
    out.add(level, level + 1 == ranks ? 0 : level + 1);
  }
}
