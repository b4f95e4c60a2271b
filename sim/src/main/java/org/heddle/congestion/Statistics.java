package org.heddle.congestion;

import java.util.Arrays;

/**
 * The results of the trials of a {@link Study}, as exact counts: parts can be added up in any
 * order. Metrics as ORCS defines them. The weight of a flow is that of the fullest channel of its
 * route, host links included: the number of flows on it, or more on a link slower than the usual
 * one ({@link Capacity}).
 *
 * <p>Not thread-safe while trials are added.
 */
public final class Statistics {
  /** Number of bins of {@link #bands()}. */
  public static final int BANDS = 20;

  private final Histogram weights = new Histogram();
  private final Histogram maxima = new Histogram();
  private final Histogram delays = new Histogram();
  private final long[] bands = new long[BANDS];
  private final long[] load;
  private final int[] peak;
  private long trials;
  private long lost;

  /**
   * Nothing yet.
   *
   * @param channels number of channels whose load is kept, 0 for none
   */
  public Statistics(int channels) {
    load = new long[channels];
    peak = new int[channels];
  }

  /** Number of trials. */
  public long trials() {
    return trials;
  }

  /** Flows of all trials and levels that did not arrive; they enter nothing else. */
  public long lost() {
    return lost;
  }

  /** hist_max_cong: weights of all flows of all levels and trials. */
  public Histogram weights() {
    return weights;
  }

  /** sum_max_cong: for each trial the sum over its levels of the largest weight. */
  public Histogram maxima() {
    return maxima;
  }

  /** dep_max_delay: for each trial the longest chain of messages; empty unless asked for. */
  public Histogram delays() {
    return delays;
  }

  /** hist_acc_band: trials by their mean of 1 / weight, in 20 bins from 0 to 1. */
  public long[] bands() {
    return bands.clone();
  }

  /** Effective bandwidth: mean of 1 / weight over all flows; NaN if there were none. */
  public double bandwidth() {
    return weights.meanInverse();
  }

  /** Flows on a channel, summed over levels and trials; only if channels are kept. */
  public long load(int channel) {
    return load[channel];
  }

  /** Most flows on a channel in one level of a trial; only if channels are kept. */
  public int peak(int channel) {
    return peak[channel];
  }

  /** Number of channels that are kept, 0 if none. */
  public int channels() {
    return load.length;
  }

  void weight(int weight) {
    weights.add(weight);
  }

  void weight(int weight, long flows) {
    weights.add(weight, flows);
  }

  /** A level with these loads, of which none is above the greatest int. */
  void channels(long[] counts) {
    for (int c = 0; c < load.length; c++) {
      load[c] += counts[c];
      peak[c] = Math.max(peak[c], (int) counts[c]);
    }
  }

  void channels(int[] counts) {
    for (int c = 0; c < load.length; c++) {
      load[c] += counts[c];
      peak[c] = Math.max(peak[c], counts[c]);
    }
  }

  /**
   * One trial is over.
   *
   * @param sum of the largest weights
   * @param delay longest chain, -1 if it is not computed
   * @param flows number of flows that arrived
   * @param inverse sum of 1 / weight over them
   */
  void trial(int sum, int delay, long flows, double inverse, long unreached) {
    trials++;
    lost += unreached;
    maxima.add(sum);
    if (delay >= 0) {
      delays.add(delay);
    }
    if (flows > 0) {
      bands[Math.min(BANDS - 1, (int) (inverse / flows * BANDS + 1e-9))]++;
    }
  }

  /** Adds what another set of trials gave. */
  public void add(Statistics other) {
    add(other, 1);
  }

  /**
   * Adds what another set of trials gave, as if it had been seen so many times.
   *
   * @throws IllegalArgumentException if the channels differ in number
   */
  void add(Statistics other, long times) {
    if (load.length != other.load.length) {
      throw new IllegalArgumentException("statistics of other channels");
    }
    trials += times * other.trials;
    lost += times * other.lost;
    weights.add(other.weights, times);
    maxima.add(other.maxima, times);
    delays.add(other.delays, times);
    for (int b = 0; b < BANDS; b++) {
      bands[b] += times * other.bands[b];
    }
    for (int c = 0; c < load.length; c++) {
      load[c] += times * other.load[c];
      peak[c] = Math.max(peak[c], other.peak[c]);
    }
  }

  /**
   * Statistics from their counts, as a file of results keeps them.
   *
   * @param load by channel, empty if not kept
   * @param peak by channel, empty if not kept
   */
  public static Statistics of(
      long trials,
      long lost,
      Histogram weights,
      Histogram maxima,
      Histogram delays,
      long[] bands,
      long[] load,
      int[] peak) {
    if (bands.length != BANDS || load.length != peak.length) {
      throw new IllegalArgumentException("bins or channels are missing");
    }
    Statistics out = new Statistics(load.length);
    out.trials = trials;
    out.lost = lost;
    out.weights.add(weights, 1);
    out.maxima.add(maxima, 1);
    out.delays.add(delays, 1);
    System.arraycopy(bands, 0, out.bands, 0, BANDS);
    System.arraycopy(load, 0, out.load, 0, load.length);
    System.arraycopy(peak, 0, out.peak, 0, peak.length);
    return out;
  }

  /** Equal counts. */
  @Override
  public boolean equals(Object o) {
    return o instanceof Statistics s
        && trials == s.trials
        && lost == s.lost
        && weights.equals(s.weights)
        && maxima.equals(s.maxima)
        && delays.equals(s.delays)
        && Arrays.equals(bands, s.bands)
        && Arrays.equals(load, s.load)
        && Arrays.equals(peak, s.peak);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(trials) * 31 + weights.hashCode();
  }

  @Override
  public String toString() {
    return "Statistics[" + trials + " trials, weights " + weights + "]";
  }
}
