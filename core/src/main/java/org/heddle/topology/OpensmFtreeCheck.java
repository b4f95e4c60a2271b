package org.heddle.topology;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.fabric.NodeType;
import org.heddle.topology.generate.Names;

/**
 * Says whether OpenSM's ftree engine would accept a fabric, and if not, why.
 *
 * <p>OpenSM stops at the first obstacle, logs it (often at a level nobody sees) and routes with
 * minhop instead. This check follows its order and conditions ({@code osm_ucast_ftree.c}, function
 * {@code construct_fabric}) but goes on, so that all obstacles are known; the first finding is the
 * one OpenSM stops at. Ranks count from the roots, 0 being the root, as in OpenSM's log. Every
 * channel adapter is a compute node for it, aggregation nodes included, unless a file says
 * otherwise; such files are not considered.
 *
 * <p>One difference: OpenSM compares the number of ports of a group with the first group of the
 * first switch of the rank; groups that differ anywhere in a rank are reported here. O(ports).
 */
public final class OpensmFtreeCheck {
  private static final int MIN_RANK = 2;
  private static final int MAX_RANK = 8;
  private static final int MAX_EACH = 5;

  private final Fabric fabric;
  private final SwitchGraph graph;
  private final List<TreeFinding> out = new ArrayList<>();
  private final int[] rank;
  private int maxRank;

  private OpensmFtreeCheck(Fabric fabric) {
    this.fabric = fabric;
    this.graph = new SwitchGraph(fabric);
    this.rank = new int[fabric.switchCount()];
  }

  /**
   * Obstacles in OpenSM's order; empty if ftree would route the fabric.
   *
   * @param roots content of the root GUID file; empty if OpenSM has none, and then the tree must be
   *     regular
   */
  public static List<TreeFinding> check(Fabric fabric, List<Guid> roots) {
    OpensmFtreeCheck check = new OpensmFtreeCheck(fabric);
    check.run(roots);
    return List.copyOf(check.out);
  }

  private void run(List<Guid> roots) {
    checkLmc();
    checkCounts();
    checkHostCables();
    if (fabric.switchCount() == 0) {
      return;
    }
    boolean ranked = roots.isEmpty() ? rankFromHosts() : rankFromRoots(roots);
    if (!ranked) {
      return;
    }
    checkRanks();
    if (roots.isEmpty()) {
      checkGroups();
    }
  }

  private void add(String code, String message, int node, int port) {
    out.add(new TreeFinding(code, message, node, port));
  }

  private void checkLmc() {
    for (int port = 0; port < fabric.portIdLimit(); port++) {
      if (fabric.lmc(port) > 0) {
        add(
            "opensm-lmc",
            "LMC " + fabric.lmc(port) + " at " + Names.port(fabric, port) + "; ftree wants 0",
            fabric.nodeOf(port),
            fabric.numberOf(port));
        return;
      }
    }
  }

  private void checkCounts() {
    if (fabric.switchCount() < 2) {
      add(
          "opensm-few-switches",
          "fewer than 2 switches: " + fabric.switchCount(),
          fabric.switchCount() - 1,
          0);
    }
    if (fabric.caCount() < 2) {
      add("opensm-few-hosts", "fewer than 2 channel adapters: " + fabric.caCount(), Fabric.NONE, 0);
    }
  }

  private void checkHostCables() {
    for (int node = fabric.switchCount(); node < fabric.nodeCount(); node++) {
      for (int k = 1; k <= fabric.portCount(node); k++) {
        int port = fabric.port(node, k);
        int other = fabric.peerNode(port);
        boolean direct =
            fabric.peer(port) >= port
                && fabric.nodeType(node) == NodeType.CA
                && fabric.nodeType(other) == NodeType.CA;
        if (direct) {
          add(
              "opensm-host-to-host",
              "channel adapters cabled to each other (AB0F): "
                  + Names.port(fabric, port)
                  + " - "
                  + Names.port(fabric, fabric.peer(port)),
              node,
              k);
        }
      }
    }
  }

  private boolean rankFromHosts() {
    boolean[] source = new boolean[rank.length];
    boolean any = false;
    for (int s = 0; s < rank.length; s++) {
      source[s] = firstHostPort(s) > 0;
      any |= source[s];
    }
    if (!any) {
      add("opensm-no-compute-nodes", "no switch has a channel adapter", Fabric.NONE, 0);
      return false;
    }
    search(source);
    for (int s = 0; s < rank.length; s++) {
      rank[s] = rank[s] == Fabric.NONE ? Fabric.NONE : maxRank - rank[s];
    }
    return true;
  }

  private boolean rankFromRoots(List<Guid> roots) {
    boolean[] source = new boolean[rank.length];
    boolean any = false;
    boolean compute = false;
    for (Guid guid : roots) {
      int node = fabric.findNode(guid.value());
      if (fabric.isSwitch(node)) {
        source[node] = true;
        any = true;
      }
    }
    for (int s = 0; s < rank.length; s++) {
      compute |= firstHostPort(s) > 0;
    }
    if (!any) {
      add("opensm-no-roots", "no given root is a switch of the fabric (AB25)", Fabric.NONE, 0);
    } else if (!compute) {
      add("opensm-no-compute-nodes", "no switch has a channel adapter", Fabric.NONE, 0);
    }
    search(source);
    return any && compute;
  }

