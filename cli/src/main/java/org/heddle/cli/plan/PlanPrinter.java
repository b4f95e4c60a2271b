package org.heddle.cli.plan;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import org.heddle.cli.shell.Terminal;
import org.heddle.cli.shell.TextTable;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.fabric.Lid;
import org.heddle.reconfig.TableDiff;
import org.heddle.tenancy.Partition;
import org.heddle.verify.AuditFinding;
import org.heddle.verify.Severity;
import org.heddle.verify.isolation.IsolationPrice;
import org.heddle.verify.isolation.IsolationReport;

/** Prints a plan for people. */
final class PlanPrinter {
  private static final int SHOWN = 20;

  private final PrintStream out;
  private final Terminal terminal;

  PlanPrinter(PrintStream out, Terminal terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  /** Tenants, what they share, findings, changes, and the summary. */
  void print(Plan plan) {
    line(
        "%s, %s, %d of %s in use",
        plan.engine(),
        plan.tenancy().rules().strict() ? "strict" : "best effort",
        plan.lanes().used(),
        Counted.of(plan.tenancy().rules().dataLanes(), "lane", "lanes"));
    tenants(plan);
    shared(plan);
    plan.price().ifPresent(this::price);
    findings(plan);
    plan.diff().ifPresent(diff -> changes(plan, diff));
    line("");
    line("%s", terminal.bold(summary(plan)));
  }

  private void tenants(Plan plan) {
    heading("Tenants");
    TextTable table =
        new TextTable(
            "TENANT",
            "P_KEY",
            "POLICY",
            "LANE",
            "HOSTS",
            "PENDING",
            "CHANNELS",
            "SHARED",
            "PROMISE");
    boolean[] broken = broken(plan);
    for (int p = 0; p < plan.tenants().tenants().size(); p++) {
      Partition partition = plan.tenancy().partitions().get(p);
      IsolationReport.PartitionUse use = plan.isolation().partitions().get(p);
      table.row(
          partition.name(),
          PlanDocument.key(partition.pkey() | 0x8000),
          partition.policy().word(),
          plan.lanes().lane(p),
          plan.tenants().tenants().get(p).hosts().size(),
          plan.tenants().tenants().get(p).pending().size(),
          use.used(),
          use.shared(),
          broken[p] ? "broken" : "kept");
    }
    if (table.isEmpty()) {
      line("  none");
    } else {
      table.print(out, terminal, "  ");
    }
  }

  /** By tenant: whether a policy of its own is broken, or members do not reach each other. */
  private static boolean[] broken(Plan plan) {
    boolean[] broken = new boolean[plan.tenants().tenants().size()];
    for (IsolationReport.Pair pair : plan.isolation().pairs()) {
      if (pair.violation().isPresent()) {
        broken[pair.a()] |= cares(plan, pair.a(), pair);
        broken[pair.b()] |= cares(plan, pair.b(), pair);
      }
    }
    for (int p = 0; p < broken.length; p++) {
      broken[p] |= plan.isolation().partitions().get(p).unreached() > 0;
    }
    return broken;
  }

  private static boolean cares(Plan plan, int p, IsolationReport.Pair pair) {
    return switch (plan.tenancy().partitions().get(p).policy()) {
      case PHY -> true;
      case VLANE -> pair.sameLane();
      case DEF -> false;
    };
  }

  private void shared(Plan plan) {
    List<IsolationReport.Pair> pairs = plan.isolation().pairs();
    if (pairs.isEmpty()) {
      return;
    }
    heading("Shared channels");
    int shown = 0;
    for (IsolationReport.Pair pair : pairs) {
      if (shown++ == SHOWN) {
        line(
            "  %s",
            terminal.faint(
                "... and " + Counted.of(pairs.size() - SHOWN, "more pair", "more pairs")));
        break;
      }
      line(
          "  %s shares %,d of its %s with %s, %s%s",
          plan.tenancy().partitions().get(pair.a()).name(),
          pair.channels(),
          Counted.of(plan.isolation().partitions().get(pair.a()).used(), "channel", "channels"),
          plan.tenancy().partitions().get(pair.b()).name(),
          pair.sameLane() ? "same lane" : "separate lanes",
          pair.violation().map(v -> " (" + terminal.odd(v) + ")").orElse(""));
    }
  }

  private void price(IsolationPrice price) {
    List<IsolationPrice.Share> paying =
        price.shares().stream().filter(IsolationPrice.Share::pays).toList();
    if (price.shares().isEmpty()) {
      return;
    }
    heading("Price of isolation");
    for (IsolationPrice.Share s : paying.subList(0, Math.min(SHOWN, paying.size()))) {
      line(
          "  %s: %s; total contention %,d instead of %,d",
          s.name(),
          s.fullest() == s.fullestBefore()
              ? String.format(Locale.ROOT, "fullest channel as before (%,d)", s.fullest())
              : String.format(
                  Locale.ROOT,
                  "fullest channel carries %,d instead of %s",
                  s.fullest(),
                  Counted.of(s.fullestBefore(), "destination", "destinations")),
          s.contention(),
          s.contentionBefore());
    }
    if (paying.size() > SHOWN) {
      line(
          "  %s",
          terminal.faint(
              "... and " + Counted.of(paying.size() - SHOWN, "more tenant", "more tenants")));
    }
    int free = price.shares().size() - paying.size();
    if (free > 0) {
      line("  %s nothing", Counted.of(free, "tenant pays", "tenants pay"));
    }
  }

  private void findings(Plan plan) {
    boolean any =
        !plan.isolation().findings().isEmpty()
            || !plan.audit().findings().isEmpty()
            || !plan.notes().isEmpty();
    if (!any) {
      return;
    }
    heading("Findings");
    plan.audit().findings().forEach(this::finding);
    plan.isolation().findings().forEach(this::finding);
    plan.notes().forEach(note -> line("  note    %s", note));
  }

  private void finding(AuditFinding finding) {
    String label =
        switch (finding.severity()) {
          case ERROR -> terminal.bad("error  ");
          case WARNING -> terminal.odd("warning");
          case INFO -> terminal.faint("info   ");
        };
    line("  %s %s: %s", label, terminal.bold(finding.code()), finding.message());
    if (finding.severity() != Severity.INFO) {
      finding.examples().forEach(example -> line("      %s", example));
    }
  }

  private void changes(Plan plan, TableDiff diff) {
    heading("Changes of " + plan.current().orElse("the tables"));
    Fabric fabric = plan.bound().fabric();
    if (diff.isEmpty()) {
      line("  none: the tables in force are the planned ones");
    }
    int shown = 0;
    for (TableDiff.SwitchChange change : diff.switches()) {
      if (shown++ == SHOWN) {
        line("  %s", terminal.faint("... and " + (diff.switches().size() - SHOWN) + " more"));
        break;
      }
      line(
          "  ~ %s '%s': %s, %s",
          Guid.format(change.guid()),
          fabric.description(change.sw()),
          Counted.of(change.blocks(), "block", "blocks"),
          Counted.of(change.entries(), "entry", "entries"));
    }
    lids(fabric, diff.lidChanges());
  }

  private void lids(Fabric fabric, List<TableDiff.LidChange> changes) {
    int shown = 0;
    for (TableDiff.LidChange change : changes) {
      if (shown++ == SHOWN) {
        line("  %s", terminal.faint("... and " + (changes.size() - SHOWN) + " more LIDs"));
        break;
      }
      line(
          "  ~ %s '%s': LID %s -> %s",
          Guid.format(change.portGuid()),
          fabric.description(fabric.nodeOf(change.port())),
          change.before() == Lid.NONE ? "none" : String.valueOf(change.before()),
          change.after());
    }
  }

  /** The line people remember. */
  static String summary(Plan plan) {
    String what =
        String.format(
            Locale.ROOT,
            "Plan: %s, %,d of %s",
            Counted.of(plan.tenants().tenants().size(), "tenant", "tenants"),
            plan.tenantHosts(),
            Counted.of(plan.bound().fabric().machines().count(), "host", "hosts"));
    return plan.diff()
        .map(
            diff ->
                what
                    + "; "
                    + Counted.of(diff.switches().size(), "switch changes", "switches change")
                    + ", "
                    + Counted.of(diff.blocks(), "block", "blocks")
                    + ", "
                    + Counted.of(diff.smps(), "SMP", "SMPs"))
        .orElse(what);
  }

  private void heading(String text) {
    out.println();
    out.println(terminal.bold(text));
  }

  private void line(String format, Object... values) {
    out.println(String.format(Locale.ROOT, format, values));
  }
}
