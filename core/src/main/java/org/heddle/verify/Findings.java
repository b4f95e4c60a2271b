package org.heddle.verify;

import java.util.ArrayList;
import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Lid;

/** Writes the findings of one audit, in {@link AuditCode} order. */
final class Findings {
  private final Network net;
  private final Sweep sweep;
  private final int keep;
  private final List<AuditFinding> list = new ArrayList<>();

  Findings(Network net, Sweep sweep, int keep) {
    this.net = net;
    this.sweep = sweep;
    this.keep = keep;
  }

  List<AuditFinding> list() {
    return list;
  }

  private void add(AuditCode code, long count, String message, List<String> examples) {
    if (count > 0) {
      list.add(new AuditFinding(code.key(), code.severity(), message, count, examples));
    }
  }

  private void addCounted(AuditCode code, long count, String one, String many) {
    List<String> examples = sweep.examples.get(code.ordinal());
    add(code, count, AuditMessages.count(count, one, many) + ".", examples);
  }

  private void entries(AuditCode code, String what) {
    long n = sweep.count[code.ordinal()];
    addCounted(code, n, "entry " + what, "entries " + what);
  }

  /** Entries and reachability. */
  void tables() {
    entries(AuditCode.PORT_OUT_OF_RANGE, "with a port number that the switch does not have");
    entries(AuditCode.DANGLING_PORT, "with a port that has no cable");
    entries(AuditCode.PORT_ZERO, "with port 0 for a LID that is not the switch's own");
    long own = sweep.count[AuditCode.OWN_LID.ordinal()];
    addCounted(
        AuditCode.OWN_LID,
        own,
        "switch does not send its own LID to port 0",
        "switches do not send their own LID to port 0");
    entries(AuditCode.WRONG_HOST, "leading to an endport that does not own the LID");
    unreachable(AuditCode.UNREACHABLE_CA_CA, 0, "channel adapter", "channel adapter");
    unreachable(AuditCode.UNREACHABLE_SWITCH_CA, 1, "switch", "channel adapter");
    unreachable(AuditCode.UNREACHABLE_CA_SWITCH, 2, "channel adapter", "switch");
    unreachable(AuditCode.UNREACHABLE_SWITCH_SWITCH, 3, "switch", "switch");
  }

  private void unreachable(AuditCode code, int kind, String from, String to) {
    long n = 0;
    for (long part : sweep.failed[kind]) {
      n += part;
    }
    String what = " of " + sweep.pairCount[kind] + " (" + from + ", LID of a " + to + ") pairs ";
    add(code, n, n + what + "are not connected.", sweep.examples.get(code.ordinal()));
  }

  void loops(List<AuditReport.ForwardingLoop> loops) {
    List<String> examples = new ArrayList<>();
    for (AuditReport.ForwardingLoop loop : loops.subList(0, Math.min(keep, loops.size()))) {
      examples.add("LID " + loop.lid() + ": " + loop.path());
    }
    long n = sweep.loops.total;
    String message =
        "Packets run in circles: " + AuditMessages.count(n, "case", "cases") + " of a LID ";
    add(AuditCode.FORWARDING_LOOP, n, message + "and a circle of switches.", examples);
  }

  void creditLoops(AuditReport.CreditLoops ca, AuditReport.CreditLoops all) {
    creditLoop(AuditCode.CREDIT_LOOP, ca, "The routes between channel adapters can deadlock");
    creditLoop(
        AuditCode.CREDIT_LOOP_SWITCHES,
        all,
        "With switches as sources and destinations the routes can deadlock");
  }

  private void creditLoop(AuditCode code, AuditReport.CreditLoops loops, String start) {
    String sets = AuditMessages.count(loops.cyclic(), "set", "sets") + " of channels wait";
    String message =
        start
            + ": "
            + (loops.cyclic() == 1 ? sets + "s" : sets)
            + " in a circle, the largest of "
            + AuditMessages.count(loops.largest(), "channel", "channels")
            + ".";
    add(code, loops.cyclic(), message, loops.cyclic() == 0 ? List.of() : cycle(loops));
  }

  private List<String> cycle(AuditReport.CreditLoops loops) {
    return keep == 0 ? List.of() : List.of(loops.cycle());
  }

  void directions(AuditReport.UpDown upDown) {
    addCounted(
        AuditCode.DOWN_UP_ROUTE,
        upDown.downUpRoutes(),
        "route between channel adapters goes down and then up",
        "routes between channel adapters go down and then up");
    addCounted(
        AuditCode.SAME_LEVEL_ROUTE,
        upDown.sameLevelRoutes(),
        "route between channel adapters uses a link that goes neither up nor down",
        "routes between channel adapters use a link that goes neither up nor down");
  }

