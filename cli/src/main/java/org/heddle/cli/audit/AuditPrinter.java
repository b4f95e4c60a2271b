package org.heddle.cli.audit;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import org.heddle.cli.apply.PartitionCheck;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.Terminal;
import org.heddle.cli.shell.TextTable;
import org.heddle.fabric.Counted;
import org.heddle.topology.Recognition;
import org.heddle.verify.AuditFinding;
import org.heddle.verify.AuditReport;
import org.heddle.verify.AuditReport.ChannelKind;
import org.heddle.verify.AuditReport.CreditLoops;
import org.heddle.verify.AuditReport.LoadSummary;
import org.heddle.verify.AuditReport.PairKind;
import org.heddle.verify.AuditReport.Reachability;
import org.heddle.verify.Severity;

/** Prints an audit for people. */
final class AuditPrinter {
  private final Terminal terminal;
  private final PrintStream out;

  AuditPrinter(Session session) {
    this.terminal = session.terminal();
    this.out = session.out();
  }

  /** Everything but the verdict. */
  void print(AuditReport report, Recognition recognition) {
    AuditReport.Size size = report.size();
    line(
        "%s, %s, %s of hosts, %,d of switches; %s",
        Counted.of(size.switches(), "switch", "switches"),
        Counted.of(size.cas(), "channel adapter", "channel adapters"),
        Counted.of(size.caLids(), "LID", "LIDs"),
        size.switchLids(),
        tree(recognition));
    heading("Reachability");
    reachability(report);
    heading("Deadlock");
    line("  between hosts: %s", creditLoops(report.creditLoops()));
    line("  with switches as ends: %s", creditLoops(report.creditLoopsWithSwitches()));
    report
        .upDown()
        .ifPresent(
            u ->
                line(
                    "  routes that go up after down: %,d of %,d, over a link inside a level: %,d",
                    u.downUpRoutes(), u.routes(), u.sameLevelRoutes()));
    heading("Load of channels: distinct destinations, and source-destination pairs");
    loads(report);
    AuditReport.Hops hops = report.hops();
    AuditReport.LinkUse links = report.links();
    line("");
    line(
        "Routes: %,d, through at most %s, %.2f on average",
        hops.routes(), Counted.of(hops.max(), "switch", "switches"), hops.mean());
    line(
        "Links between switches: %,d, unused %,d, used one way only %,d",
        links.links(), links.unused(), links.halfUsed());
    findings(report.findings());
  }

  private static String tree(Recognition recognition) {
    return recognition instanceof Recognition.Found found
        ? "a tree of " + Counted.of(found.tree().levels(), "level", "levels")
        : "no fat-tree";
  }

  private void reachability(AuditReport report) {
    TextTable table = new TextTable("FROM", "TO", "PAIRS", "UNREACHED", "NO ENTRY", "BAD", "LOOP");
    for (Reachability r : report.reachability()) {
      String[] ends = ends(r.kind());
      table.row(
          ends[0],
          ends[1],
          number(r.pairs()),
          number(r.unreachable()),
          number(r.missingEntry()),
          number(r.badEntry()),
          number(r.loop()));
    }
    table.print(out, terminal, "  ");
  }

  private static String[] ends(PairKind kind) {
    return switch (kind) {
      case CA_TO_CA -> new String[] {"host", "host"};
      case SWITCH_TO_CA -> new String[] {"switch", "host"};
      case CA_TO_SWITCH -> new String[] {"host", "switch"};
      case SWITCH_TO_SWITCH -> new String[] {"switch", "switch"};
    };
  }

  private String creditLoops(CreditLoops loops) {
    String size =
        Counted.of(loops.channels(), "channel", "channels")
            + ", "
            + Counted.of(loops.dependencies(), "dependency", "dependencies");
    return loops.cyclic() == 0
        ? terminal.good("no credit loop") + " (" + size + ")"
        : terminal.bad("CREDIT LOOP")
            + " over "
            + Counted.of(loops.cycleLength(), "channel", "channels")
            + " ("
            + size
            + ")";
  }

