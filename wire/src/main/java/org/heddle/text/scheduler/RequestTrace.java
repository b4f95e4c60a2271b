package org.heddle.text.scheduler;

import java.util.Arrays;

/**
 * Requests of tenants as a file lists them: columns in file order. Sizes are hosts, times whole
 * units of the file (seconds in the Standard Workload Format).
 */
public final class RequestTrace {
  /** Latest arrival and longest run time that are read. */
  public static final long MAX_TIME = 1_000_000_000_000L;

  private long[] id = new long[64];
  private int[] size = new int[64];
  private long[] arrival = new long[64];
  private long[] length = new long[64];
  private long[] expected = new long[64];
  private int count;

  RequestTrace() {}

  /** A request of which nobody said how long it would run. */
  void add(long name, int hosts, long arrives, long runs) {
    add(name, hosts, arrives, runs, runs);
  }

  void add(long name, int hosts, long arrives, long runs, long saidToRun) {
    if (count == id.length) {
      id = Arrays.copyOf(id, 2 * count);
      size = Arrays.copyOf(size, 2 * count);
      arrival = Arrays.copyOf(arrival, 2 * count);
      length = Arrays.copyOf(length, 2 * count);
      expected = Arrays.copyOf(expected, 2 * count);
    }
    id[count] = name;
    size[count] = hosts;
    arrival[count] = arrives;
    expected[count] = saidToRun;
    length[count++] = runs;
  }

  /** Number of requests, at least 1. */
  public int count() {
    return count;
  }

  /** Names by request. A copy. */
  public long[] ids() {
    return Arrays.copyOf(id, count);
  }

  /** Hosts asked for, at least 1, by request. A copy. */
  public int[] sizes() {
    return Arrays.copyOf(size, count);
  }

  /** Arrival times, not negative, by request. A copy. */
  public long[] arrivals() {
    return Arrays.copyOf(arrival, count);
  }

  /** Run times, not negative, by request. A copy. */
  public long[] lengths() {
    return Arrays.copyOf(length, count);
  }

  /** Run times as they were announced, or the true ones, by request. A copy. */
  public long[] expected() {
    return Arrays.copyOf(expected, count);
  }
}
