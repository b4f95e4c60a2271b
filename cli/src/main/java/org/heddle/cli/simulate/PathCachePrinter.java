package org.heddle.cli.simulate;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.TextTable;
import org.heddle.cli.simulate.PathCacheDocument.Run;
import org.heddle.fabric.Counted;
import org.heddle.plot.Figure;

/** Migration storms as a table, as CSV and as a figure. */
final class PathCachePrinter {
  /** Steps that a figure shows. */
  private static final int MOST_STEPS = 600;

  private PathCachePrinter() {}

  static void print(Session session, PathCacheDocument document) {
    boolean limited = document.setup().saPerSecond() > 0;
    List<String> heading = new ArrayList<>(List.of("SCHEME", "CACHE", "MOVES", "QUERIES"));
    heading.addAll(List.of("A MOVE", "PEERS ASKING", "PEAK/s"));
    heading.addAll(limited ? List.of("LONGEST WAIT, s") : List.of());
    heading.addAll(List.of("OLD LID", "OLD MTU", "OLD RATE", "BROKEN", "TOO FAST"));
    TextTable table = new TextTable(heading.toArray(new String[0]));
    for (Run r : document.runs()) {
      long queries = r.peerQueries() + r.machineQueries();
      List<Object> cells = new ArrayList<>(List.of(r.scheme(), r.cache(), count(r.moves())));
      cells.add(count(queries));
      cells.add(String.format(Locale.ROOT, "%,.1f", queries / (double) Math.max(1, r.moves())));
      cells.add(percent(r.peersAsking(), r.ends() / 2));
      cells.add(count(r.peak()));
      if (limited) {
        cells.add(String.format(Locale.ROOT, "%,.2f", r.longestWait()));
      }
      boolean records = !r.cache().equals("off");
      for (long value : new long[] {r.wrongLid(), r.wrongMtu(), r.wrongRate()}) {
        cells.add(records ? percent(value, r.ends()) : "-");
      }
      cells.add(percent(r.broken(), r.ends()));
      cells.add(percent(r.tooFast(), r.ends()));
      table.row(cells.toArray());
    }
    table.print(session.out(), session.terminal(), "");
  }

  private static String count(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  private static String percent(long part, long whole) {
    return String.format(Locale.ROOT, "%.1f%%", whole == 0 ? 0 : 100.0 * part / whole);
  }

  /** One line a second, one column a run. */
  static void csv(PrintStream out, List<Run> runs) {
    StringBuilder heading = new StringBuilder("second");
    int seconds = 0;
    for (Run r : runs) {
      heading.append(',').append(r.scheme()).append('/').append(r.cache());
      seconds = Math.max(seconds, r.queriesPerSecond().length);
    }
    out.print(heading.append('\n'));
    for (int s = 0; s < seconds; s++) {
      StringBuilder line = new StringBuilder().append(s);
      for (Run r : runs) {
        int[] load = r.queriesPerSecond();
        line.append(',').append(s < load.length ? load[s] : 0);
      }
      out.print(line.append('\n'));
    }
  }

  /** Runs whose load is the same in every second: one curve. */
  private record Load(int[] perSecond, List<String> names) {}

  private static List<Load> loads(List<Run> runs) {
    List<Load> out = new ArrayList<>();
    for (Run r : runs) {
      Load load = null;
      for (Load other : out) {
        load = Arrays.equals(other.perSecond(), r.queriesPerSecond()) ? other : load;
      }
      if (load == null) {
        load = new Load(r.queriesPerSecond(), new ArrayList<>());
        out.add(load);
      }
      load.names().add(r.scheme() + "/" + r.cache());
    }
    return out;
  }

  /** Queries over time; means of equal parts where there are more seconds than can be seen. */
  static Figure figure(PathCacheDocument document) {
    int seconds = 1;
    for (Run r : document.runs()) {
      seconds = Math.max(seconds, r.queriesPerSecond().length);
    }
    int width = Math.ceilDiv(seconds, MOST_STEPS);
    int steps = Math.ceilDiv(seconds, width) + 1; // back to 0 at the end
    List<Figure.Curve> curves = new ArrayList<>();
    for (Load load : loads(document.runs())) {
      double[] x = new double[steps];
      double[] y = new double[steps];
      for (int i = 0; i < steps; i++) {
        x[i] = i * width;
      }
      for (int s = 0; s < load.perSecond().length; s++) {
        y[s / width] += load.perSecond()[s] / (double) width;
      }
      curves.add(new Figure.Curve(String.join(", ", load.names()), x, y));
    }
    String title =
        String.format(
            Locale.ROOT,
            "%s, %s, tenants of %,d",
            document.fabric(),
            Counted.of(document.setup().moves(), "move", "moves"),
            document.setup().tenantSize());
    return new Figure(
        title,
        "time, s",
        "path record queries per second",
        Figure.Style.STEP,
        false,
        0,
        Double.NaN,
        curves);
  }
}
