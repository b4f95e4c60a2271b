package org.heddle.topology;

import java.util.ArrayList;
import java.util.List;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.NodeType;
import org.heddle.topology.generate.FabricExtras;
import org.heddle.topology.generate.Names;

/** Findings about a fabric and its tree; the codes are listed in {@code docs/topology.md}. */
final class TreeReport {
  private static final int MAX_EACH = 20;

  private TreeReport() {}

  /** Links of a component whose ends are not on adjacent levels, both ends named. */
  static List<TreeFinding> ignoredLinks(SwitchGraph graph, int[] members, int[] level) {
    Capped out = new Capped("same-level-link", "stray links");
    for (int s : members) {
      for (int e = graph.start[s]; e < graph.start[s + 1]; e++) {
        int other = graph.peer[e];
        int difference = level[s] - level[other];
        if (Math.abs(difference) == 1 || e > graph.twin[e]) {
          continue;
        }
        String code = difference == 0 ? "same-level-link" : "level-skipping-link";
        String text =
            difference == 0
                ? "link inside level " + level[s] + ": "
                : "link between levels " + level[s] + " and " + level[other] + ": ";
        out.add(code, text + graph.describe(e), s, graph.fabric.numberOf(graph.port[e]));
      }
    }
    return out.list();
  }

  /** What is odd whatever the tree is: loopbacks, hosts cabled to hosts, routers. */
  static List<TreeFinding> oddities(SwitchGraph graph) {
    Fabric fabric = graph.fabric;
    Capped loops = new Capped("self-cable", "self-cabled ports");
    Capped direct = new Capped("host-to-host", "hosts cabled to hosts");
    int aggregation = 0;
    for (int node = 0; node < fabric.nodeCount(); node++) {
      boolean isSwitch = fabric.isSwitch(node);
      aggregation +=
          fabric.nodeType(node) == NodeType.CA && FabricExtras.isAggregationNode(fabric, node)
              ? 1
              : 0;
      for (int k = 1; k <= fabric.portCount(node); k++) {
        int port = fabric.port(node, k);
        int peer = fabric.peer(port);
        if (peer < port) {
          continue; // NONE is below every port
        }
        if (isSwitch && fabric.nodeOf(peer) == node) {
          String text = "cable from a switch to itself: " + cable(fabric, port);
          loops.add("self-cable", text, node, k);
        } else if (!isSwitch && !fabric.isSwitch(fabric.nodeOf(peer))) {
          String text = "cable without a switch: " + cable(fabric, port);
          direct.add("host-to-host", text, node, k);
        }
      }
    }
    List<TreeFinding> out = new ArrayList<>(loops.list());
    out.addAll(direct.list());
    if (aggregation > 0) {
      out.add(
          new TreeFinding(
              "aggregation-nodes",
              aggregation == 1
                  ? "1 aggregation node; it does not make its switch a leaf"
                  : aggregation + " aggregation nodes; they do not make their switches leaves",
              Fabric.NONE,
              0));
    }
    if (fabric.routerCount() > 0) {
      out.add(
          new TreeFinding(
              "routers",
              fabric.routerCount() == 1
                  ? "1 router; it does not count as a host"
                  : fabric.routerCount() + " routers; they do not count as hosts",
              Fabric.NONE,
              0));
    }
    return out;
  }

  private static String cable(Fabric fabric, int port) {
    return Names.port(fabric, port) + " - " + Names.port(fabric, fabric.peer(port));
  }

  /** What a recognised tree has: hosts above the leaves, empty leaves, planes, damage. */
  static List<TreeFinding> of(SwitchGraph graph, FatTree tree) {
    List<TreeFinding> out = new ArrayList<>(upperHosts(graph, tree));
    Capped empty = new Capped("leaf-without-hosts", "leaves without hosts");
    for (int i = 0; i < tree.leafCount(); i++) {
      int leaf = tree.leaf(i);
      if (graph.hosts[leaf] == 0) {
        empty.add("leaf-without-hosts", Names.node(graph.fabric, leaf) + " has no hosts", leaf, 0);
      }
    }
    out.addAll(empty.list());
    if (tree.planeCount() > 1) {
      out.addAll(planes(graph, tree));
    }
    tree.fit().ifPresent(fit -> out.addAll(shape(fit)));
    return out;
  }

