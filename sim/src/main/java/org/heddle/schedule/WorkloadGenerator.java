package org.heddle.schedule;

/**
 * Draws requests. Sizes, run times and gaps between arrivals come from three generators of the same
 * seed ({@link SplitMix#stream} 0, 1 and 2), so that another distribution of sizes leaves the run
 * times as they were.
 */
public final class WorkloadGenerator {
  private WorkloadGenerator() {}

  /**
   * What to draw.
   *
   * @param sizes distribution of sizes
   * @param count number of requests
   * @param shortest shortest run time
   * @param longest longest run time; run times are uniform whole numbers between the two
   * @param meanGap mean time between two arrivals of a Poisson process (exponential gaps, arrival
   *     times rounded down); 0: all arrive at time 0
   * @param seed seed
   */
  public record Spec(
      SizeDistribution sizes, int count, long shortest, long longest, double meanGap, long seed) {

    /** Run times of the LaaS paper. */
    public static final long SHORTEST = 20;

    /** Run times of the LaaS paper. */
    public static final long LONGEST = 3000;

    /** Number of requests of the LaaS paper. */
    public static final int COUNT = 10_000;

    /**
     * @throws IllegalArgumentException if a number is out of range
     */
    public Spec {
      if (count < 1) {
        throw new IllegalArgumentException("at least one request is needed, not " + count);
      }
      if (shortest < 0 || longest < shortest) {
        throw new IllegalArgumentException("run times from " + shortest + " to " + longest);
      }
      if (!(meanGap >= 0 && meanGap <= 1e9)) {
        throw new IllegalArgumentException("a mean time between arrivals of " + meanGap);
      }
    }

    /** The paper's run times, everything arriving at time 0. */
    public static Spec of(SizeDistribution sizes, int count, long seed) {
      return new Spec(sizes, count, SHORTEST, LONGEST, 0, seed);
    }
  }

  /**
   * Draws the requests, numbered from 1.
   *
   * @param hosts of the fabric: no request is larger
   */
  public static Workload generate(Spec spec, int hosts) {
    SplitMix sizes = SplitMix.stream(spec.seed(), 0);
    SplitMix times = SplitMix.stream(spec.seed(), 1);
    SplitMix gaps = SplitMix.stream(spec.seed(), 2);
    int n = spec.count();
    long[] id = new long[n];
    int[] size = new int[n];
    long[] arrival = new long[n];
    long[] length = new long[n];
    double clock = 0;
    for (int i = 0; i < n; i++) {
      id[i] = i + 1;
      double drawn = Math.floor(spec.sizes().draw(sizes) + 0.5);
      size[i] = (int) Math.clamp(drawn, 1.0, (double) Math.max(1, hosts));
      length[i] = times.between(spec.shortest(), spec.longest());
      if (spec.meanGap() > 0) {
        clock += gaps.exponential(spec.meanGap());
        arrival[i] = (long) clock;
      }
    }
    return Workload.of(id, size, arrival, length);
  }
}
