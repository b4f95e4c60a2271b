package org.heddle.routing.metabase;

import java.util.Arrays;
import org.heddle.routing.tree.CountingSlots;
import org.heddle.routing.tree.Destinations;
import org.heddle.routing.tree.LeafHosts;
import org.heddle.routing.tree.SlotPlan;
import org.heddle.routing.tree.SubtreeCeilings;
import org.heddle.routing.tree.TreeGraph;

/**
 * Chooses only the up slots of hosts at every level: the part of a {@link SlotPlan} that phase II
 * of a {@link Metabase} needs. What does not depend on an order is computed once.
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
  private final long[] usable; // by switch: slots from which a climb goes on, if no more than 64
  private final boolean[] even; // by switch: whether all its parents have as many up-links

  HostSlots(TreeGraph graph, Destinations dest, LeafHosts hosts) {
    this.graph = graph;
    this.dest = dest;
    this.hosts = hosts;
    int[] reach = new int[dest.topLid + 1];
    for (int lid : hosts.lids) {
      reach[lid] = graph.levels;
    }
    share = SubtreeCeilings.of(graph, dest, reach);
    usable = new long[graph.switches];
    even = new boolean[graph.switches];
    for (int s = 0; s < graph.switches; s++) {
      int base = graph.slotBase[s];
      int n = graph.slotBase[s + 1] - base;
      for (int t = 0; t < n && n <= Long.SIZE; t++) {
        int parent = graph.slotParent[base + t];
        boolean goesOn =
            parent >= 0 && (graph.upLinks[parent] > 0 || graph.level[parent] == graph.levels);
        usable[s] |= goesOn ? 1L << t : 0;
      }
      even[s] = hasEvenParents(s);
    }
  }

  private boolean hasEvenParents(int s) {
    int first = graph.upStart[s];
    if (first == graph.upStart[s + 1]) {
      return true;
    }
    int links = Math.max(1, graph.upLinks[graph.upParent[first]]);
    for (int g = graph.upStart[s]; g < graph.upStart[s + 1]; g++) {
      if (Math.max(1, graph.upLinks[graph.upParent[g]]) != links) {
        return false;
      }
    }
    return true;
  }

  /** Slots by level and LID, null for levels without any. O(hosts * levels * slots). */
  int[][] counting() {
    Climb climb = new Climb();
    climb.open();
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
    climb.openShares();
    Ranks ranks = new Ranks(ranked);
    int[] rest = unranked(ranked.rank);
    int[] restAt = new int[rest.length];
    for (int i = 0; i < ranks.count; i++) {
      climb.lead(ranks.lid[i], 1, ranks.at[i]);
    }
    for (int i = 0; i < rest.length; i++) {
      restAt[i] = dest.switchOf[rest[i]];
      climb.lead(rest[i], 1, restAt[i]);
    }
    int[] divisor = divisors(ranked);
    int[] left = new int[ranks.count];
    for (int l = 1; l < graph.levels; l++) {
      int n = wanted(l, divisor[l], ranks, ranked.rank, climb, left);
      for (int k = 0; k < n; k++) { // so that it takes no slot that another wants
        climb.up(l, ranks.lid[left[k]], ranks.at, left[k]);
      }
      for (int i = 0; i < rest.length; i++) {
        climb.up(l, rest[i], restAt, i);
      }
    }
    return climb.slot;
  }

  /** Gives hosts the slot of their rank; returns how many cannot have it, and in which places. */
  private int wanted(int l, int divisor, Ranks ranks, int[] rank, Climb climb, int[] left) {
    int slots = graph.slots[l];
    int n = 0;
    int t = 0; // floor(rank / divisor) mod slots, counted on
    int limit = divisor;
    for (int i = 0; i < ranks.count && slots > 0; i++) {
      int lid = ranks.lid[i];
      int s = ranks.at[i];
      for (; rank[lid] >= limit; limit += divisor) {
        t = t + 1 == slots ? 0 : t + 1;
      }
      if (graph.level[s] != l) {
        continue;
      }
      int offset = ranks.offset == null ? 0 : ranks.offset[i];
      int slot = offset == 0 ? t : (t + offset) % slots;
      if (climb.isFree(s, slot)) {
        ranks.at[i] = climb.takeShare(lid, s, slot);
      } else {
        left[n++] = i;
      }
    }
    return n;
  }

  private int[] unranked(int[] rank) {
    int[] out = new int[hosts.lids.length];
    int n = 0;
    for (int lid : hosts.lids) {
      if (rank[lid] == RankedLids.NO_RANK) {
        out[n++] = lid;
      }
    }
    return Arrays.copyOf(out, n);
  }

  /** Hosts that have a rank, in order, and how far they have climbed. */
  private final class Ranks {
    final int[] lid;
    final int[] at;
    final int[] offset; // of a LID in the range of its port; null if all are 0
    final int count;

    Ranks(RankedLids ranked) {
      lid = new int[ranked.lids.length];
      at = new int[lid.length];
      int[] offsets = null;
      int n = 0;
      for (int i = 0; i < lid.length; i++) {
        int next = ranked.lids[i];
        int s = dest.switchOf[next];
        if (s == Destinations.NOWHERE || dest.portOf[next] == 0) {
          continue;
        }
        if (n > 0 && lid[n - 1] == next - 1 && ranked.rank[next] == ranked.rank[next - 1]) {
          offsets = offsets == null ? new int[lid.length] : offsets;
          offsets[n] = at[n - 1] == s ? offsets[n - 1] + 1 : 0;
        }
        at[n] = s;
        lid[n++] = next;
      }
      count = n;
      offset = offsets;
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
    private final long[] open = new long[graph.switches]; // slots, if no more than 64

    Climb() {
      for (int l = 1; l <= graph.levels; l++) {
        slot[l] = graph.slots[l] > 0 ? new int[dest.topLid + 1] : null;
      }
    }

    /** Slots are open while they have the least load of their switch. */
    void open() {
      System.arraycopy(usable, 0, open, 0, open.length);
    }

    /** Slots are open until they have their share. */
    void openShares() {
      for (int s = 0; s < open.length; s++) {
        open[s] = share[s] > 0 ? usable[s] : 0;
      }
    }

    boolean isFree(int s, int t) {
      if (graph.slotBase[s + 1] - graph.slotBase[s] <= Long.SIZE) {
        return (open[s] >>> t & 1) != 0;
      }
      int c = graph.slotBase[s] + t;
      return graph.slotParent[c] >= 0 && channel[c] < share[s];
    }

    void byCounters(int lid, int from) {
      lead(lid, 1, from);
      int at = from;
      while (graph.upStart[at] < graph.upStart[at + 1]) {
        if (usable[at] == 0) {
          at = take(lid, at, CountingSlots.leastLoaded(graph, at, channel, through));
          continue;
        }
        int t = leastOpen(at);
        long rest = open[at] & ~(1L << t);
        open[at] = rest == 0 ? usable[at] : rest;
        at = take(lid, at, t);
      }
    }

    /** Climbs one level, from a switch of that level if it has up-links, by counters. */
    void up(int l, int lid, int[] at, int i) {
      int s = at[i];
      if (graph.level[s] != l || graph.upLinks[s] == 0) {
        return;
      }
      at[i] =
          open[s] != 0
              ? takeShare(lid, s, leastOpen(s))
              : take(lid, s, CountingSlots.leastLoaded(graph, s, channel, through));
    }

    /** As {@link CountingSlots#leastLoaded} among the slots that are open. */
    private int leastOpen(int s) {
      int base = graph.slotBase[s];
      long bits = open[s];
      int best = Long.numberOfTrailingZeros(bits);
      if (even[s]) { // then the load of the parent itself says which is lighter
        long least = load(base + best);
        for (bits &= bits - 1; bits != 0; bits &= bits - 1) {
          int t = Long.numberOfTrailingZeros(bits);
          long load = load(base + t);
          best = load < least ? t : best;
          least = Math.min(load, least);
        }
        return best;
      }
      for (bits &= bits - 1; bits != 0; bits &= bits - 1) {
        int t = Long.numberOfTrailingZeros(bits);
        long more = channel[base + t] - channel[base + best];
        if (more < 0 || (more == 0 && isLighter(base + t, base + best))) {
          best = t;
        }
      }
      return best;
    }

    /** Of a channel, then of the switch behind it. */
    private long load(int c) {
      return channel[c] << Integer.SIZE | through[graph.slotParent[c]];
    }

    private boolean isLighter(int c, int best) {
      return CountingSlots.lighter(graph, graph.slotParent[c], graph.slotParent[best], through);
    }

    int takeShare(int lid, int s, int t) {
      int parent = take(lid, s, t);
      if (channel[graph.slotBase[s] + t] >= share[s]) {
        open[s] &= ~(1L << t);
      }
      return parent;
    }

    int take(int lid, int at, int t) {
      int c = graph.slotBase[at] + t;
      int parent = graph.slotParent[c];
      channel[c]++;
      through[parent]++;
      slot[graph.level[at]][lid] = t;
      lead(lid, graph.level[at] + 1, parent);
      return parent;
    }

    void lead(int lid, int from, int target) {
      for (int l = from; l < graph.level[target]; l++) { // rare: no level is left out as a rule
        SlotPlan.lead(graph, slot, l, lid, target, lid);
      }
    }
  }
}
