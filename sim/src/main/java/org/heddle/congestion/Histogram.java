package org.heddle.congestion;

import java.util.Arrays;

/**
 * Exact counts of whole numbers. Only counts are kept, so that parts can be added up in any order
 * and give the same to the last bit; means and variances come from the counts in ascending order.
 * Not thread-safe while it grows.
 */
public final class Histogram {
  private long[] counts = new long[64];

  /** One more of a value, 0 or more. */
  public void add(int value) {
    if (value >= counts.length) {
      grow(value);
    }
    counts[value]++;
  }

  /** So many more of a value. */
  public void add(int value, long times) {
    if (value >= counts.length) {
      grow(value);
    }
    counts[value] += times;
  }

  private void grow(int value) {
    counts = Arrays.copyOf(counts, (int) Math.min(Integer.MAX_VALUE - 8, 2L * value + 1));
  }

  /** Adds all counts of another, so many times. */
  public void add(Histogram other, long times) {
    for (int v = other.max(); v >= 0; v--) {
      if (other.counts[v] != 0) {
        add(v, times * other.counts[v]);
      }
    }
  }

  /** How often a value was counted. */
  public long count(int value) {
    return value < counts.length && value >= 0 ? counts[value] : 0;
  }

  /** Number of all. */
  public long count() {
    long n = 0;
    for (long c : counts) {
      n += c;
    }
    return n;
  }

  /** The smallest value counted, -1 if there is none. */
  public int min() {
    for (int v = 0; v < counts.length; v++) {
      if (counts[v] != 0) {
        return v;
      }
    }
    return -1;
  }

  /** The largest value counted, -1 if there is none. */
  public int max() {
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
    for (int v = 1; v < counts.length; v++) {
      sum += (double) counts[v] * v;
    }
    return sum / count();
  }

  /** Variance of all (of the population, not of a sample), NaN without any. */
  public double variance() {
    double mean = mean();
    double sum = 0;
    for (int v = 0; v < counts.length; v++) {
      sum += counts[v] * (v - mean) * (v - mean);
    }
    return sum / count();
  }

  /** Mean of 1 / value, NaN without any. Values of 0 must not have been counted. */
  public double meanInverse() {
    double sum = 0;
    for (int v = 1; v < counts.length; v++) {
      sum += counts[v] / (double) v;
    }
    return sum / count();
  }

  /** The smallest value that a share of all does not exceed; -1 without any. */
  public int quantile(double share) {
    double wanted = share * count();
    long below = 0;
    for (int v = 0; v < counts.length; v++) {
      below += counts[v];
      if (counts[v] != 0 && below >= wanted) {
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
    int top = Math.max(max(), other.max());
    for (int v = 0; v <= top; v++) {
      if (count(v) != other.count(v)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(count()) * 31 + max();
  }

  @Override
  public String toString() {
    StringBuilder out = new StringBuilder();
    for (int v = 0; v <= max(); v++) {
      if (counts[v] != 0) {
        out.append(out.isEmpty() ? "" : " ").append(v).append(':').append(counts[v]);
      }
    }
    return out.toString();
  }
}
