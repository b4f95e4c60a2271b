package org.heddle.cli.simulate;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.TextTable;
import org.heddle.schedule.ScheduleResult;
import org.heddle.schedule.Timeline;

/** Results of simulations as a table for people, and as CSV. */
final class ScheduleTables {
  private static final String HEADING =
      "requests,mean_size,broken_links,allocator,queue,hosts,links,count,started,refused,overtook,"
          + "from,to,utilisation,rounding,fragmentation,shortage,lull,links_held,wait_mean,wait_p50,"
          + "wait_p90,wait_p99,wait_max,attempts,attempts_placed,attempts_aborted";

  private ScheduleTables() {}

  /** For people. */
  static void print(Session session, List<ScheduleRun> runs, boolean times) {
    boolean damaged = runs.stream().anyMatch(r -> r.damage() > 0);
    TextTable table =
        new TextTable(
            "REQUESTS",
            damaged ? "BROKEN" : "",
            "ALLOCATOR",
            "QUEUE",
            "UTILISATION",
            "ROUNDING",
            "FRAGMENTED",
            "LINKS",
            "MEAN WAIT",
            "P99 WAIT",
            "REFUSED",
            times ? "MEAN us" : "",
            times ? "P99 us" : "",
            times ? "MAX us" : "",
            times ? "PLACED us" : "");
    for (ScheduleRun run : runs) {
      ScheduleResult r = run.result();
      ScheduleResult.Times t = r.allTimes();
      table.row(
          run.requests().label(),
          damaged ? run.damageLabel() : "",
          run.allocator().name(),
          run.options().queue().name().toLowerCase(Locale.ROOT),
          r.steady().map(s -> percent(s.utilisation())).orElse("-"),
          r.steady().map(s -> percent(s.rounding())).orElse("-"),
          r.steady().map(s -> percent(s.fragmentation())).orElse("-"),
          r.steady().map(s -> percent(s.links())).orElse("-"),
          String.format(Locale.ROOT, "%,.0f", r.waits().mean()),
          String.format(Locale.ROOT, "%,d", r.waits().p99()),
          String.format(Locale.ROOT, "%,d", r.refused()),
          times ? micros(t.meanNs()) : "",
          times ? micros(t.p99Ns()) : "",
          times ? micros(t.maxNs()) : "",
          times ? micros(r.placedTimes().meanNs()) : "");
    }
    table.print(session.out(), session.terminal(), "");
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.2f%%", 100 * share);
  }

  private static String micros(double ns) {
    return String.format(Locale.ROOT, "%,.1f", ns / 1e3);
  }

  /** One line a run. */
  static void csv(PrintStream out, List<ScheduleRun> runs) {
    out.print(HEADING + "\n");
    for (ScheduleRun run : runs) {
      ScheduleResult r = run.result();
      StringBuilder line = new StringBuilder();
      line.append(quoted(run.requests().label()))
          .append(number(run.requests().workload().meanSize()))
          .append(',')
          .append(run.damageLabel())
          .append(',')
          .append(run.allocator().name())
          .append(',')
          .append(run.options().queue().name().toLowerCase(Locale.ROOT));
      for (long v :
          new long[] {
            r.hosts(),
            r.links(),
            run.requests().workload().count(),
            r.started(),
            r.refused(),
            r.overtook()
          }) {
        line.append(',').append(v);
      }
      line.append(r.steady().map(ScheduleTables::steady).orElse(",,,,,,,,"));
      ScheduleResult.Waits w = r.waits();
      line.append(',').append(number(w.mean()));
      for (long v :
          new long[] {
            w.p50(),
            w.p90(),
            w.p99(),
            w.max(),
            r.attempts().all(),
            r.attempts().placed(),
            r.attempts().aborted()
          }) {
        line.append(',').append(v);
      }
      out.print(line + "\n");
    }
  }

  private static String steady(ScheduleResult.Steady s) {
    StringBuilder out = new StringBuilder("," + s.from() + "," + s.to());
    for (double v :
        new double[] {
          s.utilisation(), s.rounding(), s.fragmentation(), s.shortage(), s.lull(), s.links()
        }) {
      out.append(',').append(number(v));
    }
    return out.toString();
  }

  /** The label in quotes, as it may be a file name with a comma, and the comma after it. */
  private static String quoted(String label) {
    return '"' + label.replace("\"", "\"\"") + "\",";
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.6f", value);
  }

  /** One line a step. */
  static void timeline(PrintStream out, Timeline t) {
    out.print("time,requested_hosts,held_hosts,links,running,waiting\n");
    for (int i = 0; i < t.count(); i++) {
      out.print(
          t.time(i)
              + ","
              + t.requestedHosts(i)
              + ","
              + t.heldHosts(i)
              + ","
              + t.links(i)
              + ","
              + t.running(i)
              + ","
              + t.waiting(i)
              + "\n");
    }
  }
}
