package org.heddle.routing.tree;

import java.util.Arrays;

/**
 * The choice of OpenSM's ftree: leaf by leaf and host by host, climb through the channel down which
 * the fewest destinations come so far.
 *
 * <p>Ties go to the parent through which the fewest destinations come down in proportion to its own
 * up-links, so that on oversubscribed trees the surplus of one leaf does not meet that of the next;
 * then to the lowest slot; where a leaf of a damaged tree has at most half as many hosts as
 * up-links, to the slot that fewest destinations use at all (not where it merely lost a host: the
 * others stay where they are). A parent from which the climb could not go on is the last resort.
 * Switches' own LIDs take no part in the counting: they are spread by number. Hosts of a leaf then
 * change places so that ports of one machine come down by different parents ({@link Mates}); no
 * channel carries more for it.
 */
public final class CountingSlots implements SlotChooser {
  private final int[] order;
  private final Mates mates;

  /**
   * A chooser with a host order.
   *
   * @param order LIDs that come first, in their order (NoFTree); may be empty
   */
  public CountingSlots(int[] order) {
    this(order, null);
  }

  /**
   * A chooser that keeps ports of machines apart.
   *
   * @param mates null: it does not
   */
  public CountingSlots(int[] order, Mates mates) {
    this.order = order;
    this.mates = mates;
  }

  /** Balance comes first here. */
  @Override
  public boolean keepsCables() {
    return false;
  }

  /** An order that was asked for is kept. */
  @Override
  public boolean evensLinks() {
    return order.length == 0;
  }

  @Override
  public SlotPlan choose(TreeGraph graph, Destinations dest, LeafHosts hosts) {
    SlotPlan plan = new SlotPlan(graph, dest.topLid, true);
    long[] channel = new long[graph.slotParent.length];
    long[] through = new long[graph.switches];
    int[][] used = order.length > 0 || isRegular(graph, dest, hosts) ? null : noneUsed(graph);
    int[][] sequence = new NodeOrder(dest, hosts).sequence(order);
    for (int i = 0; i < hosts.switches.length; i++) {
      int s = hosts.switches[i];
      boolean fewer = 2 * sequence[i].length <= graph.upLinks[s]; // else most links are used anyway
      for (int lid : sequence[i]) {
        if (lid == NodeOrder.NOBODY) {
          skipSlot(graph, s, channel);
        } else {
          plan.leadTo(graph, lid, 1, s, lid);
          climb(graph, plan, s, lid, channel, through, fewer ? used : null, 1);
        }
      }
    }
    if (mates != null) {
      separate(graph, hosts, plan, mates, new boolean[dest.topLid + 1]);
    }
    spreadDisplaced(graph, plan, sequence);
    routeSwitches(graph, dest, plan);
    return plan;
  }

  /** Lets hosts of a leaf change places, so that ports of one machine come down by two parents. */
  private static void separate(
      TreeGraph graph, LeafHosts hosts, SlotPlan plan, Mates mates, boolean[] fixed) {
    Mates.Ways ways =
        new Mates.Ways() {
          @Override
          public int way(int lid) {
            return plan.slot[1] == null ? -1 : plan.slot[1][lid] % graph.keys[1];
          }

          @Override
          public void swap(int a, int b) {
            plan.swap(a, b);
          }
        };
    int[] free = new int[hosts.lids.length];
    for (int i = 0; i < hosts.leaves; i++) {
      int n = 0;
      for (int j = hosts.start[i]; j < hosts.start[i + 1]; j++) {
        free[n] = hosts.lids[j];
        n += fixed[free[n]] ? 0 : 1;
      }
      mates.separate(free, 0, n, ways);
    }
  }

