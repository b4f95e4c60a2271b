package org.heddle.routing.engine;

import java.util.Arrays;
import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;

/**
 * Slots by rank, for a caller's order of hosts (Zahid, thesis, paper IV, section 8): at level l the
 * host of rank r takes slot floor(r / hosts of a sub-tree of height l-1) mod (up-links), unless
 * that channel has its share of destinations already; then the least loaded one. Where ranks are
 * contiguous on leaves and sub-trees, every permutation that shifts ranks, or flips bits of them,
 * then uses every channel at most once on a tree that is not oversubscribed. Hosts without rank
 * follow by counters, as with {@link CountingSlots}.
 */
final class RankSlots implements SlotChooser {
  private static final int NO_RANK = -1;

  private final int[] rank; // by LID

  private final boolean tuned;

  /**
   * A chooser.
   *
   * @param rank see {@link #ranks}
   * @param tuned true to let an {@link ExchangeTuner} improve what the ranks give
   */
  RankSlots(int[] rank, boolean tuned) {
    this.rank = rank;
    this.tuned = tuned;
  }

  /**
   * Ranks by LID, -1 for none: position of the node or port GUID in the order. The first mention
   * counts; all ports of a node, and all LIDs of a port, have the same rank.
   */
  static int[] ranks(Fabric fabric, List<Guid> order) {
    int[] out = new int[fabric.topLid() + 1];
    Arrays.fill(out, NO_RANK);
    int next = 0;
    for (Guid guid : order) {
      int port = fabric.findPort(guid.value());
      int node = fabric.findNode(guid.value());
      if (port == Fabric.NONE && node == Fabric.NONE) {
        continue;
      }
      int from = port != Fabric.NONE ? port : fabric.port(node, 0);
      int to = port != Fabric.NONE ? port : from + fabric.portCount(node);
      boolean isNew = false;
      for (int p = from; p <= to; p++) {
        int lid = fabric.lid(p);
        if (lid != 0 && out[lid] == NO_RANK) {
          Arrays.fill(out, lid, lid + (1 << fabric.lmc(p)), next);
          isNew = true;
        }
      }
      next += isNew ? 1 : 0;
    }
    return out;
  }

  @Override
  public SlotPlan choose(TreeGraph graph, Destinations dest, LeafHosts hosts) {
    SlotPlan plan = new SlotPlan(graph, dest.topLid, true);
    long[] channel = new long[graph.slotParent.length];
    long[] through = new long[graph.switches];
    int[] share = shares(graph, dest, hosts);
    int[] divisor = divisors(graph, dest);
    int[] offset = new int[dest.topLid + 1]; // of a LID in the range of its port
    for (int lid = 1; lid <= dest.topLid; lid++) {
      boolean same = rank[lid] != NO_RANK && rank[lid] == rank[lid - 1];
      offset[lid] = same && dest.switchOf[lid] == dest.switchOf[lid - 1] ? offset[lid - 1] + 1 : 0;
    }
    for (int lid : byRank(dest)) {
      int at = dest.switchOf[lid];
      plan.leadTo(graph, lid, 1, at, lid);
      climb(graph, plan, at, lid, offset[lid], divisor, share, channel, through);
    }
    if (tuned) {
      ExchangeTuner.tune(graph, dest, plan, rank);
    }
    int[][] sequence = new int[hosts.switches.length][];
    for (int i = 0; i < sequence.length; i++) {
      sequence[i] = Arrays.copyOfRange(hosts.lids, hosts.start[i], hosts.start[i + 1]);
      for (int lid : sequence[i]) {
        if (rank[lid] == NO_RANK) {
          plan.leadTo(graph, lid, 1, hosts.switches[i], lid);
          CountingSlots.climb(graph, plan, hosts.switches[i], lid, channel, through, 1);
        }
      }
    }
    CountingSlots.spreadDisplaced(graph, plan, sequence);
    CountingSlots.routeSwitches(graph, dest, plan);
    return plan;
  }

  /** LIDs of hosts that have a rank, by rank, then by LID. */
  private int[] byRank(Destinations dest) {
    long[] keys = new long[dest.lids.length];
    int n = 0;
    for (int lid : dest.lids) {
      if (dest.portOf[lid] != 0 && rank[lid] != NO_RANK) {
        keys[n++] = (long) rank[lid] << 32 | lid;
      }
    }
    Arrays.sort(keys, 0, n);
    int[] out = new int[n];
    for (int i = 0; i < n; i++) {
      out[i] = (int) keys[i];
    }
    return out;
  }

  private static int[] shares(TreeGraph graph, Destinations dest, LeafHosts hosts) {
    int[] reach = new int[dest.topLid + 1];
    for (int lid : hosts.lids) {
      reach[lid] = graph.levels;
    }
    return SubtreeCeilings.of(graph, dest, reach);
  }

  /** Ranks below the switch of level l-1 that has most of them; by level l. */
  private int[] divisors(TreeGraph graph, Destinations dest) {
    int[] ranked = new int[graph.switches];
    for (int lid : dest.lids) {
      boolean first = lid == 0 || rank[lid] != rank[lid - 1];
      ranked[dest.switchOf[lid]] += rank[lid] != NO_RANK && first ? 1 : 0;
    }
    int[] out = new int[graph.levels + 2];
    Arrays.fill(out, 1);
    for (int s : graph.rising) { // children first
      for (int g = graph.downStart[s]; g < graph.downStart[s + 1]; g++) {
        ranked[s] += ranked[graph.downChild[g]];
      }
      out[graph.level[s] + 1] = Math.max(out[graph.level[s] + 1], ranked[s]);
    }
    out[1] = 1;
    return out;
  }

  private void climb(
      TreeGraph graph,
      SlotPlan plan,
      int from,
      int lid,
      int offset,
      int[] divisor,
      int[] share,
      long[] channel,
      long[] through) {
    int at = from;
    plan.main[Math.max(1, graph.level[at])][lid] = at;
    while (graph.upStart[at] < graph.upStart[at + 1]) {
      int l = graph.level[at];
      int base = graph.slotBase[at];
      int t = (rank[lid] / divisor[l] + offset) % graph.slots[l];
      if (graph.slotParent[base + t] < 0 || channel[base + t] >= share[at]) {
        t = CountingSlots.leastLoaded(graph, at, channel, through);
      }
      int parent = graph.slotParent[base + t];
      channel[base + t]++;
      through[parent]++;
      plan.slot[l][lid] = t;
      plan.main[graph.level[parent]][lid] = parent;
      plan.leadTo(graph, lid, l + 1, parent, lid);
      at = parent;
    }
  }
}