  private static List<TreeFinding> upperHosts(SwitchGraph graph, FatTree tree) {
    Capped out = new Capped("upper-hosts", "switches above the leaves with hosts");
    Fabric fabric = graph.fabric;
    for (int s = 0; s < graph.switches; s++) {
      if (tree.level(s) < 2 || graph.hosts[s] == 0) {
        continue;
      }
      int k = 1;
      while (!SwitchGraph.isHost(fabric, fabric.peerNode(fabric.port(s, k)))) {
        k++;
      }
      String first = Names.node(fabric, fabric.peerNode(fabric.port(s, k)));
      out.add(
          "upper-hosts",
          Names.node(fabric, s)
              + " of level "
              + tree.level(s)
              + " has "
              + (graph.hosts[s] == 1 ? "a host: " : graph.hosts[s] + " hosts, the first is ")
              + first
              + " on port "
              + k,
          s,
          k);
    }
    return out.list();
  }

  private static List<TreeFinding> planes(SwitchGraph graph, FatTree tree) {
    Capped out = new Capped("plane", "planes");
    int[] switches = new int[tree.planeCount()];
    int[] leaves = new int[switches.length];
    int[] hosts = new int[switches.length];
    int[] first = new int[switches.length];
    for (int s = graph.switches - 1; s >= 0; s--) {
      if (tree.level(s) == 0) {
        continue;
      }
      int p = tree.plane(s);
      switches[p]++;
      hosts[p] += graph.hosts[s];
      leaves[p] += tree.isLeaf(s) ? 1 : 0;
      first[p] = s;
    }
    for (int p = 0; p < switches.length; p++) {
      out.add(
          "plane",
          "plane "
              + (p + 1)
              + " of "
              + switches.length
              + ": height "
              + tree.planeLevels(p)
              + ", "
              + Counted.of(switches[p], "switch", "switches")
              + ", "
              + Counted.of(leaves[p], "leaf", "leaves")
              + ", "
              + Counted.of(hosts[p], "host port", "host ports")
              + "; has "
              + Names.node(graph.fabric, first[p]),
          first[p],
          0);
    }
    return out.list();
  }

  private static List<TreeFinding> shape(ShapeFit fit) {
    List<TreeFinding> out = new ArrayList<>();
    for (ShapeFit.LevelDamage d : fit.damage()) {
      int about = d.examples().isEmpty() ? Fabric.NONE : d.examples().getFirst().node();
      String examples = d.examples().isEmpty() ? "" : "; e.g. " + d.examples().getFirst().message();
      if (d.missingSwitches() > 0) {
        out.add(
            new TreeFinding(
                "missing-switches",
                "level "
                    + (d.level() + 1)
                    + " has "
                    + d.switches()
                    + " of the "
                    + Counted.of(d.expectedSwitches(), "switch", "switches")
                    + " of "
                    + fit.shape(),
                Fabric.NONE,
                0));
      }
      if (d.missingLinks() > 0) {
        out.add(
            new TreeFinding(
                d.level() == 0 ? "missing-hosts" : "missing-links",
                d.missingLinks()
                    + " of "
                    + d.expectedLinks()
                    + (d.level() == 0
                        ? " host links"
                        : " links between levels " + d.level() + " and " + (d.level() + 1))
                    + " missing"
                    + examples,
                about,
                0));
      }
    }
    for (String note : fit.notes()) {
      out.add(new TreeFinding("shape", note + " (" + fit.shape() + ")", Fabric.NONE, 0));
    }
    return out;
  }

  /** A list that ends in a count instead of growing without limit. */
  private static final class Capped {
    private final String code;
    private final String what;
    private final List<TreeFinding> list = new ArrayList<>();
    private int more;

    Capped(String code, String what) {
      this.code = code;
      this.what = what;
    }

    void add(String findingCode, String message, int node, int port) {
      if (list.size() < MAX_EACH) {
        list.add(new TreeFinding(findingCode, message, node, port));
      } else {
        more++;
      }
    }

    List<TreeFinding> list() {
      if (more > 0) {
        list.add(new TreeFinding(code, "and " + more + " more " + what, Fabric.NONE, 0));
        more = 0;
      }
      return list;
    }
  }
}
