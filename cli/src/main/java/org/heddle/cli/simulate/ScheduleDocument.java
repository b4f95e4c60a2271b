package org.heddle.cli.simulate;

import java.util.List;
import org.heddle.schedule.QueuePolicy;
import org.heddle.schedule.ScheduleResult;

/** The JSON output of {@code simulate schedule}. */
record ScheduleDocument(
    String format,
    String fabric,
    long seed,
    List<Run> runs,
    Integer verified,
    List<String> findings) {

  /** One simulation. Shares are 0 to 1, times in the unit of the requests. */
  record Run(
      String requests,
      double meanSize,
      String brokenLinks,
      String allocator,
      QueuePolicy queue,
      int oversubscription,
      long budget,
      int hosts,
      int links,
      int count,
      int started,
      int refused,
      int overtook,
      long lastStart,
      long end,
      ScheduleResult.Steady steady,
      ScheduleResult.Waits waits,
      ScheduleResult.Attempts attempts,
      int reservationTrials,
      ScheduleResult.Relinks relinks,
      Durations durations) {}

  /** How long attempts took, in microseconds; only with --times, for they differ every time. */
  record Durations(Micros all, Micros placed, double longestAnswered) {}

  /** In microseconds. */
  record Micros(double mean, double p50, double p99, double max) {
    static Micros of(ScheduleResult.Times t) {
      return new Micros(t.meanNs() / 1e3, t.p50Ns() / 1e3, t.p99Ns() / 1e3, t.maxNs() / 1e3);
    }
  }

  static Run run(ScheduleRun run, boolean times) {
    ScheduleResult r = run.result();
    Durations durations =
        times
            ? new Durations(
                Micros.of(r.allTimes()), Micros.of(r.placedTimes()), r.longestAnsweredNs() / 1e3)
            : null;
    return new Run(
        run.requests().label(),
        run.requests().workload().meanSize(),
        run.damageLabel(),
        run.allocator().name(),
        run.options().queue(),
        run.options().oversubscription(),
        run.options().budget(),
        r.hosts(),
        r.links(),
        run.requests().workload().count(),
        r.started(),
        r.refused(),
        r.overtook(),
        r.lastStart(),
        r.end(),
        r.steady().orElse(null),
        r.waits(),
        r.attempts(),
        r.reservationTrials(),
        run.options().relink() > 0 ? r.relinks() : null,
        durations);
  }
}
