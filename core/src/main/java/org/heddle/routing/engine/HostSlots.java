package org.heddle.routing.engine;

import java.util.Arrays;

/**
 * Chooses the up slots of hosts at every level, and nothing else: what phase II of a {@link
 * Metabase} needs of a {@link SlotPlan}. What does not depend on an order is worked out once.
 *
 * <p>{@link #counting} is the choice of {@link CountingSlots} without an order. {@link #byRank} is
 * that of Zahid, thesis, paper IV, section 8: at level l the host of rank r takes slot floor(r /
 * hosts of a sub-tree of height l-1) mod (up-links), unless that channel has its share of
 * destinations already; then the least loaded one. Where ranks are contiguous on leaves and
 * sub-trees, every permutation that shifts ranks, or flips bits of them, then uses every channel at
 * most once on a tree that is not oversubscribed. Hosts without rank follow by counters.
 *
 * <p>Immutable and safe for several threads.
 */
final class HostSlots {
  private final TreeGraph graph;
  private final Destinations dest;
  private final LeafHosts hosts;
  private final int[] share; // by switch: destinations that a channel from above need carry at most

  HostSlots(TreeGraph graph, Destinations dest, LeafHosts hosts) {
    this.graph = graph;
    this.dest = dest;
    this.hosts = hosts;
    int[] reach = new int[dest.topLid + 1];
    for (int lid : hosts.lids) {
      reach[lid] = graph.levels;
    }
    share = SubtreeCeilings.of(graph, dest, reach);
  }

  /** Slots by level and LID, null for levels without any. O(hosts * levels * slots). */
  int[][] counting() {
    Climb climb = new Climb();
    for (int i = 0; i < hosts.switches.length; i++) {
      for (int j = hosts.start[i]; j < hosts.start[i + 1]; j++) {
        climb.byCounters(hosts.lids[j], hosts.switches[i]);
      }
    }
    return climb.slot;
  }

  /** Slots by level and LID, null for levels without any. O(hosts * levels * slots) at most. */
  int[][] byRank(RankedLids ranked) {
    Climb climb = new Climb();
    int[] divisor = divisors(ranked);
    int[] slotOf = new int[graph.levels + 1]; // floor(rank / divisor) mod slots, counted on
    int[] left = divisor.clone(); // ranks until it changes
    int[] rank = ranked.rank;
    int now = 0;
    int before = 0;
    int offset = 0; // of a LID in the range of its port
    for (int lid : ranked.lids) {
      for (; now < rank[lid]; now++) {
        step(slotOf, left, divisor);
      }
      boolean more = before > 0 && lid == before + 1 && rank[before] == rank[lid];
      offset = more && dest.switchOf[lid] == dest.switchOf[before] ? offset + 1 : 0;
      before = lid;
      if (dest.switchOf[lid] != Destinations.NOWHERE && dest.portOf[lid] != 0) {
        climb.byRank(lid, dest.switchOf[lid], offset, slotOf);
      }
    }
    for (int i = 0; i < hosts.switches.length; i++) {
      for (int j = hosts.start[i]; j < hosts.start[i + 1]; j++) {
        if (rank[hosts.lids[j]] == RankedLids.NO_RANK) {
          climb.byCounters(hosts.lids[j], hosts.switches[i]);
        }
      }
    }
    return climb.slot;
  }

  private void step(int[] slotOf, int[] left, int[] divisor) {
    for (int l = 1; l <= graph.levels; l++) {
      if (--left[l] == 0) {
        left[l] = divisor[l];
        slotOf[l] = slotOf[l] + 1 >= graph.slots[l] ? 0 : slotOf[l] + 1;
      }
    }
  }

  /** Ranks below the switch of level l-1 that has most of them; by level l. */
  private int[] divisors(RankedLids ranked) {
    int[] below = new int[graph.switches];
    int last = RankedLids.NO_RANK;
    for (int lid : ranked.lids) {
      int rank = ranked.rank[lid];
      if (rank != last && dest.switchOf[lid] != Destinations.NOWHERE) {
        below[dest.switchOf[lid]]++;
        last = rank;
      }
    }
    int[] out = new int[graph.levels + 2];
    Arrays.fill(out, 1);
    for (int s : graph.rising) { // children first
      for (int g = graph.downStart[s]; g < graph.downStart[s + 1]; g++) {
        below[s] += below[graph.downChild[g]];
      }
      out[graph.level[s] + 1] = Math.max(out[graph.level[s] + 1], below[s]);
    }
    out[1] = 1;
    return out;
  }

  /** One choice for all hosts, with its counters. */
  private final class Climb {
    final int[][] slot = new int[graph.levels + 1][];
    private final long[] channel = new long[graph.slotParent.length];
    private final long[] through = new long[graph.switches];

    Climb() {
      for (int l = 1; l <= graph.levels; l++) {
        slot[l] = graph.slots[l] > 0 ? new int[dest.topLid + 1] : null;
      }
    }

    void byCounters(int lid, int from) {
      lead(lid, 1, from);
      int at = from;
      while (graph.upStart[at] < graph.upStart[at + 1]) {
        at = take(lid, at, CountingSlots.leastLoaded(graph, at, channel, through));
      }
    }

    void byRank(int lid, int from, int offset, int[] wanted) {
      lead(lid, 1, from);
      int at = from;
      while (graph.upStart[at] < graph.upStart[at + 1]) {
        int n = graph.slots[graph.level[at]];
        int t = wanted[graph.level[at]];
        t = offset == 0 ? t : (t + offset) % n;
        int c = graph.slotBase[at] + t;
        if (graph.slotParent[c] < 0 || channel[c] >= share[at]) {
          t = CountingSlots.leastLoaded(graph, at, channel, through);
        }
        at = take(lid, at, t);
      }
    }

    private int take(int lid, int at, int t) {
      int c = graph.slotBase[at] + t;
      int parent = graph.slotParent[c];
      channel[c]++;
      through[parent]++;
      slot[graph.level[at]][lid] = t;
      lead(lid, graph.level[at] + 1, parent);
      return parent;
    }

    private void lead(int lid, int from, int target) {
      for (int l = from; l < graph.level[target]; l++) { // rare: no level is left out as a rule
        SlotPlan.lead(graph, slot, l, lid, target, lid);
      }
    }
  }
}
