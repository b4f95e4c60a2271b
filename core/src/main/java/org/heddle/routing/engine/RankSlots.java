package org.heddle.routing.engine;

import java.util.Arrays;

/**
 * Slots by rank, for a caller's order of hosts: {@link HostSlots#byRank}, with what tables of any
 * tree need besides, and improved by an {@link ExchangeTuner} if asked.
 */
final class RankSlots implements SlotChooser {
  private final RankedLids ranked;
  private final boolean tuned;

  /**
   * A chooser.
   *
   * @param tuned true to let an {@link ExchangeTuner} improve what the ranks give
   */
  RankSlots(RankedLids ranked, boolean tuned) {
    this.ranked = ranked;
    this.tuned = tuned;
  }

  @Override
  public SlotPlan choose(TreeGraph graph, Destinations dest, LeafHosts hosts) {
    SlotPlan plan = new SlotPlan(graph, dest.topLid, true);
    int[][] slot = new HostSlots(graph, dest, hosts).byRank(ranked);
    System.arraycopy(slot, 0, plan.slot, 0, slot.length);
    for (int lid : dest.lids) {
      if (dest.portOf[lid] != 0) {
        follow(graph, plan, dest.switchOf[lid], lid);
      }
    }
    if (tuned) {
      ExchangeTuner.tune(graph, dest, plan, ranked.rank);
    }
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
