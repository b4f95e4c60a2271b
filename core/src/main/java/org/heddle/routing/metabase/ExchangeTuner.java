package org.heddle.routing.metabase;

import java.util.Arrays;
import org.heddle.routing.tree.Destinations;
import org.heddle.routing.tree.SlotPlan;
import org.heddle.routing.tree.TreeGraph;

/**
 * Exchanges paths between hosts so that fewer flows of the usual collective operations meet: the
 * steps of bruck (rank r sends to r + 2^k) and of recursive doubling (r sends to r xor 2^k).
 *
 * <p>Hosts exchange their ways only from a switch on that both come down through, so the number of
 * destinations on every channel stays what it is. As long as each channel has its share, flows of a
 * permutation meet on the way up only, so upward channels are what is looked at. A search by single
 * exchanges, the best first, that also takes exchanges without gain now and then; deterministic,
 * and bounded by a number of tries. Not thread-safe.
 */
final class ExchangeTuner {
  private static final int MAX_SWEEPS = 40;
  private static final long MAX_TRIES = 500_000;

  private final TreeGraph graph;
  private final SlotPlan plan;
  private final int[] lid; // by rank
  private final int[] at; // by rank: delivering switch
  private final int steps;
  private final int[] first; // rank * steps + step: base of the slots its flow starts with
  private final byte[] low; // in the same order: level of that switch
  private final byte[] top; // in the same order: level on which the flow turns down; 0: no flow
  private final int[] next; // by channel: base of the slots of the switch it leads to, or -1
  private final int[] mine; // scratch: slots by level
  private final int[] theirs; // scratch: slots by level
  private final short[] load; // step * channels + channel
  private final int channels;
  private final int[][] group; // by level: ranks by the switch of that level they come through
  private final int[][] groupOf; // by level and rank: index of its group's first place
  private final int[][] groupEnd;
  private final int[][] place;
  private long tries;

  private ExchangeTuner(TreeGraph graph, Destinations dest, SlotPlan plan, int[] lidOfRank) {
    this.graph = graph;
    this.plan = plan;
    lid = lidOfRank;
    at = new int[lid.length];
    for (int r = 0; r < at.length; r++) {
      at[r] = dest.switchOf[lid[r]];
    }
    int bits = 32 - Integer.numberOfLeadingZeros(Math.max(1, lid.length - 1));
    int ranks = lid.length;
    int half = Integer.highestOneBit(ranks);
    steps = 2 * bits;
    channels = graph.slotParent.length;
    load = new short[steps * channels];
    next = new int[channels];
    for (int s = 0; s < graph.switches; s++) {
      for (int c = graph.slotBase[s]; c < graph.slotBase[s + 1]; c++) {
        int parent = graph.slotParent[c];
        boolean plain = parent >= 0 && graph.level[parent] == graph.level[s] + 1;
        next[c] = plain ? graph.slotBase[parent] : -1; // what leaves out a level is not followed
      }
    }
    mine = new int[graph.levels + 1];
    theirs = new int[graph.levels + 1];
    first = new int[steps * ranks];
    low = new byte[steps * ranks];
    top = new byte[steps * ranks];
    for (int r = 0; r < ranks; r++) {
      for (int k = 0; k < bits; k++) {
        boolean takesPart = r < half && 1 << k < half;
        enter(r, k, (r + ranks - (1 << k)) % ranks);
        enter(r, bits + k, takesPart ? r ^ 1 << k : -1);
      }
    }
    group = new int[graph.levels][];
    groupOf = new int[graph.levels][];
    groupEnd = new int[graph.levels][];
    place = new int[graph.levels][];
    for (int l = 1; l < graph.levels; l++) {
      collectGroups(l);
    }
  }

