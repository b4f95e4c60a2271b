package org.heddle.cli.allocate;

import java.io.PrintStream;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.heddle.allocation.Allocation;
import org.heddle.allocation.Rails;
import org.heddle.cli.shell.Terminal;
import org.heddle.cli.shell.TextTable;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.plan.DraftState;
import org.heddle.plan.model.Tenant;

/**
 * What a tenant holds, for people and as JSON.
 *
 * @param pkey base P_Key, as in {@code 0x4a31}
 * @param requested machines asked for
 * @param hosts machines held
 * @param adapters adapters of these
 * @param rails between which of them its links are
 * @param l1Ports links held between leaves and the switches above, in all rails
 * @param l2Ports links held between these and the roots
 * @param leaves leaf switches with its hosts or links
 * @param switches ports by switch, lower ends of its links, by level and GUID
 */
record TenantView(
    String name,
    String pkey,
    int requested,
    int hosts,
    int adapters,
    String rails,
    int l1Ports,
    int l2Ports,
    int leaves,
    int oversubscription,
    String allocator,
    boolean guaranteed,
    List<String> hostNames,
    List<SwitchPorts> switches,
    List<String> lost) {
  /** More names are nothing for the eye. */
  private static final int SHOWN_HOSTS = 24;

  /**
   * The tenant's ports on a switch.
   *
   * @param level 1 for a leaf
   * @param mask bit n stands for port n
   * @param hosts how many of its hosts are there
   */
  record SwitchPorts(
      String name, String guid, int level, int hosts, List<Integer> ports, String mask) {}

  /**
   * A tenant of a state.
   *
   * @param lost what it lists and has not, one sentence each
   */
  static TenantView of(DraftState state, Tenant tenant, List<String> lost) {
    Allocation a = AllocationState.held(state, tenant);
    Fabric fabric = a.plant().fabric();
    List<String> names = new ArrayList<>();
    for (int node : a.hosts()) {
      names.add(
          a.plant().name(node).isEmpty()
              ? Guid.format(fabric.nodeGuid(node))
              : a.plant().name(node));
    }
    List<SwitchPorts> switches = new ArrayList<>();
    int l1 = ports(a, 1, switches);
    int l2 = ports(a, 2, switches);
    return new TenantView(
        tenant.name(),
        "0x%04x".formatted(tenant.pkey()),
        tenant.spec().hosts(),
        a.hostCount(),
        a.adapters().length,
        a.rails().word(),
        l1,
        l2,
        (int) switches.stream().filter(s -> s.level() == 1).count(),
        a.oversubscription(),
        tenant.spec().allocator(),
        a.guaranteed(),
        names,
        switches,
        lost);
  }

  /** Adds the switches of a level; returns the number of links. */
  private static int ports(Allocation a, int level, List<SwitchPorts> out) {
    Fabric fabric = a.plant().fabric();
    TreeMap<Integer, List<Integer>> bySwitch = new TreeMap<>();
    TreeMap<Integer, Integer> hosts = new TreeMap<>();
    for (int rail = 0; rail < a.plant().rails(); rail++) {
      for (int i = 0; i < a.leafCount(); i++) {
        int leaf = a.plant().leafSwitch(rail, a.leaf(i));
        if (leaf != Fabric.NONE) {
          hosts.put(leaf, a.hostsOn(i));
        }
      }
    }
    Set<Integer> leaves = hosts.keySet();
    if (level == 1) {
      leaves.forEach(sw -> bySwitch.put(sw, new ArrayList<>()));
    }
    int count = 0;
    for (int port : a.links()) {
      int sw = fabric.nodeOf(port);
      if (leaves.contains(sw) == (level == 1)) {
        bySwitch.computeIfAbsent(sw, _ -> new ArrayList<>()).add(fabric.numberOf(port));
        count++;
      }
    }
    bySwitch.forEach(
        (sw, ports) ->
            out.add(
                new SwitchPorts(
                    fabric.description(sw),
                    Guid.format(fabric.nodeGuid(sw)),
                    level,
                    level == 1 ? hosts.get(sw) : 0,
                    ports,
                    mask(ports))));
    return count;
  }

  /** Ports as a bit mask in hexadecimal. */
  static String mask(List<Integer> ports) {
    BigInteger mask = BigInteger.ZERO;
    for (int port : ports) {
      mask = mask.setBit(port);
    }
    return "0x" + mask.toString(16);
  }

  /** One line. */
  String summary() {
    return (adapters == hosts
            ? Counted.of(hosts, "host", "hosts")
            : Counted.of(hosts, "machine", "machines")
                + " with "
                + Counted.of(adapters, "adapter", "adapters"))
        + (hosts == requested ? "" : " (" + requested + " asked for)")
        + " on "
        + Counted.of(leaves, "leaf", "leaves")
        + ", "
        + l1Ports
        + " l1 and "
        + l2Ports
        + " l2 ports"
        + (guaranteed ? "" : ", no links of its own")
        + (rails.equals(Rails.SEPARATE.word()) ? "" : ", rails " + rails);
  }

  void print(PrintStream out, Terminal terminal) {
    out.println(
        terminal.bold(name)
            + ": "
            + summary()
            + ", key "
            + pkey
            + ", placed by "
            + allocator
            + (oversubscription == 1 ? "" : ", " + oversubscription + " hosts an up-link"));
    TextTable table = new TextTable("switch", "GUID", "level", "hosts", "ports", "mask");
    for (SwitchPorts s : switches) {
      table.row(
          s.name(),
          s.guid(),
          s.level(),
          s.level() == 1 ? s.hosts() : "",
          String.join(" ", s.ports().stream().map(String::valueOf).toList()),
          s.mask());
    }
    table.print(out, terminal, "  ");
    int shown = Math.min(SHOWN_HOSTS, hostNames.size());
    int more = hostNames.size() - shown;
    out.println(
        "  hosts: "
            + String.join(", ", hostNames.subList(0, shown))
            + (more == 0 ? "" : " and " + more + " more, which --json lists"));
    for (String line : lost) {
      out.println("  " + terminal.bad("lost:") + " " + line);
    }
  }
}
