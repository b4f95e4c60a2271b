package org.heddle.routing.metabase;

import java.util.Arrays;
import org.heddle.routing.tree.CountingSlots;
import org.heddle.routing.tree.Destinations;
import org.heddle.routing.tree.LeafHosts;
import org.heddle.routing.tree.SlotPlan;
import org.heddle.routing.tree.TreeGraph;

/**
 * The columns for which phase I of a {@link Metabase} makes tables: the slots of each leaf, then
 * all LIDs of other switches. Column 0 is unused. On a regular tree the slots of leaves need no
 * tables.
 */
final class MetabaseColumns {
  final int slots;
  final int firstOther;
  final int[] others;
  final int count;
  private final TreeGraph graph;
  private final Destinations dest;
  private final LeafHosts hosts;
  private final int leaves; // that have columns

  /**
   * Numbers columns.
   *
   * @param regular true: leaves have none
   */
  MetabaseColumns(TreeGraph graph, Destinations dest, LeafHosts hosts, boolean regular) {
    this.graph = graph;
    this.dest = dest;
    this.hosts = hosts;
    leaves = regular ? 0 : hosts.leaves;
    int most = 1;
    for (int l = 1; l <= graph.levels; l++) {
      most = Math.max(most, graph.slots[l]);
    }
    slots = most;
    boolean[] atLeaf = new boolean[dest.topLid + 1];
    int n = hosts.start[hosts.leaves];
    for (int j = 0; j < n; j++) {
      atLeaf[hosts.lids[j]] = true;
    }
    int[] rest = new int[dest.lids.length];
    int k = 0;
    for (int lid : dest.lids) {
      if (!atLeaf[lid]) {
        rest[k++] = lid;
      }
    }
    others = Arrays.copyOf(rest, k);
    firstOther = 1 + leaves * slots;
    count = firstOther + k;
  }

  boolean isRegular() {
    return leaves < hosts.leaves;
  }

  /** By leaf: a column for which every switch above the leaf has the port that leads down to it. */
  int[] downColumns() {
    int[] out = new int[hosts.leaves];
    if (!isRegular()) {
      Arrays.setAll(out, i -> 1 + i * slots);
      return out;
    }
    int[] own = new int[graph.switches];
    for (int k = 0; k < others.length; k++) {
      if (dest.portOf[others[k]] == 0) {
        own[dest.switchOf[others[k]]] = firstOther + k;
      }
    }
    Arrays.setAll(out, i -> own[hosts.switches[i]]);
    return out;
  }

  Destinations destinations() {
    int[] switchOf = new int[count];
    byte[] portOf = new byte[count];
    switchOf[0] = Destinations.NOWHERE;
    for (int i = 0; i < leaves; i++) {
      Arrays.fill(switchOf, 1 + i * slots, 1 + (i + 1) * slots, hosts.switches[i]);
      Arrays.fill(portOf, 1 + i * slots, 1 + (i + 1) * slots, (byte) 1);
    }
    for (int k = 0; k < others.length; k++) {
      switchOf[firstOther + k] = dest.switchOf[others[k]];
      portOf[firstOther + k] = dest.portOf[others[k]];
    }
    return new Destinations(graph.switches, switchOf, portOf);
  }

  SlotPlan plan(Destinations ways) {
    SlotPlan plan = new SlotPlan(graph, count - 1, true);
    int[][] sequence = new int[leaves][slots];
    for (int i = 0; i < leaves; i++) {
      int leaf = hosts.switches[i];
      for (int t = 0; t < slots; t++) {
        int c = 1 + i * slots + t;
        sequence[i][t] = c;
        plan.leadTo(graph, c, 1, leaf, c);
        for (int l = Math.max(1, graph.level[leaf]); l <= graph.levels; l++) {
          if (graph.slots[l] > 0) {
            plan.slot[l][c] = t % graph.slots[l];
          }
        }
      }
    }
    CountingSlots.spreadDisplaced(graph, plan, sequence);
    long[] channel = new long[graph.slotParent.length];
    long[] through = new long[graph.switches];
    for (int c = firstOther; c < count; c++) {
      if (ways.portOf[c] != 0) {
        plan.leadTo(graph, c, 1, ways.switchOf[c], c);
        CountingSlots.climb(graph, plan, ways.switchOf[c], c, channel, through, 1);
      }
    }
    CountingSlots.routeSwitches(graph, ways, plan);
    return plan;
  }
}
