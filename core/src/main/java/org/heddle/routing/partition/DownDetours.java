package org.heddle.routing.partition;

import org.heddle.routing.tree.LeafHosts;
import org.heddle.routing.tree.SlotPlan;
import org.heddle.routing.tree.TreeGraph;

/**
 * Detours on a damaged tree: how traffic reaches a host from switches that lack the host's slot. It
 * comes down the channel of the host's own path that is least loaded at that point, detours
 * counted. One detour for each host and level, whichever switch it is that needs it; hosts whose
 * slot nobody lacks need none. O(LIDs * slots + links).
 */
final class DownDetours {
  private final TreeGraph graph;
  private final SlotPlan plan;
  private final long[] load;

  /**
   * For a plan whose hosts are routed.
   *
   * @param load by slot index; detours are added to it
   */
  DownDetours(TreeGraph graph, SlotPlan plan, long[] load) {
    this.graph = graph;
    this.plan = plan;
    this.load = load;
  }

  /** Chooses detours for the LIDs of the leaves, in order, that climb. */
  void choose(LeafHosts hosts, Climbers climbers, boolean weighted) {
    for (int l = 1; l < graph.levels; l++) {
      boolean[] lacking = lacking(l);
      for (int lid : hosts.lids) {
        if (climbers.reach[lid] > l && plan.main[l][lid] >= 0 && lacking[plan.slot[l][lid]]) {
          detour(l, lid, weighted ? climbers.weight(lid, l) : 1);
        }
      }
    }
  }

  /** Slots that some switch of the level does not have. */
  private boolean[] lacking(int l) {
    boolean[] out = new boolean[graph.slots[l]];
    for (int s = 0; s < graph.switches; s++) {
      for (int t = 0; t < out.length && graph.level[s] == l; t++) {
        out[t] |= graph.slotParent[graph.slotBase[s] + t] < 0;
      }
    }
    return out;
  }

  private void detour(int l, int lid, int weight) {
    int base = graph.slotBase[plan.main[l][lid]];
    int n = graph.slots[l];
    int own = plan.slot[l][lid];
    int best = -1;
    for (int i = 1; i < n; i++) {
      int t = (own + i) % n;
      if (graph.slotParent[base + t] >= 0 && (best < 0 || load[base + t] < load[base + best])) {
        best = t;
      }
    }
    if (best >= 0) {
      plan.key[l][lid] = best;
      load[base + best] += weight;
    }
  }
}
