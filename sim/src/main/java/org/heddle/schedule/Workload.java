package org.heddle.schedule;

/**
 * Requests in order of arrival. Immutable; times are whole units (seconds in traces), sizes are
 * hosts.
 */
public final class Workload {
  private final long[] id;
  private final int[] size;
  private final long[] arrival;
  private final long[] length;
  private final long[] expected;

  private Workload(long[] id, int[] size, long[] arrival, long[] length, long[] expected) {
    this.id = id;
    this.size = size;
    this.arrival = arrival;
    this.length = length;
    this.expected = expected;
  }

  /**
   * Requests given as columns; those that arrive together keep the order of the columns.
   *
   * @param id name of each request, for output
   * @param size hosts, at least 1
   * @param arrival time, not negative
   * @param length run time, not negative
   * @throws IllegalArgumentException if columns differ in length or a number is out of range
   */
  public static Workload of(long[] id, int[] size, long[] arrival, long[] length) {
    return of(id, size, arrival, length, length);
  }

  /**
   * The same, where the scheduler was told other run times than came true.
   *
   * @param expected run time as announced, not less than the true one (who exceeds it is stopped)
   */
  public static Workload of(long[] id, int[] size, long[] arrival, long[] length, long[] expected) {
    int n = id.length;
    if (size.length != n || arrival.length != n || length.length != n || expected.length != n) {
      throw new IllegalArgumentException("columns of different length");
    }
    for (int i = 0; i < n; i++) {
      if (size[i] < 1 || arrival[i] < 0 || length[i] < 0 || expected[i] < length[i]) {
        throw new IllegalArgumentException("request " + id[i] + " has a number out of range");
      }
    }
    int[] order = stableOrder(arrival);
    Workload sorted = new Workload(new long[n], new int[n], new long[n], new long[n], new long[n]);
    for (int i = 0; i < n; i++) {
      sorted.id[i] = id[order[i]];
      sorted.size[i] = size[order[i]];
      sorted.arrival[i] = arrival[order[i]];
      sorted.length[i] = length[order[i]];
      sorted.expected[i] = expected[order[i]];
    }
    return sorted;
  }

  /** Indices by ascending key; equal keys keep their order (merge sort, bottom up). */
  private static int[] stableOrder(long[] key) {
    int n = key.length;
    int[] from = new int[n];
    int[] to = new int[n];
    for (int i = 0; i < n; i++) {
      from[i] = i;
    }
    for (int width = 1; width < n; width *= 2) {
      for (int lo = 0; lo < n; lo += 2 * width) {
        merge(key, from, to, lo, Math.min(n, lo + width), Math.min(n, lo + 2 * width));
      }
      int[] swap = from;
      from = to;
      to = swap;
    }
    return from;
  }

  private static void merge(long[] key, int[] from, int[] to, int lo, int mid, int hi) {
    int a = lo;
    int b = mid;
    for (int i = lo; i < hi; i++) {
      boolean left = a < mid && (b >= hi || key[from[a]] <= key[from[b]]);
      to[i] = left ? from[a++] : from[b++];
    }
  }

  /** Number of requests. */
  public int count() {
    return id.length;
  }

  /** Name of the i-th request. */
  public long id(int i) {
    return id[i];
  }

  /** Hosts the i-th request asks for. */
  public int size(int i) {
    return size[i];
  }

  /** When the i-th request arrives; ascending. */
  public long arrival(int i) {
    return arrival[i];
  }

  /** How long the i-th request runs once it has started. */
  public long length(int i) {
    return length[i];
  }

  /** How long the scheduler thinks it will run; not less. */
  public long expected(int i) {
    return expected[i];
  }

  /** The same requests, and the scheduler knows how long they will run. */
  public Workload withKnownRunTimes() {
    return new Workload(id, size, arrival, length, length);
  }

  /** Mean size in hosts; 0 without requests. */
  public double meanSize() {
    double sum = 0;
    for (int s : size) {
      sum += s;
    }
    return size.length == 0 ? 0 : sum / size.length;
  }
}
