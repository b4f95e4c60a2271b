package org.heddle.cli.simulate;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.TextTable;
import org.heddle.fabric.Counted;
import org.heddle.plot.Figure;

/** What {@code simulate migrate} prints and draws. */
final class MigrationPrinter {
  private MigrationPrinter() {}

  static void print(Session session, MigrationDocument d) {
    session
        .out()
        .printf(
            Locale.ROOT,
            "%s to %s: %s (%d %% of %d per host) on %s, %s; %s%n%n",
            d.from(),
            d.to(),
            Counted.of(d.machines(), "VM", "VMs"),
            d.population(),
            d.vmsPerHost(),
            Counted.of(d.hypervisors(), "host", "hosts"),
            Counted.of(d.switches(), "switch", "switches"),
            Counted.of(d.moves(), "move", "moves"));
    TextTable totals =
        new TextTable("METHOD", "SWITCHES", "MOST", "SMPS", "MOST", "ALL SMPS", "2C-1", "NOTED");
    for (MigrationDocument.Total t : d.totals()) {
      totals.row(
          t.method(),
          two(t.switchesMean()),
          t.switchesMax(),
          two(t.smpsMean()),
          t.smpsMax(),
          String.format(Locale.ROOT, "%,d", t.smps()),
          two(t.minimumMean()),
          t.noted());
    }
    totals.print(session.out(), session.terminal(), "");
    session.out().println();
    samples(d).print(session.out(), session.terminal(), "");
  }

  private static TextTable samples(MigrationDocument d) {
    List<String> heading = new ArrayList<>(List.of("MOVES", "%", "FRESH"));
    for (MigrationDocument.Total t : d.totals()) {
      heading.addAll(
          List.of(t.method().toUpperCase(Locale.ROOT), "LESS %", "SWITCHES", "SMPS", "TO FRESH"));
    }
    TextTable table = new TextTable(heading.toArray(new String[0]));
    for (MigrationDocument.Sample s : d.samples()) {
      List<Object> cells =
          new ArrayList<>(
              List.of(
                  s.moves(),
                  String.format(Locale.ROOT, "%.0f", s.percent()),
                  four(s.freshBandwidth())));
      for (MigrationDocument.Of of : s.methods()) {
        cells.add(four(of.bandwidth()));
        cells.add(less(s.freshBandwidth(), of.bandwidth()));
        cells.add(two(of.switchesMean()));
        cells.add(two(of.smpsMean()));
        cells.add(of.freshSmps());
      }
      table.row(cells.toArray());
    }
    return table;
  }

  /** How much less the second is, as a percentage of the first. */
  private static String less(Double fresh, Double other) {
    return fresh == null || other == null
        ? "-"
        : String.format(Locale.ROOT, "%.1f", 100 * (fresh - other) / fresh + 0.0);
  }

  private static String two(Double value) {
    return value == null ? "-" : String.format(Locale.ROOT, "%,.2f", value);
  }

  private static String four(Double value) {
    return value == null ? "-" : String.format(Locale.ROOT, "%.4f", value);
  }

  // ---- files

  static String csv(MigrationDocument d) {
    StringBuilder out =
        new StringBuilder(
            "moves,percent,tables,bandwidth,lost_flows,switches_mean,switches_max,smps_mean,"
                + "smps_max,minimum_mean,noted,fresh_smps\n");
    for (MigrationDocument.Sample s : d.samples()) {
      String at = s.moves() + "," + String.format(Locale.ROOT, "%.2f", s.percent()) + ",";
      out.append(at).append("fresh,").append(six(s.freshBandwidth())).append(',');
      out.append(s.freshLostFlows()).append(",,,,,,,0\n");
      for (MigrationDocument.Of of : s.methods()) {
        boolean moved = of.switchesMean() != null;
        out.append(at).append(of.method()).append(',').append(six(of.bandwidth()));
        out.append(',').append(of.lostFlows());
        out.append(',').append(six(of.switchesMean()));
        out.append(',').append(moved ? of.switchesMax() : "");
        out.append(',').append(six(of.smpsMean()));
        out.append(',').append(moved ? of.smpsMax() : "");
        out.append(',').append(six(of.minimumMean()));
        out.append(',').append(of.noted()).append(',').append(of.freshSmps()).append('\n');
      }
    }
    return out.toString();
  }

  private static String six(Double value) {
    return value == null ? "" : String.format(Locale.ROOT, "%.6f", value);
  }

  /** Bandwidth over moves, of tables computed anew and of each method's; empty without any. */
  static Optional<Figure> bandwidth(MigrationDocument d) {
    List<Figure.Curve> curves = new ArrayList<>();
    add(curves, d, d.engine() + " anew", MigrationDocument.Sample::freshBandwidth);
    for (int m = 0; m < d.totals().size(); m++) {
      int at = m;
      add(curves, d, d.totals().get(m).method(), s -> s.methods().get(at).bandwidth());
    }
    return figure(d, "effective bisection bandwidth, share of a link", Double.NaN, curves);
  }

  /** Switches of a move, mean of each part of the moves; empty without moves. */
  static Optional<Figure> switches(MigrationDocument d) {
    List<Figure.Curve> curves = new ArrayList<>();
    for (int m = 0; m < d.totals().size(); m++) {
      int at = m;
      add(curves, d, d.totals().get(m).method(), s -> s.methods().get(at).switchesMean());
    }
    add(curves, d, "2c - 1", s -> s.methods().getFirst().minimumMean());
    return figure(d, "switches written to for a move, mean", 0, curves);
  }

  private static void add(
      List<Figure.Curve> curves,
      MigrationDocument d,
      String name,
      Function<MigrationDocument.Sample, Double> value) {
    List<MigrationDocument.Sample> with =
        d.samples().stream().filter(s -> value.apply(s) != null).toList();
    if (!with.isEmpty()) {
      curves.add(
          new Figure.Curve(
              name,
              with.stream().mapToDouble(MigrationDocument.Sample::percent).toArray(),
              with.stream().mapToDouble(value::apply).toArray()));
    }
  }

  private static Optional<Figure> figure(
      MigrationDocument d, String label, double least, List<Figure.Curve> curves) {
    String title =
        String.format(
            Locale.ROOT,
            "%s, %s to %s, %d %% of capacity",
            d.fabric(),
            d.from(),
            d.to(),
            d.population());
    return curves.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Figure(
                title,
                "moves made, %",
                label,
                Figure.Style.LINE,
                false,
                least,
                Double.NaN,
                curves));
  }
}
