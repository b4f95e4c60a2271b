package org.heddle.traffic;

/**
 * Groups of {@code count + 1} consecutive ranks in which every rank sends to every other at the
 * same time; what is left over at the end makes a smaller group. That is what ORCS's pattern {@code
 * neighbor} comes to.
 *
 * @param count neighbours of a rank, 1 or more; usual: 2, 4, 6
 */
public record Neighbours(int count) implements TrafficPattern {
  public Neighbours {
    if (count < 1 || count > 0xfffff) {
      throw new IllegalArgumentException("neighbor needs 1 or more neighbours, not " + count);
    }
  }

  @Override
  public String name() {
    return "neighbor:" + count;
  }

  @Override
  public long size(int ranks, int level) {
    long groups = ranks / (count + 1);
    long rest = ranks % (count + 1);
    return groups * (count + 1L) * count + rest * Math.max(0, rest - 1);
  }

  @Override
  public void flows(int ranks, int level, TrialRandom random, Flows out) {
    for (int start = 0; start < ranks; start += count + 1) {
      int end = Math.min(ranks, start + count + 1);
      for (int a = start; a < end; a++) {
        for (int b = start; b < end; b++) {
          if (a != b) {
            out.add(a, b);
          }
        }
      }
    }
  }
}
