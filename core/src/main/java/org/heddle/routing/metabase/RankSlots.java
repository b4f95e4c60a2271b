package org.heddle.routing.metabase;

import java.util.Arrays;
import org.heddle.routing.tree.CountingSlots;
import org.heddle.routing.tree.Destinations;
import org.heddle.routing.tree.LeafHosts;
import org.heddle.routing.tree.SlotChooser;
import org.heddle.routing.tree.SlotPlan;
import org.heddle.routing.tree.TreeGraph;

/**
 * Slots by rank, for a caller's order of hosts: {@link HostSlots#byRank}, improved by an {@link
 * ExchangeTuner}, with everything else that tables of any tree need.
 */
final class RankSlots implements SlotChooser {
  private final RankedLids ranked;

  RankSlots(RankedLids ranked) {
    this.ranked = ranked;
  }

  @Override
  public SlotPlan choose(TreeGraph graph, Destinations dest, LeafHosts hosts) {
    return choose(graph, dest, hosts, new HostSlots(graph, dest, hosts).byRank(ranked));
  }

  /** The same, from the slots that the ranks give; the arrays are used. */
  SlotPlan choose(TreeGraph graph, Destinations dest, LeafHosts hosts, int[][] slot) {
    SlotPlan plan = new SlotPlan(graph, dest.topLid, true);
    System.arraycopy(slot, 0, plan.slot, 0, slot.length);
    for (int lid : dest.lids) {
      if (dest.portOf[lid] != 0) {
        follow(graph, plan, dest.switchOf[lid], lid);
      }
    }
    ExchangeTuner.tune(graph, dest, plan, ranked.rank);
    int[][] sequence = new int[hosts.switches.length][];
    for (int i = 0; i < sequence.length; i++) {
      sequence[i] = Arrays.copyOfRange(hosts.lids, hosts.start[i], hosts.start[i + 1]);
    }
    CountingSlots.spreadDisplaced(graph, plan, sequence);
    CountingSlots.routeSwitches(graph, dest, plan);
    return plan;
  }

  /** Notes which switches the slots of a host lead over. */
  private static void follow(TreeGraph graph, SlotPlan plan, int from, int lid) {
    int at = from;
    plan.leadTo(graph, lid, 1, at, lid);
    plan.main[Math.max(1, graph.level[at])][lid] = at;
    while (graph.upStart[at] < graph.upStart[at + 1]) {
      int parent = graph.slotParent[graph.slotBase[at] + plan.slot[graph.level[at]][lid]];
      plan.main[graph.level[parent]][lid] = parent;
      plan.leadTo(graph, lid, graph.level[at] + 1, parent, lid);
      at = parent;
    }
  }
}
