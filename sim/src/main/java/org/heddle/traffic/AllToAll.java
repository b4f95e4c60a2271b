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
    for (int r = 0; r < ranks; r++) {
      from(ranks, r, out);
    }
  }

  /** Adds the flows of one sender: all of them together may be more than fit in memory. */
  public void from(int ranks, int source, Flows out) {
    for (int r = 0; r < ranks; r++) {
      if (r != source) {
        out.add(source, r);
      }
    }
  }
}
