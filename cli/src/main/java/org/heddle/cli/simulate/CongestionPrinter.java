package org.heddle.cli.simulate;

import java.io.PrintStream;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.TextTable;
import org.heddle.congestion.Statistics;
import org.heddle.fabric.Counted;

/** Results of congestion trials as text and as CSV. */
final class CongestionPrinter {
  private static final int SHOWN_CHANNELS = 20;
  private static final int SHOWN_VALUES = 40;

  private CongestionPrinter() {}

  /** For people. */
  static void print(Session session, CongestionDocument d, List<Metric> metrics) {
    PrintStream out = session.out();
    CongestionDocument.Setup s = d.setup();
    CongestionDocument.Results r = d.results();
    out.printf(
        Locale.ROOT,
        "%s on %,d of %s",
        s.pattern(),
        s.ranks(),
        Counted.of(s.hosts(), "host", "hosts"));
    if (s.interferer() != null) {
      out.printf(
          Locale.ROOT,
          " of %s, %s on %s of %s",
          s.group(),
          s.interferer().pattern(),
          Counted.of(s.interferer().hosts(), "host", "hosts"),
          s.interferer().group());
    }
    out.printf(Locale.ROOT, "; trials %,d to %,d of %,d", d.from(), d.to() - 1, s.trials());
    out.print(s.shuffled() ? ", seed " + s.seed() + "\n" : ", not shuffled\n");
    if (r.lostFlows() > 0) {
      session.note(Counted.of(r.lostFlows(), "flow does", "flows do") + " not arrive");
    }
    for (Metric metric : metrics) {
      print(session, metric, r);
    }
  }

  private static void print(Session session, Metric metric, CongestionDocument.Results r) {
    PrintStream out = session.out();
    out.println();
    switch (metric) {
      case EFFECTIVE_BANDWIDTH ->
          out.println("effective bandwidth  " + six(r.effectiveBandwidth()));
      case HIST_MAX_CONG -> {
        out.println("flows by congestion (hist_max_cong)");
        table(session, "WEIGHT", "FLOWS", r.histMaxCong());
        out.println("effective bandwidth  " + six(r.effectiveBandwidth()));
      }
      case HIST_ACC_BAND -> bands(session, r.histAccBand());
      case SUM_MAX_CONG -> {
        out.println("trials by sum of largest congestion (sum_max_cong)");
        table(session, "SUM", "TRIALS", r.sumMaxCong());
      }
      case DEP_MAX_DELAY -> {
        out.println("trials by longest chain of messages (dep_max_delay)");
        table(session, "DELAY", "TRIALS", r.depMaxDelay());
      }
      case CHANNEL_LOAD -> channels(session, r.channels());
    }
  }

  private static void table(
      Session session, String what, String of, CongestionDocument.Spread spread) {
    TextTable table = new TextTable(what, of, "SHARE");
    List<CongestionDocument.Counted> values = spread.values();
    int step = (values.size() + SHOWN_VALUES - 1) / SHOWN_VALUES;
    for (int i = 0; i < values.size(); i += Math.max(1, step)) {
      long count = 0;
      int end = Math.min(values.size(), i + step);
      for (CongestionDocument.Counted v : values.subList(i, end)) {
        count += v.count();
      }
      int first = values.get(i).value();
      int last = values.get(end - 1).value();
      table.row(
          first == last ? "" + first : first + ".." + last,
          String.format(Locale.ROOT, "%,d", count),
          String.format(Locale.ROOT, "%.3f%%", 100.0 * count / spread.count()));
    }
    table.print(session.out(), session.terminal(), "  ");
    session
        .out()
        .printf(
            Locale.ROOT,
            "min %s, mean %s, max %s, variance %s%n",
            spread.count() == 0 ? "-" : spread.min(),
            six(spread.mean()),
            spread.count() == 0 ? "-" : spread.max(),
            six(spread.variance()));
  }

  private static void bands(Session session, long[] bands) {
    session.out().println("trials by effective bandwidth (hist_acc_band)");
    TextTable table = new TextTable("BANDWIDTH", "TRIALS");
    for (int b = 0; b < bands.length; b++) {
      if (bands[b] > 0) {
        table.row(band(b), String.format(Locale.ROOT, "%,d", bands[b]));
      }
    }
    table.print(session.out(), session.terminal(), "  ");
  }

  private static String band(int b) {
    return String.format(
        Locale.ROOT, "%.2f..%.2f", b / (double) Statistics.BANDS, (b + 1.0) / Statistics.BANDS);
  }

  private static void channels(Session session, List<CongestionDocument.ChannelCount> channels) {
    session.out().println("channels with most flows (of " + channels.size() + ")");
    TextTable table = new TextTable("NODE", "PORT", "FLOWS", "AT A TIME");
    channels.stream()
        .sorted(
            Comparator.comparingLong(CongestionDocument.ChannelCount::load)
                .reversed()
                .thenComparing(CongestionDocument.ChannelCount::node)
                .thenComparing(CongestionDocument.ChannelCount::port))
        .limit(SHOWN_CHANNELS)
        .forEach(
            c ->
                table.row(
                    c.node(),
                    c.port(),
                    String.format(Locale.ROOT, "%,d", c.load()),
                    String.format(Locale.ROOT, "%,d", c.peak())));
    table.print(session.out(), session.terminal(), "  ");
  }

  private static String six(Double value) {
    return value == null ? "-" : String.format(Locale.ROOT, "%.6f", value);
  }

  /** One line a value, or a channel. */
  static void csv(PrintStream out, CongestionDocument d, List<Metric> metrics) {
    CongestionDocument.Results r = d.results();
    boolean heading = false;
    for (Metric metric : metrics) {
      if (metric == Metric.CHANNEL_LOAD) {
        out.print("node,port,flows,peak\n");
        r.channels()
            .forEach(
                c -> out.print(c.node() + "," + c.port() + "," + c.load() + "," + c.peak() + "\n"));
        continue;
      }
      out.print(heading ? "" : "metric,value,count\n");
      heading = true;
      String name = metric.word();
      switch (metric) {
        case EFFECTIVE_BANDWIDTH ->
            out.print(
                name + "," + six(r.effectiveBandwidth()) + "," + r.histMaxCong().count() + "\n");
        case HIST_ACC_BAND -> {
          for (int b = 0; b < r.histAccBand().length; b++) {
            out.print(name + "," + band(b) + "," + r.histAccBand()[b] + "\n");
          }
        }
        case HIST_MAX_CONG -> values(out, name, r.histMaxCong());
        case SUM_MAX_CONG -> values(out, name, r.sumMaxCong());
        case DEP_MAX_DELAY -> values(out, name, r.depMaxDelay());
        default -> throw new IllegalStateException(name);
      }
    }
  }

  private static void values(PrintStream out, String name, CongestionDocument.Spread spread) {
    spread.values().forEach(v -> out.print(name + "," + v.value() + "," + v.count() + "\n"));
  }
}
