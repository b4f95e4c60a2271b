package org.heddle.traffic;

/** Every rank sends to every other, all at the same time. */
public record AllToAll() implements TrafficPattern {
  @Override
  public String name() {
    return "all-to-all";
  }

  @Override
  public boolean symmetric() {
    return true;
  }

  @Override
  public long size(int ranks, int level) {
    return (long) ranks * Math.max(0, ranks - 1);
  }

  @Override
  public void flows(int ranks, int level, TrialRandom random, Flows out) {
    for (int from = 0; from < ranks; from++) {
      for (int to = 0; to < ranks; to++) {
        if (from != to) {
          out.add(from, to);
        }
      }
    }
  }
}