  /**
   * Improves a plan in place.
   *
   * @param rank by LID, -1 for none; does nothing if two LIDs share a rank
   */
  static void tune(TreeGraph graph, Destinations dest, SlotPlan plan, int[] rank) {
    int ranks = 0;
    for (int l : dest.lids) {
      ranks = Math.max(ranks, rank[l] + 1);
    }
    int[] lidOfRank = new int[ranks];
    for (int l : dest.lids) {
      if (rank[l] >= 0) {
        if (lidOfRank[rank[l]] != 0) {
          return; // several ports or LIDs a host: which one a rank uses is not known
        }
        lidOfRank[rank[l]] = l;
      }
    }
    for (int l : lidOfRank) {
      if (l == 0) {
        return;
      }
    }
    if (ranks > 2) {
      new ExchangeTuner(graph, dest, plan, lidOfRank).run();
    }
  }

  private void collectGroups(int l) {
    int ranks = lid.length;
    long[] keys = new long[ranks];
    for (int r = 0; r < ranks; r++) {
      keys[r] = (long) plan.main[l][lid[r]] << 32 | r;
    }
    Arrays.sort(keys);
    group[l] = new int[ranks];
    groupOf[l] = new int[ranks];
    groupEnd[l] = new int[ranks];
    place[l] = new int[ranks];
    for (int from = 0; from < ranks; ) {
      int to = from;
      while (to < ranks && keys[to] >> 32 == keys[from] >> 32) {
        group[l][to] = (int) keys[to];
        place[l][(int) keys[to]] = to;
        to++;
      }
      for (int i = from; i < to; i++) {
        groupOf[l][i] = from;
        groupEnd[l][i] = keys[from] >> 32 < 0 ? from : to;
      }
      from = to;
    }
  }

  /** Notes a flow: where it starts, and how far it climbs, which no choice of ways changes. */
  private void enter(int r, int step, int from) {
    if (from < 0 || graph.isBelow(at[from], at[r])) {
      return;
    }
    int i = r * steps + step;
    int s = at[from];
    first[i] = graph.slotBase[s];
    low[i] = (byte) Math.max(1, graph.level[s]);
    while (s >= 0 && !graph.isBelow(s, at[r]) && plan.slot[graph.level[s]] != null) {
      top[i] = (byte) (graph.level[s] + 1);
      s = graph.slotParent[graph.slotBase[s] + plan.slot[graph.level[s]][lid[r]]];
    }
  }

  private void slotsOf(int to, int[] way) {
    for (int l = 1; l <= graph.levels; l++) {
      way[l] = plan.slot[l] == null ? 0 : plan.slot[l][to];
    }
  }

  private void run() {
    for (int r = 0; r < lid.length; r++) {
      change(r, 1);
    }
    for (int sweep = 0; sweep < MAX_SWEEPS && tries < MAX_TRIES; sweep++) {
      boolean met = false;
      for (int r = 0; r < lid.length && tries < MAX_TRIES; r++) {
        if (meets(r)) {
          met = true;
          improve(r, sweep);
        }
      }
      if (!met) {
        return;
      }
    }
  }

  /** True if a flow to this rank shares a channel with another of the same step. */
  private boolean meets(int r) {
    slotsOf(lid[r], mine);
    for (int k = 0, i = r * steps, base = 0; k < steps; k++, i++, base += channels) {
      int c = first[i];
      for (int l = low[i]; l < top[i] && c >= 0; l++) {
        c += mine[l];
        if (load[base + c] > 1) {
          return true;
        }
        c = next[c];
      }
    }
    return false;
  }

  /** Adds (1) or removes (-1) the flows to a rank; returns by how many pairs meeting changes. */
  private int change(int r, int sign) {
    int pairs = 0;
    slotsOf(lid[r], mine);
    for (int k = 0, i = r * steps, base = 0; k < steps; k++, i++, base += channels) {
      int c = first[i];
      for (int l = low[i]; l < top[i] && c >= 0; l++) {
        c += mine[l];
        pairs += sign > 0 ? load[base + c]++ : -(--load[base + c]);
        c = next[c];
      }
    }
    return pairs;
  }

