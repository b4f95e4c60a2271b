package org.heddle.schedule;

import java.util.Locale;

/**
 * How many hosts requests ask for. All are rounded half up to whole hosts and clamped to [1, hosts
 * of the fabric].
 */
public sealed interface SizeDistribution {
  /** Largest parameter; no fabric has more hosts. */
  double MAX_MEAN = 1e6;

  /** Share of sizes that are powers of two in {@link PowersOfTwo}. */
  double PEAK_SHARE = 0.75;

  /** One size, before rounding. */
  double draw(SplitMix random);

  /** The parameter: roughly the mean size in hosts. */
  double mean();

  /** Name as in {@link #parse}. */
  String label();

  /** Exponential of that mean. */
  record Exponential(double mean) implements SizeDistribution {
    @Override
    public double draw(SplitMix random) {
      return random.exponential(mean);
    }

    @Override
    public String label() {
      return "exp:" + number(mean);
    }
  }

  /** Gaussian of that mean, deviation a fifth of it (Zahavi et al., LaaS, section 6.1). */
  record Gaussian(double mean) implements SizeDistribution {
    @Override
    public double draw(SplitMix random) {
      return mean + mean / 5 * random.gaussian();
    }

    @Override
    public String label() {
      return "gauss:" + number(mean);
    }
  }

  /**
   * Exponential with peaks: three of four sizes are moved to the nearest power of two (nearest in
   * the logarithm). The shape of batch logs such as those of JUROPA, where most jobs have 1, 2, 4,
   * 8, ... nodes and the envelope is about exponential.
   */
  record PowersOfTwo(double mean) implements SizeDistribution {
    @Override
    public double draw(SplitMix random) {
      double size = Math.max(1, random.exponential(mean));
      boolean peak = random.uniform() < PEAK_SHARE;
      double log = StrictMath.log(size) / StrictMath.log(2);
      return peak ? (double) (1L << (int) Math.floor(log + 0.5)) : size;
    }

    @Override
    public String label() {
      return "pow2:" + number(mean);
    }
  }

  /**
   * Reads {@code exp:MEAN}, {@code gauss:MEAN} or {@code pow2:MEAN}.
   *
   * @throws IllegalArgumentException if it is something else; the message says what is expected
   */
  static SizeDistribution parse(String text) {
    int colon = text.indexOf(':');
    String kind = (colon < 0 ? text : text.substring(0, colon)).toLowerCase(Locale.ROOT);
    double mean = mean(text, colon < 0 ? "" : text.substring(colon + 1));
    return of(kind, mean);
  }

  /**
   * The distribution of that kind (exp, gauss or pow2) and mean.
   *
   * @throws IllegalArgumentException if there is no such kind
   */
  static SizeDistribution of(String kind, double mean) {
    return switch (kind) {
      case "exp" -> new Exponential(mean);
      case "gauss" -> new Gaussian(mean);
      case "pow2" -> new PowersOfTwo(mean);
      default ->
          throw new IllegalArgumentException(
              "there is no distribution '" + kind + "'; exp, gauss or pow2 is expected");
    };
  }

  private static double mean(String text, String digits) {
    double mean;
    try {
      mean = Double.parseDouble(digits);
    } catch (NumberFormatException e) {
      mean = Double.NaN;
    }
    if (!(mean > 0 && mean <= MAX_MEAN)) {
      throw new IllegalArgumentException(
          "'" + text + "' has no mean size; exp:36, gauss:36 or pow2:36 is expected");
    }
    return mean;
  }

  private static String number(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }
}
