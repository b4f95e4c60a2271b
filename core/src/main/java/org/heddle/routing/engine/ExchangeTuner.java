package org.heddle.routing.engine;

import java.util.Arrays;

/**
 * Exchanges ways between hosts so that fewer flows of the usual collective operations meet: the
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
  private static final long MAX_TRIES = 6_000_000;

  private final TreeGraph graph;
  private final SlotPlan plan;
  private final int[] lid; // by rank
  private final int[] at; // by rank: delivering switch
  private final int[] source; // step * ranks + rank: who sends to it, or -1
  private final int steps;
  private final int[] load; // step * channels + channel
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
    source = new int[steps * ranks];
    for (int k = 0; k < bits; k++) {
      for (int r = 0; r < ranks; r++) {
        source[k * ranks + r] = (r + ranks - (1 << k)) % ranks;
        boolean takesPart = r < half && 1 << k < half;
        source[(bits + k) * ranks + r] = takesPart ? r ^ 1 << k : -1;
      }
    }
    channels = graph.slotParent.length;
    load = new int[steps * channels];
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
    for (int k = 0; k < steps; k++) {
      int from = source[k * lid.length + r];
      int s = from < 0 ? at[r] : at[from];
      while (!graph.isBelow(s, at[r])) {
        int c = graph.slotBase[s] + plan.slot[graph.level[s]][lid[r]];
        if (graph.slotParent[c] < 0) {
          break;
        }
        if (load[k * channels + c] > 1) {
          return true;
        }
        s = graph.slotParent[c];
      }
    }
    return false;
  }

  /** Adds (1) or removes (-1) the flows to a rank; returns by how many pairs meeting changes. */
  private int change(int r, int sign) {
    int pairs = 0;
    int to = at[r];
    for (int k = 0; k < steps; k++) {
      int from = source[k * lid.length + r];
      int s = from < 0 ? to : at[from];
      while (!graph.isBelow(s, to)) {
        int c = graph.slotBase[s] + plan.slot[graph.level[s]][lid[r]];
        if (graph.slotParent[c] < 0) {
          break;
        }
        int i = k * channels + c;
        pairs += sign > 0 ? load[i]++ : -(--load[i]);
        s = graph.slotParent[c];
      }
    }
    return pairs;
  }

  private void improve(int r, int sweep) {
    int best = 1;
    int bestLevel = 0;
    int bestRank = -1;
    for (int l = graph.level[at[r]]; l >= 1 && l < graph.levels; l++) {
      int i = place[l][r];
      for (int j = groupOf[l][i]; j < groupEnd[l][i]; j++) {
        int other = group[l][j];
        if (other == r || !differ(r, other, l)) {
          continue;
        }
        tries++;
        int gain = exchange(r, other, l);
        exchange(r, other, l);
        if (gain < best) {
          best = gain;
          bestLevel = l;
          bestRank = other;
        }
      }
    }
    boolean sideways = best == 0 && (sweep + r) % 3 == 0;
    if (bestRank >= 0 && (best < 0 || sideways)) {
      exchange(r, bestRank, bestLevel);
      for (int l = bestLevel + 1; l < graph.levels; l++) {
        int a = place[l][r];
        int b = place[l][bestRank];
        group[l][a] = bestRank;
        group[l][b] = r;
        place[l][r] = b;
        place[l][bestRank] = a;
      }
    }
  }

  private boolean differ(int a, int b, int from) {
    for (int l = from; l <= graph.levels; l++) {
      if (plan.slot[l] != null && plan.slot[l][lid[a]] != plan.slot[l][lid[b]]) {
        return true;
      }
    }
    return false;
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