  /**
   * Routes the hosts that are not done yet, in port order and among themselves, and the switches.
   */
  public static void routeRest(
      TreeGraph graph,
      Destinations dest,
      LeafHosts hosts,
      SlotPlan plan,
      boolean[] done,
      Mates mates) {
    long[] channel = new long[graph.slotParent.length];
    long[] through = new long[graph.switches];
    for (int i = 0; i < hosts.switches.length; i++) {
      for (int j = hosts.start[i]; j < hosts.start[i + 1]; j++) {
        if (!done[hosts.lids[j]]) {
          plan.leadTo(graph, hosts.lids[j], 1, hosts.switches[i], hosts.lids[j]);
          climb(graph, plan, hosts.switches[i], hosts.lids[j], channel, through, 1);
        }
      }
    }
    if (mates != null) {
      separate(graph, hosts, plan, mates, done);
    }
    int[][] sequence = new NodeOrder(dest, hosts).sequence(new int[0]);
    spreadDisplaced(graph, plan, only(sequence, done, true));
    spreadDisplaced(graph, plan, only(sequence, done, false));
    routeSwitches(graph, dest, plan);
  }

  private static int[][] only(int[][] sequence, boolean[] done, boolean wanted) {
    int[][] out = new int[sequence.length][];
    for (int i = 0; i < out.length; i++) {
      out[i] = sequence[i].clone();
      for (int j = 0; j < out[i].length; j++) {
        if (out[i][j] != NodeOrder.NOBODY && done[out[i][j]] != wanted) {
          out[i][j] = NodeOrder.NOBODY;
        }
      }
    }
    return out;
  }

  /** Switches' own LIDs, spread by number. */
  public static void routeSwitches(TreeGraph graph, Destinations dest, SlotPlan plan) {
    for (int s = 0; s < graph.switches; s++) {
      for (int i = dest.start[s]; i < dest.start[s + 1]; i++) {
        if (dest.portOf[dest.lids[i]] == 0) {
          plan.leadTo(graph, dest.lids[i], 1, s, s);
          spread(graph, plan, s, dest.lids[i]);
        }
      }
    }
  }

  /**
   * Where a slot is missing, its destinations are dealt out over those that are left: counting on
   * from leaf to leaf, so that they spread over the up-links, and starting differently for every
   * slot, so that the hosts of one leaf do not all come down through one parent.
   */
  public static void spreadDisplaced(TreeGraph graph, SlotPlan plan, int[][] sequence) {
    for (int l = 1; l <= graph.levels; l++) {
      int n = graph.slots[l];
      int[] seen = new int[n];
      for (int i = 0; i < sequence.length && n > 0; i++) {
        for (int lid : sequence[i]) {
          if (lid != NodeOrder.NOBODY) {
            int t = plan.slot[l][lid];
            plan.key[l][lid] = (seen[t]++ + n - t) % n;
          }
        }
      }
    }
  }

  /**
   * Climbs from a switch to a root through the least loaded channels.
   *
   * @param channel load by slot, see {@link TreeGraph#slotBase}
   * @param through load by parent switch
   * @param load what this LID adds to both
   */
  public static void climb(
      TreeGraph graph, SlotPlan plan, int s, int lid, long[] channel, long[] through, long load) {
    climb(graph, plan, s, lid, channel, through, null, load);
  }

  /**
   * The same.
   *
   * @param used destinations by level and slot, which decide among equals; null: the slot's number
   *     does
   */
  private static void climb(
      TreeGraph graph,
      SlotPlan plan,
      int s,
      int lid,
      long[] channel,
      long[] through,
      int[][] used,
      long load) {
    int at = s;
    plan.main[Math.max(1, graph.level[at])][lid] = at;
    while (graph.upStart[at] < graph.upStart[at + 1]) {
      int t = leastLoaded(graph, at, channel, through);
      if (used != null) {
        t = leastUsed(graph, at, t, channel, through, used[graph.level[at]]);
        used[graph.level[at]][t]++;
      }
      int parent = graph.slotParent[graph.slotBase[at] + t];
      channel[graph.slotBase[at] + t] += load;
      through[parent] += load;
      plan.slot[graph.level[at]][lid] = t;
      plan.main[graph.level[parent]][lid] = parent;
      plan.leadTo(graph, lid, graph.level[at] + 1, parent, lid);
      at = parent;
    }
  }

