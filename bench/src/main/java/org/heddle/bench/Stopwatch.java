package org.heddle.bench;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Times of one piece of work, warm: run until it has had two seconds, then measured until there are
 * thirty times or ten seconds have passed, five times at least.
 *
 * @param nanos ascending
 */
record Stopwatch(long[] nanos) {
  private static final long WARM_NANOS = 2_000_000_000L;
  private static final long MEASURED_NANOS = 10_000_000_000L;
  private static final int MOST = 30;
  private static final int LEAST = 5;

  /** Where results go, so that no work is optimised away. */
  @SuppressWarnings("unused")
  private static volatile Object sink;

  /** Measures work on one thread. */
  static Stopwatch of(Supplier<?> work) {
    return of(work, System::nanoTime);
  }

  /** Measures the processor time of work on this thread: what counts on a machine with others. */
  static Stopwatch ofProcessorTime(Supplier<?> work) {
    return of(work, ManagementFactory.getThreadMXBean()::getCurrentThreadCpuTime);
  }

  private static Stopwatch of(Supplier<?> work, LongSupplier clock) {
    long start = clock.getAsLong();
    do {
      sink = work.get();
    } while (clock.getAsLong() - start < WARM_NANOS);
    long[] times = new long[MOST];
    int n = 0;
    start = clock.getAsLong();
    while (n < MOST && (n < LEAST || clock.getAsLong() - start < MEASURED_NANOS)) {
      long begin = clock.getAsLong();
      sink = work.get();
      times[n++] = clock.getAsLong() - begin;
    }
    sink = null;
    long[] sorted = Arrays.copyOf(times, n);
    Arrays.sort(sorted);
    return new Stopwatch(sorted);
  }

  /** Shortest time in seconds. */
  double min() {
    return nanos[0] * 1e-9;
  }

  /** The time in the middle, in seconds. */
  double median() {
    return nanos[nanos.length / 2] * 1e-9;
  }

  /** Longest time in seconds. */
  double max() {
    return nanos[nanos.length - 1] * 1e-9;
  }

  /** Minimum, median and maximum in milliseconds as columns of a table. */
  String columns() {
    return String.format(
        Locale.ROOT, "%.3f | %.3f | %.3f", min() * 1e3, median() * 1e3, max() * 1e3);
  }
}
