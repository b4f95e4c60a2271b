package org.heddle.pathcache;

import java.util.Arrays;

/**
 * Queries over time, and how long they wait for one administrator that answers them in turn.
 *
 * @param perSecond queries that arrive in second 0, 1, ...; up to the last one's
 * @param peak most of them in one second
 * @param longestWait seconds from query to answer, at most; 0 if any number is answered at once
 * @param lastAnswer seconds
 */
public record QueryLoad(int[] perSecond, int peak, double longestWait, double lastAnswer) {
  private static final double MICROS = 1e6;

  /**
   * Puts queries in order. O(n log n).
   *
   * @param micros times of queries, in any order; the first {@code count} count
   * @param saPerSecond answers in a second, 0 for any number
   */
  static QueryLoad of(long[] micros, int count, double saPerSecond) {
    long[] times = Arrays.copyOf(micros, count);
    Arrays.sort(times);
    int[] seconds = new int[count == 0 ? 0 : (int) (times[count - 1] / MICROS) + 1];
    double service = saPerSecond == 0 ? 0 : MICROS / saPerSecond;
    double free = 0;
    double wait = 0;
    int peak = 0;
    for (long t : times) {
      int second = (int) (t / MICROS);
      peak = Math.max(peak, ++seconds[second]);
      free = Math.max(free, t) + service;
      wait = Math.max(wait, free - t);
    }
    return new QueryLoad(seconds, peak, wait / MICROS, free / MICROS);
  }
}