  /** The slot of a switch that the climb takes. */
  public static int leastLoaded(TreeGraph graph, int s, long[] channel, long[] through) {
    int base = graph.slotBase[s];
    int end = graph.slotBase[s + 1];
    int best = -1;
    long least = Long.MAX_VALUE;
    boolean bestEnds = true;
    for (int c = base; c < end; c++) {
      long load = channel[c];
      if (load > least && !bestEnds) {
        continue; // the usual case first
      }
      int parent = graph.slotParent[c];
      if (parent < 0) {
        continue;
      }
      boolean ends = graph.upLinks[parent] == 0 && graph.level[parent] < graph.levels;
      if (best < 0
          || (bestEnds && !ends)
          || (ends == bestEnds
              && (load < least
                  || (load == least && lighter(graph, parent, graph.slotParent[best], through))))) {
        best = c;
        least = load;
        bestEnds = ends;
      }
    }
    return best < 0 ? -1 : best - base;
  }

  /**
   * Of the slots that are as good as the best one, the one that fewest destinations use at all: all
   * switches of the level send to that slot.
   */
  private static int leastUsed(
      TreeGraph graph, int s, int best, long[] channel, long[] through, int[] used) {
    int base = graph.slotBase[s];
    int parent = graph.slotParent[base + best];
    int out = best;
    for (int t = best + 1; t < used.length; t++) {
      int other = graph.slotParent[base + t];
      if (other >= 0
          && channel[base + t] == channel[base + best]
          && used[t] < used[out]
          && !lighter(graph, parent, other, through)
          && (graph.upLinks[other] > 0) == (graph.upLinks[parent] > 0)) {
        out = t;
      }
    }
    return out;
  }

  private static int[][] noneUsed(TreeGraph graph) {
    int[][] used = new int[graph.levels + 1][];
    for (int l = 0; l <= graph.levels; l++) {
      used[l] = new int[graph.slots[l]];
    }
    return used;
  }

  /**
   * True if all leaves have as many hosts, and all switches of a level as many links down and all
   * the slots of the level, as in undamaged trees. Hosts on upper switches do not matter, nor do
   * switches without hosts that have nothing below them, such as roots of a single switch.
   */
  static boolean isRegular(TreeGraph graph, Destinations dest, LeafHosts hosts) {
    for (int i = 1; i < hosts.leaves; i++) {
      if (hosts.start[i + 1] - hosts.start[i] != hosts.start[1] - hosts.start[0]) {
        return false;
      }
    }
    int[] down = new int[graph.levels + 1]; // by level: links down and 1
    for (int s = 0; s < graph.switches; s++) {
      int l = graph.level[s];
      int from = graph.downPortStart[graph.downStart[s]];
      int links = graph.downPortStart[graph.downStart[s + 1]] - from;
      if (links == 0 && !dest.hasHosts[s]) {
        continue;
      }
      if (down[l] > 0 && links + 1 != down[l]) {
        return false;
      }
      down[l] = links + 1;
      for (int t = graph.slotBase[s]; t < graph.slotBase[s + 1]; t++) {
        if (graph.slotParent[t] < 0) {
          return false;
        }
      }
    }
    return true;
  }

  /** True if fewer destinations come down through a, in proportion to its up-links. */
  public static boolean lighter(TreeGraph graph, int a, int b, long[] through) {
    long x = through[a] * Math.max(1, graph.upLinks[b]);
    long y = through[b] * Math.max(1, graph.upLinks[a]);
    return x < y;
  }

  /** A routing slot nobody takes still takes its up-link, so that the next one gets the next. */
  private static void skipSlot(TreeGraph graph, int s, long[] channel) {
    int base = graph.slotBase[s];
    int best = -1;
    for (int t = 0; t < graph.slots[graph.level[s]]; t++) {
      if (graph.slotParent[base + t] >= 0
          && (best < 0 || channel[base + t] < channel[base + best])) {
        best = t;
      }
    }
    if (best >= 0) {
      channel[base + best]++;
    }
  }

  private static void spread(TreeGraph graph, SlotPlan plan, int s, int lid) {
    for (int l = Math.max(1, graph.level[s]); l <= graph.levels; l++) {
      if (graph.slots[l] > 0) {
        plan.slot[l][lid] = s % graph.slots[l];
        plan.key[l][lid] = s % graph.slots[l];
      }
    }
  }

  @Override
  public String toString() {
    return "CountingSlots" + Arrays.toString(order);
  }
}
