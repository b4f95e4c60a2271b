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
  private static final long MAX_TRIES = 500_000;

  private final TreeGraph graph;
  private final SlotPlan plan;
  private final int[] lid; // by rank
  private final int[] at; // by rank: delivering switch
  private final int steps;
  private final int[] source; // rank * steps + step: switch of who sends to it, or -1
  private final byte[] top; // in the same order: level on which the flow turns down
  private final short[] load; // step * channels + channel
  private final int channels;
  private int found; // scratch: pairs that the last look found
  private int shared; // scratch: channels that both would use in one step
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
    source = new int[steps * ranks];
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
    int i = r * steps + step;
    source[i] = from < 0 || graph.isBelow(at[from], at[r]) ? -1 : at[from];
    int s = source[i];
    while (s >= 0 && !graph.isBelow(s, at[r])) {
      int c = channelUp(s, lid[r]);
      top[i] = (byte) (graph.level[s] + 1);
      s = c < 0 ? -1 : graph.slotParent[c];
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
    for (int k = 0, i = r * steps; k < steps; k++, i++) {
      int s = source[i];
      while (s >= 0 && graph.level[s] < top[i]) {
        int c = channelUp(s, lid[r]);
        if (c < 0) {
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
    for (int k = 0, i = r * steps; k < steps; k++, i++) {
      int s = source[i];
      while (s >= 0 && graph.level[s] < top[i]) {
        int c = channelUp(s, lid[r]);
        if (c < 0) {
          break;
        }
        int j = k * channels + c;
        pairs += sign > 0 ? load[j]++ : -(--load[j]);
        s = graph.slotParent[c];
      }
    }
    return pairs;
  }

  /** The channel a LID takes up from a switch, or -1 if it has none in that slot. */
  private int channelUp(int s, int to) {
    int[] slot = plan.slot[graph.level[s]];
    int c = slot == null ? -1 : graph.slotBase[s] + slot[to];
    return c < 0 || graph.slotParent[c] < 0 ? -1 : c;
  }

  /** Pairs that flows to a rank would add from a level on if they went the way of a LID. */
  private int look(int r, int way, int from) {
    int pairs = 0;
    for (int k = 0, i = r * steps; k < steps; k++, i++) {
      int s = source[i];
      while (s >= 0 && graph.level[s] < top[i]) {
        int c = channelUp(s, way);
        if (c < 0) {
          break;
        }
        pairs += graph.level[s] >= from ? load[k * channels + c] : 0;
        s = graph.slotParent[c];
      }
    }
    return pairs;
  }

  /**
   * As {@link #look} for r on the way of another, into {@link #found}; returns the pairs that the
   * other meets there now, and into {@link #shared} what both would share if both went there.
   */
  private int lookBoth(int r, int other, int from) {
    int pairs = 0;
    int theirs = 0;
    int same = 0;
    int way = lid[other];
    for (int k = 0, i = r * steps, j = other * steps; k < steps; k++, i++, j++) {
      int s = source[i];
      int q = source[j];
      boolean mine = s >= 0 && graph.level[s] < top[i];
      boolean its = q >= 0 && graph.level[q] < top[j];
      while (mine || its) {
        int c = mine ? channelUp(s, way) : -1;
        int d = its ? channelUp(q, way) : -1;
        if (c >= 0) {
          boolean counts = graph.level[s] >= from;
          pairs += counts ? load[k * channels + c] : 0;
          same += counts && c == d ? 1 : 0;
          s = graph.slotParent[c];
        }
        if (d >= 0) {
          theirs += graph.level[q] >= from ? load[k * channels + d] - 1 : 0;
          q = graph.slotParent[d];
        }
        mine = c >= 0 && graph.level[s] < top[i];
        its = d >= 0 && graph.level[q] < top[j];
      }
    }
    found = pairs;
    shared = same;
    return theirs;
  }

  private void improve(int r, int sweep) {
    int best = 1;
    int bestLevel = 0;
    int bestRank = -1;
    change(r, -1);
    for (int l = graph.level[at[r]]; l >= 1 && l < graph.levels; l++) {
      int[] slot = plan.slot[l];
      int i = place[l][r];
      if (slot == null) {
        continue;
      }
      int mine = look(r, lid[r], l);
      for (int j = groupOf[l][i]; j < groupEnd[l][i]; j++) {
        int other = group[l][j];
        if (slot[lid[other]] == slot[lid[r]]) {
          continue; // itself, or one that has its turn a level higher
        }
        tries++;
        int before = mine + lookBoth(r, other, l);
        int gain = found - shared - before; // if the other meets nobody on our way
        if (gain < best) {
          gain += look(other, lid[r], l);
        }
        if (gain < best) {
          best = gain;
          bestLevel = l;
          bestRank = other;
        }
      }
    }
    change(r, 1);
    boolean sideways = best == 0 && (sweep + r) % 3 == 0;
    if (bestRank >= 0 && (best < 0 || sideways)) {
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
