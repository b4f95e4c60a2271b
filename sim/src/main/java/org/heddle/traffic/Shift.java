package org.heddle.traffic;

/**
 * Every rank i sends to i + k, around the end. With a distance one level; without one n - 1 levels
 * with k = 1 .. n-1, the usual way to do an all-to-all exchange (Zahavi et al., "Optimized
 * InfiniBand fat-tree routing for shift all-to-all communication patterns", 2010).
 *
 * @param distance k, or 0 for all
 */
public record Shift(int distance) implements TrafficPattern {
  public Shift {
    if (distance < 0) {
      throw new IllegalArgumentException("shift needs a distance of 1 or more, not " + distance);
    }
  }

  @Override
  public String name() {
    return distance == 0 ? "shift" : "shift:" + distance;
  }

  @Override
  public int levels(int ranks) {
    return distance == 0 ? Math.max(0, ranks - 1) : 1;
  }

  @Override
  public String refusal(int ranks) {
    return distance > 0 && distance % Math.max(1, ranks) == 0
        ? "a shift by " + distance + " sends every one of " + ranks + " ranks to itself"
        : "";
  }

  @Override
  public long size(int ranks, int level) {
    return ranks;
  }

  @Override
  public void flows(int ranks, int level, TrialRandom random, Flows out) {
    int by = distance == 0 ? level + 1 : distance % ranks;
    for (int r = 0; r < ranks; r++) {
      int to = r + by;
      out.add(r, to >= ranks ? to - ranks : to);
    }
  }
}
