package org.heddle.draw;

/**
 * Sorts loads (destinations per channel, 1 and more) into at most {@value #MAX_BINS} classes of
 * colour and width: one class a value where there are few values, else equal steps, of the
 * logarithm where the largest is 20 times the smallest or more.
 */
final class LoadScale {
  static final int MAX_BINS = 12;

  private final int min;
  private final int max;
  private final int bins;
  private final boolean logarithmic;

  /** A scale from the smallest to the largest load in use, both at least 1, min at most max. */
  LoadScale(int min, int max) {
    this.min = min;
    this.max = max;
    this.bins = Math.min(MAX_BINS, max - min + 1);
    this.logarithmic = max / min >= 20;
  }

  int min() {
    return min;
  }

  int max() {
    return max;
  }

  int bins() {
    return bins;
  }

  /** Class of a load, 0 .. bins-1; -1 for a load below 1. */
  int bin(int load) {
    if (load < 1) {
      return -1;
    }
    if (bins <= 1) {
      return 0;
    }
    double t =
        logarithmic
            ? StrictMath.log((double) load / min) / StrictMath.log((double) max / min)
            : (double) (load - min) / (max - min);
    return Math.clamp((int) Math.floor(t * (bins - 1) + 0.5), 0, bins - 1);
  }

  /** A load that stands for a class: exact at both ends. */
  int typical(int bin) {
    if (bins <= 1) {
      return max;
    }
    double t = (double) bin / (bins - 1);
    double v = logarithmic ? min * StrictMath.pow((double) max / min, t) : min + t * (max - min);
    return (int) Math.round(v);
  }

  /** Position of a class on the ramp, 0..1; a single class is the middle. */
  double fraction(int bin) {
    return bins <= 1 ? 0.5 : (double) bin / (bins - 1);
  }
}
