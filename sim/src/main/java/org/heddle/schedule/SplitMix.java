package org.heddle.schedule;

/**
 * SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014, with
 * the mixing constants of Vigna's splitmix64.c): a generator of our own, so that a seed means the
 * same workload in every version of Java. Logarithms and cosines come from StrictMath for the same
 * reason. Not thread-safe.
 */
public final class SplitMix {
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  private long state;

  /** The generator that starts there. */
  public SplitMix(long seed) {
    state = seed;
  }

  /** Generator number {@code stream} of a seed: streams do not follow each other. */
  public static SplitMix stream(long seed, int stream) {
    SplitMix of = new SplitMix(seed);
    for (int i = 0; i < stream; i++) {
      of.next();
    }
    return new SplitMix(of.next());
  }

  /** 64 random bits. */
  public long next() {
    state += GOLDEN;
    long z = state;
    z = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
    z = (z ^ z >>> 27) * 0x94d049bb133111ebL;
    return z ^ z >>> 31;
  }

  /** Uniform in [0, 1): the upper 53 bits of one draw. */
  public double uniform() {
    return (next() >>> 11) * 0x1p-53;
  }

  /** Uniform whole number in [from, to]: one draw, bias below 2^-53 of the range. */
  public long between(long from, long to) {
    return from + (long) (uniform() * (to - from + 1));
  }

  /** Exponential of that mean, by inversion: one draw. */
  public double exponential(double mean) {
    return -mean * StrictMath.log(1 - uniform());
  }

  /** Gaussian of mean 0 and deviation 1 (Box and Muller, the cosine half): two draws. */
  public double gaussian() {
    double radius = StrictMath.sqrt(-2 * StrictMath.log(1 - uniform()));
    return radius * StrictMath.cos(2 * StrictMath.PI * uniform());
  }
}