  void addresses() {
    Fabric fabric = net.fabric;
    List<String> examples = new ArrayList<>();
    int n = 0;
    for (int p = 0; p < fabric.portIdLimit(); p++) {
      if (fabric.isEndport(p) && fabric.lid(p) == Lid.NONE && n++ < keep) {
        examples.add(AuditMessages.endport(fabric, p));
      }
    }
    int hosts = 0;
    int addressed = 0;
    for (int p = 0; p < fabric.portIdLimit(); p++) {
      boolean host = fabric.isEndport(p) && !fabric.isSwitch(fabric.nodeOf(p));
      hosts += host ? 1 : 0;
      addressed += host && fabric.lid(p) != Lid.NONE ? 1 : 0;
    }
    add(
        AuditCode.NOTHING_CHECKED,
        addressed == 0 ? hosts : 0,
        "None of the "
            + hosts
            + " linked host ports has a LID: no route between hosts was checked.",
        List.of());
    String message = AuditMessages.count(n, "endport has", "endports have") + " no LID.";
    add(AuditCode.ENDPORT_WITHOUT_LID, n, message, examples);
  }

  void components(List<AuditReport.Component> components, long separatedPairs) {
    if (components.size() < 2) {
      return;
    }
    List<String> examples = new ArrayList<>();
    for (AuditReport.Component c : components.subList(0, Math.min(keep, components.size()))) {
      String switches = AuditMessages.count(c.switches(), "switch", "switches");
      String endports = AuditMessages.count(c.caEndports(), "endport", "endports");
      examples.add("with " + c.name() + ": " + switches + ", " + endports);
    }
    String start = "The fabric has " + components.size() + " components";
    if (separatedPairs > 0) {
      String pairs = AuditMessages.count(separatedPairs, "pair", "pairs");
      String message = start + "; " + pairs + " of channel adapters have none in common.";
      add(AuditCode.SPLIT_FABRIC, separatedPairs, message, examples);
    } else {
      String message = start + "; all channel adapters have one in common.";
      add(AuditCode.SEVERAL_COMPONENTS, components.size(), message, examples);
    }
  }

  void staleEntries() {
    entries(AuditCode.STALE_ENTRY, "for a LID that nothing in reach of the switch owns");
  }

  /** Counts links between switches by use. */
  AuditReport.LinkUse links() {
    int links = 0;
    int unused = 0;
    int half = 0;
    List<String> unusedExamples = new ArrayList<>();
    List<String> halfExamples = new ArrayList<>();
    for (int p = 0; p < net.switchPorts; p++) {
      int other = net.peer[p];
      if (net.hop[p] < 0 || other < p) {
        continue;
      }
      links++;
      boolean there = sweep.destinations[p] > 0;
      boolean back = sweep.destinations[other] > 0;
      if (!there && !back && unused++ < keep) {
        unusedExamples.add(link(p, other));
      }
      if (there != back && half++ < keep) {
        halfExamples.add(there ? link(other, p) : link(p, other));
      }
    }
    String unit = AuditMessages.count(unused, "link", "links");
    String message = unit + " of " + links + " between switches carry no route.";
    add(AuditCode.UNUSED_LINK, unused, message, unusedExamples);
    unit = AuditMessages.count(half, "link", "links");
    message = unit + " of " + links + " between switches carry routes in one direction only.";
    add(AuditCode.HALF_USED_LINK, half, message, halfExamples);
    return new AuditReport.LinkUse(links, unused, half);
  }

  /** Machines that one switch cuts off, those where only routes are at fault first. */
  void singlePoints(List<AuditReport.SinglePoint> points) {
    singlePoints(
        points, AuditCode.SINGLE_POINT_OF_FAILURE, false, " by their routes, not by their cables.");
    singlePoints(points, AuditCode.MACHINE_ON_ONE_SWITCH, true, " by their cables.");
  }

  private void singlePoints(
      List<AuditReport.SinglePoint> points, AuditCode code, boolean byCables, String how) {
    List<String> examples = new ArrayList<>();
    int n = 0;
    for (AuditReport.SinglePoint point : points) {
      if (point.byCables() == byCables && n++ < keep) {
        examples.add(
            point.machine() + ", " + point.ports() + " ports: all behind " + point.switchName());
      }
    }
    String machines = AuditMessages.count(n, "machine", "machines");
    add(
        code,
        n,
        machines + " with several ports " + (n == 1 ? "hangs" : "hang") + " on one switch" + how,
        examples);
  }

  private String link(int from, int to) {
    return AuditMessages.port(net.fabric, from) + " -> " + AuditMessages.port(net.fabric, to);
  }
}
