package org.heddle.cli.simulate;

import java.io.PrintStream;
import java.util.ArrayList;
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
    List<String> heading = new ArrayList<>(List.of("REQUESTS"));
    heading.addAll(damaged ? List.of("BROKEN LINKS") : List.of());
    heading.addAll(List.of("ALLOCATOR", "QUEUE", "UTILISATION", "ROUNDING", "FRAGMENTED"));
    heading.addAll(List.of("LINKS ON", "MEAN WAIT", "P99 WAIT", "REFUSED"));
    heading.addAll(relinked(runs) ? List.of("RELINKED", "BLOCKS") : List.of());
    heading.addAll(times ? List.of("MEAN us", "P99 us", "MAX us", "PLACED us") : List.of());
    TextTable table = new TextTable(heading.toArray(new String[0]));
    for (ScheduleRun run : runs) {
      table.row(cells(run, damaged, times).toArray());
    }
    table.print(session.out(), session.terminal(), "");
  }

  private static boolean relinked(List<ScheduleRun> runs) {
    return runs.stream().anyMatch(r -> r.options().relink() > 0);
  }

  private static List<Object> cells(ScheduleRun run, boolean damaged, boolean times) {
    ScheduleResult r = run.result();
    List<Object> cells = new ArrayList<>();
    cells.add(run.requests().label());
    if (damaged) {
      cells.add(run.damageLabel());
    }
    cells.add(run.allocator().name());
    cells.add(run.options().queue().name().toLowerCase(Locale.ROOT));
    cells.add(r.steady().map(s -> percent(s.utilisation())).orElse("-"));
    cells.add(r.steady().map(s -> percent(s.rounding())).orElse("-"));
    cells.add(r.steady().map(s -> percent(s.fragmentation())).orElse("-"));
    cells.add(r.steady().map(s -> percent(s.links())).orElse("-"));
    cells.add(String.format(Locale.ROOT, "%,.0f", r.waits().mean()));
    cells.add(String.format(Locale.ROOT, "%,d", r.waits().p99()));
    cells.add(String.format(Locale.ROOT, "%,d", r.refused()));
    if (run.options().relink() > 0) {
      cells.add(String.format(Locale.ROOT, "%,d", r.relinks().tenants()));
      cells.add(String.format(Locale.ROOT, "%,d", r.relinks().blocks()));
    }
    if (times) {
      ScheduleResult.Times t = r.allTimes();
      cells.add(micros(t.meanNs()));
      cells.add(micros(t.p99Ns()));
      cells.add(micros(t.maxNs()));
      cells.add(micros(r.placedTimes().meanNs()));
    }
    return cells;
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
