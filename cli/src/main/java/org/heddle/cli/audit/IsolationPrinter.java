package org.heddle.cli.audit;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.TenantsInput;
import org.heddle.cli.shell.Terminal;
import org.heddle.cli.shell.TextTable;
import org.heddle.fabric.Counted;
import org.heddle.verify.AuditReport.ChannelKind;
import org.heddle.verify.isolation.IsolationReport;
import org.heddle.verify.isolation.IsolationReport.Contention;
import org.heddle.verify.isolation.IsolationReport.Pair;
import org.heddle.verify.isolation.IsolationReport.PartitionUse;

/** Prints an isolation report for people: who meets whom first, numbers after. */
final class IsolationPrinter {
  /** Pairs of partitions and rows of the table that are printed; --json has all. */
  private static final int SHOWN = 20;

  private final Terminal terminal;
  private final PrintStream out;

  IsolationPrinter(Session session) {
    this.terminal = session.terminal();
    this.out = session.out();
  }

  /** Everything but findings and verdict. */
  void print(IsolationReport report, TenantsInput input) {
    out.println();
    out.println(terminal.bold("Isolation of partitions"));
    if (report.partitions().isEmpty()) {
      line("  no partitions besides the default one");
      return;
    }
    line("  %s", headline(report));
    sentences(report);
    if (!input.lanesKnown()) {
      line("  %s", terminal.faint("lanes are not known (no --partitions): all count as one"));
    }
    line("");
    table(report);
    line("");
    totals(report);
  }

  private static String headline(IsolationReport report) {
    int partitions = report.partitions().size();
    long alone = report.partitions().stream().filter(p -> p.shared() == 0).count();
    long of = (long) partitions * (partitions - 1) / 2;
    return String.format(
        Locale.ROOT,
        "%s, %,d of them share%s no channel with another; %,d of %s",
        Counted.of(partitions, "partition", "partitions"),
        alone,
        alone == 1 ? "s" : "",
        report.pairs().size(),
        Counted.of(of, "pair meets", "pairs meet"));
  }

  /** Broken policies first, then the pairs that share most. */
  private void sentences(IsolationReport report) {
    List<Pair> pairs = new ArrayList<>(report.pairs());
    pairs.sort(
        Comparator.comparing((Pair p) -> p.violation().isEmpty())
            .thenComparing(Comparator.comparingInt(Pair::channels).reversed())
            .thenComparingInt(Pair::a)
            .thenComparingInt(Pair::b));
    for (Pair pair : pairs.subList(0, Math.min(SHOWN, pairs.size()))) {
      line("  %s", sentence(report, pair));
    }
    if (pairs.size() > SHOWN) {
      line(
          "  %s",
          terminal.faint("... and " + Counted.of(pairs.size() - SHOWN, "more pair", "more pairs")));
    }
  }

  private String sentence(IsolationReport report, Pair pair) {
    PartitionUse a = report.partitions().get(pair.a());
    PartitionUse b = report.partitions().get(pair.b());
    String text =
        String.format(
            Locale.ROOT,
            "%s shares %,d of its %s with %s, %s",
            a.name(),
            pair.channels(),
            Counted.of(a.used(), "channel", "channels"),
            b.name(),
            pair.sameLane() ? "same lane" : "separate lanes");
    if (report.directed()) {
      text += String.format(Locale.ROOT, " (%,d up, %,d down)", pair.up(), pair.down());
    }
    if (pair.violation().isPresent()) {
      return text + ": " + terminal.bad(pair.violation().get());
    }
    return pair.allowed() ? text + ", allowed" : text;
  }

  private void table(IsolationReport report) {
    TextTable table =
        new TextTable(
            "PARTITION", "P_KEY", "POLICY", "LANE", "MEMBERS", "CHANNELS", "SHARED", "INTERFERED");
    for (PartitionUse p :
        report.partitions().subList(0, Math.min(SHOWN, report.partitions().size()))) {
      table.row(
          p.name(),
          String.format("0x%04x", p.pkey()),
          p.policy().word(),
          number(p.lane()),
          number(p.members()),
          number(p.used()),
          number(p.shared()),
          number(p.interference()));
    }
    table.print(out, terminal, "  ");
    int more = report.partitions().size() - SHOWN;
    if (more > 0) {
      line(
          "  %s",
          terminal.faint("... and " + Counted.of(more, "more partition", "more partitions")));
    }
  }

  private void totals(IsolationReport report) {
    line("  routes x channels shared with another partition: %,d", report.interference().all());
    contention("all destinations", report.contention());
    report.receiverContention().ifPresent(c -> contention("receivers", c));
    report
        .load(ChannelKind.DOWN)
        .ifPresent(
            l ->
                line(
                    "  destinations inside partitions on a channel down: at most %,d, %.2f on"
                        + " average",
                    l.max(), l.mean()));
  }

  private void contention(String what, Contention c) {
    line(
        "  contention of %s (%,d): %,d on %s; up %,d on %,d, down %,d on %,d",
        what,
        c.destinations(),
        c.all().total(),
        Counted.of(c.all().contended(), "channel", "channels"),
        c.up().total(),
        c.up().contended(),
        c.down().total(),
        c.down().contended());
  }

  /** Whether the policies are kept. */
  void verdict(IsolationReport report) {
    if (report.kept()) {
      line("%s", terminal.good("isolation: every policy is kept"));
      return;
    }
    List<String> codes = report.violations().stream().map(f -> f.code()).toList();
    line("%s", terminal.bad("isolation: NOT kept (" + String.join(", ", codes) + ")"));
  }

  private void line(String format, Object... values) {
    out.println(String.format(Locale.ROOT, format, values));
  }

  private static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }
}