  private void search(boolean[] source) {
    int[] queue = new int[rank.length];
    int tail = 0;
    maxRank = 0;
    for (int s = 0; s < rank.length; s++) {
      rank[s] = source[s] ? 0 : Fabric.NONE;
      if (source[s]) {
        queue[tail++] = s;
      }
    }
    for (int head = 0; head < tail; head++) {
      int s = queue[head];
      maxRank = Math.max(maxRank, rank[s]);
      for (int e = graph.start[s]; e < graph.start[s + 1]; e++) {
        if (rank[graph.peer[e]] == Fabric.NONE) {
          rank[graph.peer[e]] = rank[s] + 1;
          queue[tail++] = graph.peer[e];
        }
      }
    }
  }

  /** Number of the first port with a channel adapter, 0 if there is none. */
  private int firstHostPort(int sw) {
    for (int k = 1; k <= fabric.portCount(sw); k++) {
      int node = fabric.peerNode(fabric.port(sw, k));
      if (node != Fabric.NONE && fabric.nodeType(node) == NodeType.CA) {
        return k;
      }
    }
    return 0;
  }

  private void checkRanks() {
    int sideLinks = 0;
    for (int s = 0; s < rank.length; s++) {
      if (rank[s] == Fabric.NONE) {
        add(
            "opensm-unreached-switch",
            Names.node(fabric, s) + " cannot be reached from the roots or hosts by links",
            s,
            0);
        continue;
      }
      for (int e = graph.start[s]; e < graph.start[s + 1]; e++) {
        int other = graph.peer[e];
        if (e < graph.twin[e] && rank[other] == rank[s] && sideLinks++ < MAX_EACH) {
          add(
              "opensm-same-rank-link",
              "link between switches of the same rank " + rank[s] + ": " + graph.describe(e),
              s,
              fabric.numberOf(graph.port[e]));
        }
      }
    }
    int leafRank = leafRank();
    if (leafRank + 1 < MIN_RANK || leafRank + 1 > MAX_RANK) {
      String note = maxRank == 0 && rank.length > 1 ? " (AB2B: every switch has hosts)" : "";
      add(
          "opensm-rank",
          "tree rank " + (leafRank + 1) + " is outside " + MIN_RANK + ".." + MAX_RANK + note,
          Fabric.NONE,
          0);
    }
    int wrong = 0;
    for (int s = 0; s < rank.length; s++) {
      int k = firstHostPort(s);
      if (k > 0 && rank[s] != Fabric.NONE && rank[s] != leafRank && wrong++ < MAX_EACH) {
        add(
            "opensm-hosts-at-other-rank",
            "port "
                + k
                + " of "
                + Names.node(fabric, s)
                + ", rank "
                + rank[s]
                + ", has "
                + Names.node(fabric, fabric.peerNode(fabric.port(s, k)))
                + ", while the leaf rank is "
                + leafRank
                + " (AB26)",
            s,
            k);
      }
    }
  }

  // Without roots all switches with hosts get the highest rank. With roots OpenSM takes the rank of
  // the switch of the first compute node by GUID.
  private int leafRank() {
    for (int node = fabric.switchCount(); node < fabric.nodeCount(); node++) {
      for (int k = 1; k <= fabric.portCount(node); k++) {
        int sw = fabric.peerNode(fabric.port(node, k));
        if (fabric.nodeType(node) == NodeType.CA
            && fabric.isSwitch(sw)
            && rank[sw] != Fabric.NONE) {
          return rank[sw];
        }
      }
    }
    return maxRank;
  }

  private void checkGroups() {
    int[] level = new int[rank.length];
    for (int s = 0; s < rank.length; s++) {
      level[s] = rank[s] == Fabric.NONE ? 0 : maxRank - rank[s] + 1;
    }
    PortGroups up = PortGroups.of(graph, level, 1);
    PortGroups down = PortGroups.of(graph, level, -1);
    int[] reference = new int[maxRank + 1];
    Arrays.fill(reference, Fabric.NONE);
    boolean[] done = new boolean[4 * (maxRank + 1)]; // one message a rank and kind
    for (int s = 0; s < rank.length; s++) {
      int r = rank[s];
      if (r == Fabric.NONE) {
        continue;
      }
      if (reference[r] == Fabric.NONE) {
        reference[r] = s;
      }
      int ref = reference[r];
      compare(done, 4 * r, "AB09", "upward groups", ref, up.count(ref), s, up.count(s));
      compareSizes(done, 4 * r + 1, "AB0B", "an upward group", up, ref, s);
      if (r != maxRank) {
        compare(done, 4 * r + 2, "AB0A", "downward groups", ref, down.count(ref), s, down.count(s));
        compareSizes(done, 4 * r + 3, "AB0C", "a downward group", down, ref, s);
      }
    }
  }

  private void compareSizes(
      boolean[] done, int at, String error, String what, PortGroups groups, int ref, int s) {
    for (int g = 0; g < groups.count(s) && groups.count(ref) > 0; g++) {
      compare(done, at, error, "ports in " + what, ref, groups.size(ref, 0), s, groups.size(s, g));
    }
  }

  private void compare(
      boolean[] done, int at, String error, String what, int ref, int wanted, int s, int found) {
    if (found == wanted || done[at]) {
      return;
    }
    done[at] = true;
    add(
        "opensm-unequal-groups",
        "different numbers of "
            + what
            + " at rank "
            + rank[s]
            + " ("
            + error
            + "): "
            + wanted
            + " at "
            + Names.node(fabric, ref)
            + ", "
            + found
            + " at "
            + Names.node(fabric, s),
        s,
        0);
  }
}
