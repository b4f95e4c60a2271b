package org.heddle.traffic;

/**
 * The random numbers of a trial: SplitMix64 (Steele, Lea and Flood, 2014, constants of Vigna's
 * splitmix64.c) started at a place that depends on the seed, the number of the trial and a stream
 * only, so that a trial is the same on whatever thread or machine it runs. Bounded numbers by
 * multiplication with rejection (Lemire, "Fast random integer generation in an interval", 2019),
 * without bias. Not thread-safe.
 */
public final class TrialRandom {
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  private long state;

  /** Starts the numbers of a trial. */
  public void start(long seed, long trial, int stream) {
    state = mix(mix(mix(seed + GOLDEN) ^ trial) + stream);
  }

  private static long mix(long v) {
    long z = (v ^ v >>> 30) * 0xbf58476d1ce4e5b9L;
    z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
    return z ^ z >>> 31;
  }

  /** 64 random bits. */
  public long next() {
    state += GOLDEN;
    return mix(state);
  }

  /**
   * Uniform in 0 .. bound - 1.
   *
   * @param bound above 0
   */
  public int below(int bound) {
    long product = (next() >>> 32) * bound;
    if ((product & 0xffffffffL) < bound) {
      long least = (1L << 32) % bound;
      while ((product & 0xffffffffL) < least) {
        product = (next() >>> 32) * bound;
      }
    }
    return (int) (product >>> 32);
  }

  /**
   * Moves a uniform random choice of {@code chosen} values, in random order, to the front (Fisher
   * and Yates).
   */
  public void shuffle(int[] values, int length, int chosen) {
    int last = Math.min(chosen, length - 1);
    for (int i = 0; i < last; i++) {
      int j = i + below(length - i);
      int v = values[i];
      values[i] = values[j];
      values[j] = v;
    }
  }
}