  /** Pairs that flows to a rank would add from a level on with these slots; no more than enough. */
  private int look(int r, int[] way, int from, int enough) {
    int pairs = 0;
    for (int k = 0, i = r * steps, base = 0; k < steps && pairs < enough; k++, i++) {
      int c = first[i];
      for (int l = low[i]; l < top[i] && c >= 0; l++) {
        c += way[l];
        pairs += l >= from ? load[base + c] : 0;
        c = next[c];
      }
      base += channels;
    }
    return pairs;
  }

  /**
   * Pairs that flows to r would add from a level on if they went the way of another, with the other
   * gone from there, less those that the other has there now.
   */
  private int lookBoth(int r, int other, int[] way, int from) {
    int pairs = 0;
    for (int k = 0, i = r * steps, j = other * steps, base = 0; k < steps; k++, i++, j++) {
      int c = first[i];
      int d = first[j];
      int l = low[i];
      int m = low[j];
      boolean ours = l < top[i];
      boolean its = m < top[j];
      while (ours || its) {
        c += ours ? way[l] : 0;
        d += its ? way[m] : 0;
        pairs += ours && l >= from ? load[base + c] - (its && c == d ? 1 : 0) : 0;
        pairs -= its && m >= from ? load[base + d] - 1 : 0;
        c = ours ? next[c] : -1;
        d = its ? next[d] : -1;
        ours = c >= 0 && ++l < top[i];
        its = d >= 0 && ++m < top[j];
      }
      base += channels;
    }
    return pairs;
  }

  private void improve(int r, int sweep) {
    boolean sideways = (sweep + r) % 3 == 0; // then no gain will do
    int best = sideways ? 1 : 0;
    int bestLevel = 0;
    int bestRank = -1;
    change(r, -1);
    for (int l = graph.level[at[r]]; l >= 1 && l < graph.levels; l++) {
      int[] slot = plan.slot[l];
      int i = place[l][r];
      if (slot == null) {
        continue;
      }
      slotsOf(lid[r], mine);
      int now = look(r, mine, l, Integer.MAX_VALUE);
      for (int j = groupOf[l][i]; j < groupEnd[l][i]; j++) {
        int other = group[l][j];
        if (slot[lid[other]] == slot[lid[r]]) {
          continue; // itself, or one that has its turn a level higher
        }
        tries++;
        slotsOf(lid[other], theirs);
        int gain = lookBoth(r, other, theirs, l) - now; // if the other met nobody on our way
        if (gain < best) {
          gain += look(other, mine, l, best - gain);
        }
        if (gain < best) {
          best = gain;
          bestLevel = l;
          bestRank = other;
        }
      }
    }
    change(r, 1);
    if (bestRank >= 0) {
      accept(r, bestRank, bestLevel, best);
    }
  }

  /** Exchanges two ways for good, unless on an irregular tree the gain was misjudged. */
  private void accept(int r, int other, int level, int promised) {
    if (exchange(r, other, level) > promised) {
      exchange(r, other, level);
      return;
    }
    for (int l = level + 1; l < graph.levels; l++) {
      int a = place[l][r];
      int b = place[l][other];
      group[l][a] = other;
      group[l][b] = r;
      place[l][r] = b;
      place[l][other] = a;
    }
  }

  /** Exchanges the ways of two ranks from a level on; returns by how much meeting changes. */
  private int exchange(int a, int b, int from) {
    int pairs = change(a, -1) + change(b, -1);
    for (int l = from; l <= graph.levels; l++) {
      swap(plan.slot[l], lid[a], lid[b]);
      swap(plan.key[l], lid[a], lid[b]);
      if (l > from) {
        swap(plan.main[l], lid[a], lid[b]);
      }
    }
    return pairs + change(a, 1) + change(b, 1);
  }

  private static void swap(int[] of, int a, int b) {
    if (of != null) {
      int t = of[a];
      of[a] = of[b];
      of[b] = t;
    }
  }
}
