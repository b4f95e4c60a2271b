package org.heddle.cli.reroute;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.heddle.cli.shell.ShellWords;
import org.heddle.cli.shell.Terminal;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.reconfig.DeadPort;
import org.heddle.reconfig.TableDiff;
import org.heddle.reconfig.reroute.MinimalReroute;
import org.heddle.text.lft.BoundTables;
import org.heddle.text.lft.TableFormat;
import org.heddle.verify.AuditReport;
import org.heddle.verify.AuditReport.ChannelKind;

/** Prints a re-routing for people. */
final class ReroutePrinter {
  private static final int SHOWN = 12;

  private final PrintStream out;
  private final Terminal terminal;

  ReroutePrinter(PrintStream out, Terminal terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  /** What was lost, what was done, what changes, how it is written, what comes out. */
  void print(Reroute r) {
    lost(r.old().lost());
    dead(r);
    r.part().ifPresent(part -> part(part, r));
    r.minimal().ifPresent(m -> minimal(m, r));
    if (r.part().isEmpty() && r.minimal().isEmpty()) {
      line("all hosts by the order, routed with %s in %.2f ms", r.engine(), 1e3 * r.seconds());
    }
    r.notes().forEach(note -> line("note: %s", note));
    if (r.diff().isEmpty()) {
      line("%s", terminal.bold("nothing changes: these tables are what is in the switches"));
    } else {
      changes(r);
      writing(r);
    }
    balance(r);
    audit(r);
  }

  /** Where the tables are, and what to do with them. */
  void ending(Reroute r, String fabricFile, String output, TableFormat as) {
    if (output == null) {
      line("nothing written; -o FILE writes the tables");
    } else if (!output.equals("-")) {
      line("wrote %s (%s)", output, as.label());
      if (!r.diff().isEmpty()) {
        line("next: heddle apply %s DIR --to umad", ShellWords.join(fabricFile, output));
      }
    }
  }

  private void lost(BoundTables.Lost lost) {
    if (lost.switches().isEmpty() && lost.ports().isEmpty()) {
      return;
    }
    line(
        "lost since the tables were made: %s, %s",
        Counted.of(lost.switches().size(), "switch", "switches"),
        Counted.of(lost.ports().size(), "other port", "other ports"));
    guids("switch", lost.switches());
    guids("port", lost.ports());
  }

  private void dead(Reroute r) {
    if (r.dead().isEmpty()) {
      return;
    }
    line("links lost: the old tables send to %s", Counted.of(r.dead().size(), "port", "ports"));
    Fabric fabric = r.now().fabric();
    for (DeadPort dead : r.dead().subList(0, Math.min(SHOWN, r.dead().size()))) {
      line(
          "  - %s '%s' port %d: %s",
          Guid.format(fabric.nodeGuid(dead.sw())),
          fabric.description(dead.sw()),
          dead.port(),
          Counted.of(dead.lids(), "LID", "LIDs"));
    }
    more(r.dead().size());
  }

  private void more(int all) {
    if (all > SHOWN) {
      line("  %s", terminal.faint("... and " + (all - SHOWN) + " more"));
    }
  }

  private void guids(String what, List<Long> guids) {
    guids.stream().limit(SHOWN).forEach(guid -> line("  - %s %s", what, Guid.format(guid)));
    more(guids.size());
  }

  private void part(Reroute.Part part, Reroute r) {
    if (part.subtree().isEmpty()) {
      line("all hosts are on %s: nothing between them can be routed differently", part.leaf());
      return;
    }
    Fabric fabric = part.subtree().get().part().fabric();
    line(
        "sub-tree of %s: %s, %s, %s, routed with %s in %.2f ms",
        Counted.of(part.subtree().get().tree().levels(), "level", "levels"),
        Counted.of(fabric.switchCount(), "switch", "switches"),
        Counted.machines(fabric),
        Counted.of(part.lids(), "LID", "LIDs"),
        r.engine(),
        1e3 * r.seconds());
    if (part.ordered() > 0) {
      line(
          "%s in it", Counted.of(part.ordered(), "host of the order is", "hosts of the order are"));
    }
    if (part.kept() > 0) {
      line(
          "%s: the sub-tree has no up/down route for them",
          Counted.of(part.kept(), "entry cannot change", "entries cannot change"));
    }
  }

  private void minimal(MinimalReroute.Report m, Reroute r) {
    line("minimal update, measured against %s, in %.2f ms", r.engine(), 1e3 * r.seconds());
    line(
        "%s not be kept (dead ports, detours, routes down and up)",
        Counted.of(m.illegal(), "old entry could", "old entries could"));
    if (m.moved() > 0) {
      line("%s moved for balance", Counted.of(m.moved(), "LID is", "LIDs are"));
    }
    line(
        "fresh tables would change %s with %s",
        Counted.of(m.fresh().paths(), "path", "paths"),
        Counted.of(m.fresh().blocks(), "SMP", "SMPs"));
  }

  private void changes(Reroute r) {
    TableDiff diff = r.diff();
    line(
        "%s",
        terminal.bold(
            String.format(
                Locale.ROOT,
                "%s: %s, %s, %,d of %s between hosts",
                Counted.of(diff.switches().size(), "switch changes", "switches change"),
                Counted.of(diff.smps(), "block (SMP)", "blocks (SMPs)"),
                Counted.of(diff.entries(), "entry", "entries"),
                r.paths().paths(),
                Counted.of(
                    r.after().reachability(AuditReport.PairKind.CA_TO_CA).pairs(),
                    "path",
                    "paths"))));
    int shown = 0;
    for (TableDiff.SwitchChange change : diff.switches()) {
      if (shown++ == SHOWN) {
        int more = diff.switches().size() - SHOWN;
        line("  %s", terminal.faint("... and " + Counted.of(more, "more switch", "more switches")));
        break;
      }
      line(
          "  ~ %s '%s': %s, %s",
          Guid.format(change.guid()),
          r.now().fabric().description(change.sw()),
          Counted.of(change.blocks(), "block", "blocks"),
          Counted.of(change.entries(), "entry", "entries"));
    }
  }

  private void writing(Reroute r) {
    List<Integer> dropped = r.order().dropped();
    if (dropped.isEmpty()) {
      line(
          "order: %s can be written one by one so that every state in between works",
          Counted.of(r.order().writes().size(), "packet", "packets"));
    } else {
      String lids =
          dropped.stream().limit(SHOWN).map(String::valueOf).collect(Collectors.joining(", "));
      line(
          "order: %s, %s dropped temporarily: %s%s",
          Counted.of(r.order().writes().size(), "packet", "packets"),
          Counted.of(dropped.size(), "LID", "LIDs"),
          lids,
          dropped.size() > SHOWN ? ", ..." : "");
    }
    r.order().notes().forEach(note -> line("  %s", note));
  }

  private void balance(Reroute r) {
    List<String> parts = new ArrayList<>();
    load("up", ChannelKind.UP, r).ifPresent(parts::add);
    load("down", ChannelKind.DOWN, r).ifPresent(parts::add);
    if (parts.isEmpty()) {
      load("between switches", ChannelKind.SWITCH_TO_SWITCH, r).ifPresent(parts::add);
    }
    if (!parts.isEmpty()) {
      line("destinations on the fullest channel: %s", String.join(", ", parts));
    }
  }

  private static Optional<String> load(String name, ChannelKind kind, Reroute r) {
    return r.after()
        .destinationLoad(kind)
        .map(
            after -> {
              long before =
                  r.before().destinationLoad(kind).map(AuditReport.LoadSummary::max).orElse(0L);
              return before == after.max()
                  ? String.format(Locale.ROOT, "%s %,d", name, before)
                  : String.format(Locale.ROOT, "%s %,d -> %,d", name, before, after.max());
            });
  }

  private void audit(Reroute r) {
    if (!r.before().clean()) {
      line(
          "the old tables have %s on this fabric",
          Counted.of(r.before().errors(), "error", "errors"));
    }
    line("audit of the new tables: no error, %s", warnings(r.after().warnings()));
  }

  private static String warnings(int count) {
    return Counted.of(count, "warning", "warnings");
  }

  private void line(String format, Object... values) {
    out.println(String.format(Locale.ROOT, format, values));
  }
}
