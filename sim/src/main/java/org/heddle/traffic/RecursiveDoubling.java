package org.heddle.traffic;

/**
 * Recursive doubling in the largest power of two P not above n: in level l ranks k and k + 2^l
 * exchange messages; if n > P, one more level from i to i + P.
 */
public record RecursiveDoubling() implements TrafficPattern {
  @Override
  public String name() {
    return "recdbl";
  }

  @Override
  public int levels(int ranks) {
    int full = Powers.floorLog2(ranks);
    return ranks > 1 << full ? full + 1 : full;
  }

  @Override
  public long size(int ranks, int level) {
    int full = Powers.floorLog2(ranks);
    return level < full ? 1L << full : ranks - (1L << full);
  }

  @Override
  public void flows(int ranks, int level, TrialRandom random, Flows out) {
    int full = Powers.floorLog2(ranks);
    int power = 1 << full;
    if (level == full) {
      for (int r = 0; r + power < ranks; r++) {
        out.add(r, r + power);
      }
      return;
    }
    for (int r = 0; r < power; r++) {
      out.add(r, r ^ 1 << level);
    }
  }
}
