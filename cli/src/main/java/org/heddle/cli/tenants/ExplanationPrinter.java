package org.heddle.cli.tenants;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.Terminal;
import org.heddle.cli.shell.TextTable;
import org.heddle.fabric.Counted;
import org.heddle.text.tenants.ResolvedTenants;
import org.heddle.text.tenants.TenantsEnvironment;
import org.heddle.text.tenants.TenantsNames;

/** Prints an {@link Explanation} for people. */
final class ExplanationPrinter {
  private static final int SHOWN = 12;
  private static final int WIDEST_LIST = 60;

  private final PrintStream out;
  private final Terminal terminal;

  ExplanationPrinter(Session session) {
    this.out = session.out();
    this.terminal = session.terminal();
  }

  void print(Explanation e) {
    out.printf(
        Locale.ROOT,
        "%s on %s: %s; %s, %s, phy tenants take at most %s%% of the channels%n",
        e.file(),
        e.fabric(),
        Counted.of(e.tenants().size(), "tenant", "tenants"),
        e.strict() ? "strict" : "best-effort",
        Counted.of(e.dataLanes(), "data lane", "data lanes"),
        number(100 * e.physicalShare()));
    for (Explanation.Tenant tenant : e.tenants()) {
      print(tenant);
    }
    printShared(e.sharedHosts());
    if (!e.tenants().isEmpty()) {
      out.println();
      out.println(terminal.bold("About the lines for UCX, NCCL and IP over InfiniBand"));
      TenantsEnvironment.NOTES.forEach(note -> out.println("  " + note));
    }
    out.println();
    out.println(
        e.freeHosts().isEmpty()
            ? "Every host belongs to a tenant"
            : Counted.of(e.freeHosts().size(), "host belongs", "hosts belong")
                + " to no tenant: "
                + list(e.freeHosts()));
  }

  private static String number(double value) {
    return value == Math.rint(value)
        ? Long.toString((long) value)
        : String.format(Locale.ROOT, "%.2f", value);
  }

  private void print(Explanation.Tenant t) {
    out.println();
    out.println(
        terminal.bold(t.name())
            + "  P_Key "
            + t.pkey()
            + ", as full member "
            + t.pkeyFull()
            + (t.automaticKey() ? " (automatic)" : ""));
    out.println("  policy " + t.policy().word() + ": " + t.policyInWords());
    if (!t.mayShareWith().isEmpty()) {
      out.println("  may share channels and lanes with " + String.join(", ", t.mayShareWith()));
    }
    if (t.exclusive()) {
      out.println(
          "  exclusive: its hosts are no other tenant's; ports of them may be guests elsewhere");
    }
    out.println("  " + spread(t));
    TextTable table = new TextTable("LEAF", "PORTS", "HOSTS");
    for (Explanation.Leaf leaf : t.leaves().subList(0, Math.min(SHOWN, t.leaves().size()))) {
      table.row(leaf.name(), leaf.ports(), list(leaf.hosts()));
    }
    if (!table.isEmpty()) {
      table.print(out, terminal, "    ");
    }
    if (t.leaves().size() > SHOWN) {
      out.println(
          "    ... and "
              + Counted.of(t.leaves().size() - SHOWN, "more leaf", "more leaves")
              + " (--json has all)");
    }
    printLimited(t);
    printWeights(t);
    printPending(t);
    t.environment().forEach(line -> out.println(terminal.faint("    " + line)));
  }

  private static String spread(Explanation.Tenant t) {
    String members =
        Counted.of(t.hosts(), "host", "hosts")
            + ", "
            + Counted.of(t.full() + t.limited(), "port", "ports")
            + (t.limited() == 0 ? "" : " (" + t.full() + " full, " + t.limited() + " limited)");
    return switch (t.leaves().size()) {
      case 0 -> "no members in this fabric";
      case 1 -> members + " on one leaf: its traffic takes no link between switches";
      default -> members + " on " + Counted.of(t.leaves().size(), "leaf", "leaves");
    };
  }

  private void printLimited(Explanation.Tenant t) {
    Set<String> limited = new LinkedHashSet<>();
    for (Explanation.Member m : t.members()) {
      if (!m.full()) {
        limited.add(m.host());
      }
    }
    if (!limited.isEmpty() && t.full() > 0) {
      out.println("  limited, talk to full members only: " + list(limited));
    }
  }

  private void printWeights(Explanation.Tenant t) {
    Map<Integer, Set<String>> byWeight = new TreeMap<>();
    for (Explanation.Member m : t.members()) {
      byWeight.computeIfAbsent(-m.weight(), k -> new LinkedHashSet<>()).add(m.host());
    }
    if (byWeight.isEmpty() || byWeight.keySet().equals(Set.of(-1))) {
      return;
    }
    List<String> parts = new ArrayList<>();
    byWeight.forEach((weight, hosts) -> parts.add(-weight + " for " + list(hosts)));
    out.println("  weights: " + String.join("; ", parts.subList(0, Math.min(SHOWN, parts.size()))));
  }

  private void printPending(Explanation.Tenant t) {
    int shown = 0;
    for (Explanation.Pending p : t.pending()) {
      if (shown++ == SHOWN) {
        out.println("    ... and " + (t.pending().size() - SHOWN) + " more pending");
        break;
      }
      String reason =
          p.reason() == ResolvedTenants.Reason.NOT_IN_FABRIC ? "not in the fabric" : "no cable";
      out.println(
          "  "
              + terminal.odd("pending")
              + ": "
              + p.guid()
              + ", "
              + (p.full() ? "full" : "limited")
              + ", "
              + reason
              + (p.line() > 0 ? " (line " + p.line() + ")" : ""));
    }
  }

  /** Hosts in several tenants, those of the same tenants together. */
  private void printShared(List<Explanation.SharedHost> shared) {
    if (shared.isEmpty()) {
      return;
    }
    Map<String, List<String>> byTenants = new TreeMap<>();
    for (Explanation.SharedHost s : shared) {
      byTenants
          .computeIfAbsent(String.join(", ", s.tenants()), k -> new ArrayList<>())
          .add(s.host());
    }
    out.println();
    out.println(
        terminal.bold("Hosts in several tenants")
            + ": one LID has one path, so they tie these tenants together");
    byTenants.forEach((tenants, hosts) -> out.println("  " + tenants + ": " + list(hosts)));
  }

  private static String list(Iterable<String> hosts) {
    String text = String.join(",", TenantsNames.fold(hosts));
    return text.length() <= WIDEST_LIST ? text : text.substring(0, WIDEST_LIST - 3) + "...";
  }
}