  private void loads(AuditReport report) {
    TextTable table =
        new TextTable("CHANNELS", "COUNT", "USED", "MAX DEST", "MEAN DEST", "MAX PAIRS", "MEAN");
    for (LoadSummary d : report.destinationLoad()) {
      LoadSummary pairs = report.pairLoad(d.kind()).orElse(d);
      table.row(
          channels(d.kind()),
          number(d.channels()),
          number(d.used()),
          number(d.max()),
          String.format(Locale.ROOT, "%.2f", d.mean()),
          number(pairs.max()),
          String.format(Locale.ROOT, "%.2f", pairs.mean()));
    }
    table.print(out, terminal, "  ");
  }

  private static String channels(ChannelKind kind) {
    return switch (kind) {
      case CA_TO_SWITCH -> "host to switch";
      case SWITCH_TO_CA -> "switch to host";
      case SWITCH_TO_SWITCH -> "switch to switch";
      case UP -> "  upwards";
      case DOWN -> "  downwards";
    };
  }

  /** The findings of an isolation audit. */
  void isolationFindings(List<AuditFinding> findings) {
    heading("Findings about isolation");
    list(findings);
  }

  private void findings(List<AuditFinding> findings) {
    heading("Findings");
    list(findings);
  }

  private void list(List<AuditFinding> findings) {
    if (findings.isEmpty()) {
      line("  none");
    }
    for (AuditFinding finding : findings) {
      line(
          "  %s %s: %s",
          label(finding.severity()), terminal.bold(finding.code()), finding.message());
      finding.examples().forEach(example -> line("      %s", example));
      long more = finding.count() - finding.examples().size();
      if (more > 0 && !finding.examples().isEmpty()) {
        line("      %s", terminal.faint("... and " + number(more) + " more"));
      }
    }
  }

  private String label(Severity severity) {
    return switch (severity) {
      case ERROR -> terminal.bad("error  ");
      case WARNING -> terminal.odd("warning");
      case INFO -> terminal.faint("info   ");
    };
  }

  /** The partitions of a file, and what is odd about them. */
  void print(PartitionCheck.Report report) {
    heading("Partitions of " + report.file());
    TextTable table = new TextTable("P_KEY", "NAME", "FULL", "LIMITED");
    report.partitions().forEach(r -> table.row(r.pkey(), r.name(), r.full(), r.limited()));
    if (!table.isEmpty()) {
      table.print(out, terminal, "  ");
    }
    report
        .findings()
        .forEach(
            f ->
                line("  %s %s: %s", label(Severity.WARNING), terminal.bold(f.code()), f.message()));
  }

  /**
   * The last line.
   *
   * @param odd findings about the partitions
   * @param more whether another verdict follows, so that this one must say what it is about
   */
  void verdict(AuditReport report, int odd, boolean more) {
    line("");
    if (odd > 0) {
      line("partitions: %s", terminal.odd(Counted.of(odd, "finding", "findings")));
    }
    String subject = odd > 0 || more ? "tables: " : "";
    if (!report.clean()) {
      line("%s%s", subject, terminal.bad(counted(report) + ": do not use these tables"));
    } else if (report.warnings() > 0) {
      line("%s%s", subject, terminal.odd("usable, with " + counted(report)));
    } else {
      line("%s%s", subject, terminal.good("clean"));
    }
  }

  private static String counted(AuditReport report) {
    String errors = Counted.of(report.errors(), "error", "errors");
    String warnings = Counted.of(report.warnings(), "warning", "warnings");
    if (report.errors() == 0) {
      return warnings;
    }
    return report.warnings() == 0 ? errors : errors + " and " + warnings;
  }

  private void heading(String text) {
    out.println();
    out.println(terminal.bold(text));
  }

  private void line(String format, Object... values) {
    out.println(String.format(Locale.ROOT, format, values));
  }

  private static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }
}
