package org.heddle.schedule;

import java.util.Arrays;
import java.util.function.LongSupplier;
import org.heddle.allocation.Allocation;
import org.heddle.allocation.AllocationRequest;
import org.heddle.allocation.AllocationResult;
import org.heddle.allocation.Allocator;
import org.heddle.allocation.Occupancy;

/** Calls the allocator, counts how attempts end, and keeps how long each took. */
final class AttemptLog {
  private final Allocator allocator;
  private final LongSupplier clock;
  private final ScheduleOptions options;
  private long[] allNs = new long[1024];
  private long[] placedNs = new long[1024];
  private int all;
  private int placed;
  private int notEnoughHosts;
  private int noPlacement;
  private int noLinks;
  private int aborted;
  private long longestAnsweredNs;

  /**
   * A log without entries.
   *
   * @param clock nanoseconds from any origin
   */
  AttemptLog(Allocator allocator, ScheduleOptions options, LongSupplier clock) {
    this.allocator = allocator;
    this.options = options;
    this.clock = clock;
  }

  /** One attempt to place so many hosts. */
  AllocationResult place(int hosts, Occupancy occupancy) {
    AllocationRequest request = options.request(hosts);
    long start = clock.getAsLong();
    AllocationResult result = allocator.place(request, occupancy);
    long took = clock.getAsLong() - start;
    allNs = append(allNs, all++, took);
    switch (result) {
      case AllocationResult.Placed _ -> placedNs = append(placedNs, placed++, took);
      case AllocationResult.Aborted _ -> aborted++;
      case AllocationResult.Rejected(AllocationResult.Reason reason) -> {
        switch (reason) {
          case NOT_ENOUGH_HOSTS -> notEnoughHosts++;
          case NO_CONFORMING_PLACEMENT, NOT_JOINED -> noPlacement++;
          case NO_LINKS -> noLinks++;
        }
      }
    }
    if (!(result instanceof AllocationResult.Aborted)) {
      longestAnsweredNs = Math.max(longestAnsweredNs, took);
    }
    return result;
  }

  /** The place, null if there is none. */
  static Allocation placed(AllocationResult result) {
    return result instanceof AllocationResult.Placed(Allocation a) ? a : null;
  }

  private static long[] append(long[] to, int n, long value) {
    long[] out = n < to.length ? to : Arrays.copyOf(to, 2 * n);
    out[n] = value;
    return out;
  }

  ScheduleResult.Attempts counts() {
    return new ScheduleResult.Attempts(all, placed, notEnoughHosts, noPlacement, noLinks, aborted);
  }

  /** Longest attempt that did not answer Aborted. */
  long longestAnsweredNs() {
    return longestAnsweredNs;
  }

  ScheduleResult.Times allTimes() {
    return times(allNs, all);
  }

  ScheduleResult.Times placedTimes() {
    return times(placedNs, placed);
  }

  private static ScheduleResult.Times times(long[] ns, int n) {
    long[] sorted = Arrays.copyOf(ns, n);
    Arrays.sort(sorted);
    double sum = 0;
    for (long t : sorted) {
      sum += t;
    }
    return new ScheduleResult.Times(
        n == 0 ? 0 : sum / n,
        ScheduleResult.percentile(sorted, 50),
        ScheduleResult.percentile(sorted, 99),
        n == 0 ? 0 : sorted[n - 1]);
  }
}
