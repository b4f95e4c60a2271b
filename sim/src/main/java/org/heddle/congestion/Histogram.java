package org.heddle.congestion;

import java.util.Arrays;

/**
 * Exact counts of whole numbers. Only counts are kept, so that parts can be added up in any order
 * and give the same to the last bit; means and variances come from the counts in ascending order.
 * Small values have a place each, large ones are kept sorted: memory grows with what was counted,
 * not with its size. Not thread-safe while it grows.
 */
public final class Histogram {
  private static final int SMALL = 1 << 16;

  private long[] counts = new long[64]; // of values below SMALL
  private int[] large = {}; // other values, ascending
  private long[] largeCounts = {};
  private int largeSize;

  /** Forgets all counts. */
  public void clear() {
    Arrays.fill(counts, 0);
    largeSize = 0;
  }

  /** One more of a value, 0 or more. */
  public void add(int value) {
    if (value < counts.length) {
      counts[value]++;
    } else {
      add(value, 1);
    }
  }

  /** So many more of a value. */
  public void add(int value, long times) {
    if (value >= SMALL) {
      addLarge(value, times);
      return;
    }
    if (value >= counts.length) {
      counts = Arrays.copyOf(counts, Math.min(SMALL, 2 * value + 1));
    }
    counts[value] += times;
  }

  private void addLarge(int value, long times) {
    int at = Arrays.binarySearch(large, 0, largeSize, value);
    if (at < 0) {
      at = -1 - at;
      if (largeSize == large.length) {
        large = Arrays.copyOf(large, Math.max(16, 2 * largeSize));
        largeCounts = Arrays.copyOf(largeCounts, large.length);
      }
      System.arraycopy(large, at, large, at + 1, largeSize - at);
      System.arraycopy(largeCounts, at, largeCounts, at + 1, largeSize - at);
      large[at] = value;
      largeCounts[at] = 0;
      largeSize++;
    }
    largeCounts[at] += times;
  }

  /** Adds all counts of another, so many times. */
  public void add(Histogram other, long times) {
    for (int v = other.min(); v >= 0; v = other.next(v)) {
      add(v, times * other.count(v));
    }
  }

  /** How often a value was counted. */
  public long count(int value) {
    if (value < SMALL) {
      return value < counts.length && value >= 0 ? counts[value] : 0;
    }
    int at = Arrays.binarySearch(large, 0, largeSize, value);
    return at < 0 ? 0 : largeCounts[at];
  }

  /** Number of all. */
  public long count() {
    long n = 0;
    for (int v = min(); v >= 0; v = next(v)) {
      n += count(v);
    }
    return n;
  }

  /** The smallest value counted, -1 if there is none. */
  public int min() {
    return next(-1);
  }

  /** The smallest value counted above another, -1 if there is none. */
  public int next(int value) {
    int at = 0;
    if (value >= SMALL) {
      at = Arrays.binarySearch(large, 0, largeSize, value);
      at = at < 0 ? -1 - at : at + 1;
    } else {
      for (int v = value + 1; v < counts.length; v++) {
        if (counts[v] != 0) {
          return v;
        }
      }
    }
    while (at < largeSize && largeCounts[at] == 0) {
      at++;
    }
    return at < largeSize ? large[at] : -1;
  }

  /** The largest value counted, -1 if there is none. */
  public int max() {
    for (int at = largeSize - 1; at >= 0; at--) {
      if (largeCounts[at] != 0) {
        return large[at];
      }
    }
    for (int v = counts.length - 1; v >= 0; v--) {
      if (counts[v] != 0) {
        return v;
      }
    }
    return -1;
  }

  /** Mean of all, NaN without any. */
  public double mean() {
    double sum = 0;
    for (int v = min(); v >= 0; v = next(v)) {
      sum += (double) count(v) * v;
    }
    return sum / count();
  }

  /** Variance of all (of the population, not of a sample), NaN without any. */
  public double variance() {
    double mean = mean();
    double sum = 0;
    for (int v = min(); v >= 0; v = next(v)) {
      sum += count(v) * (v - mean) * (v - mean);
    }
    return sum / count();
  }

  /** Mean of 1 / value, NaN without any. Values of 0 must not have been counted. */
  public double meanInverse() {
    double sum = 0;
    for (int v = next(0); v >= 0; v = next(v)) {
      sum += count(v) / (double) v;
    }
    return sum / count();
  }

  /** The smallest value that a share of all does not exceed; -1 without any. */
  public int quantile(double share) {
    double wanted = share * count();
    long below = 0;
    for (int v = min(); v >= 0; v = next(v)) {
      below += count(v);
      if (below >= wanted) {
        return v;
      }
    }
    return -1;
  }

  /** Equal counts. */
  @Override
  public boolean equals(Object o) {
    if (!(o instanceof Histogram other)) {
      return false;
    }
    int v = min();
    int w = other.min();
    while (v == w && v >= 0 && count(v) == other.count(w)) {
      v = next(v);
      w = other.next(w);
    }
    return v < 0 && w < 0;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(count()) * 31 + max();
  }

  @Override
  public String toString() {
    StringBuilder out = new StringBuilder();
    for (int v = min(); v >= 0; v = next(v)) {
      out.append(out.isEmpty() ? "" : " ").append(v).append(':').append(count(v));
    }
    return out.toString();
  }
}
