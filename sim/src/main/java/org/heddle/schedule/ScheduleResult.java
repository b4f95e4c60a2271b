package org.heddle.schedule;

import java.util.Optional;

/**
 * The result of a simulation.
 *
 * @param hosts allocatable hosts of the plant
 * @param links links between switches that tenants can get
 * @param started requests that were placed
 * @param refused requests that would not fit even into the empty fabric; they wait for nothing
 * @param overtook requests that started before one that had arrived earlier
 * @param cancelled true if the watcher stopped it; what follows is about the time until then
 * @param firstStart time of the first arrival
 * @param lastStart when the last request started: the queue is empty for good
 * @param end when the last tenant left
 * @param steady shares over the time of full load; empty if no request ever had to wait
 * @param waits waiting times of the requests that were placed
 * @param attempts attempts to place a request, by outcome; trials for reservations not included
 * @param reservationTrials attempts in the future, to find when the first in the queue can start
 * @param relinks what relinking did
 * @param timeline what was held over time
 * @param allTimes how long the attempts took
 * @param placedTimes how long the successful ones took
 * @param longestAnsweredNs longest attempt that did not answer Aborted, in nanoseconds
 */
public record ScheduleResult(
    int hosts,
    int links,
    int started,
    int refused,
    int overtook,
    boolean cancelled,
    long firstStart,
    long lastStart,
    long end,
    Optional<Steady> steady,
    Waits waits,
    Attempts attempts,
    int reservationTrials,
    Relinks relinks,
    Timeline timeline,
    Times allTimes,
    Times placedTimes,
    long longestAnsweredNs) {

  /**
   * Averages over time, between the first request that had to wait and the moment from which on
   * none has to wait any more. Shares of all hosts, 0 to 1; utilisation, rounding, fragmentation,
   * shortage and lull add up to 1.
   *
   * @param from begin
   * @param to end
   * @param utilisation hosts that running requests asked for
   * @param rounding hosts that they hold beyond that
   * @param fragmentation hosts free while the first in the queue asks for no more than are free
   * @param shortage hosts free while the first in the queue asks for more than are free
   * @param lull hosts free while nobody waits
   * @param links links between switches that tenants hold, as a share of all
   */
  public record Steady(
      long from,
      long to,
      double utilisation,
      double rounding,
      double fragmentation,
      double shortage,
      double lull,
      double links) {
    /** Share of hosts held, rounding included. */
    public double held() {
      return utilisation + rounding;
    }
  }

  /** Waiting times: from arrival to start. Percentiles by nearest rank. */
  public record Waits(double mean, long p50, long p90, long p99, long max) {}

  /**
   * Other links for running tenants.
   *
   * @param requests that started because of it
   * @param tenants that got other links, each as often as it happened
   * @param blocks LFT blocks that differed, an estimate: entries for all hosts of such a tenant on
   *     every switch at an end of a changed link
   */
  public record Relinks(int requests, int tenants, long blocks) {}

  /** How attempts ended. */
  public record Attempts(
      int all, int placed, int notEnoughHosts, int noPlacement, int noLinks, int aborted) {}

  /** How long attempts took, in nanoseconds. */
  public record Times(double meanNs, long p50Ns, long p99Ns, long maxNs) {}

  /**
   * Nearest-rank percentile of ascending values: the smallest that at least p percent do not
   * exceed; 0 without values.
   */
  static long percentile(long[] sorted, int p) {
    if (sorted.length == 0) {
      return 0;
    }
    int rank = (int) ((sorted.length * (long) p + 99) / 100);
    return sorted[Math.max(1, rank) - 1];
  }
}
