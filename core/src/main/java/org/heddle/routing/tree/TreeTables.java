package org.heddle.routing.tree;

import java.util.Arrays;

/**
 * Fills forwarding tables from a {@link SlotPlan}, switch by switch.
 *
 * <p>A row starts as a copy of its level's template (the preferred slots as ports). Three kinds of
 * entries are then put right, each found by bit sets instead of looking at every entry: those whose
 * slot is missing or leads nowhere useful (another usable slot), those to switches that no up/down
 * route reaches (the {@link ReRootedOrder}), and those to what lies below (the port down). Switches
 * of one class, that is with the same parents on the same ports, share everything but the last
 * step.
 */
public final class TreeTables {
  private static final long[] INVERSE = inverses();
  private static final int MAX_PACKED_KEY = 0x7fff;

  private final TreeGraph graph;
  private final ReRootedOrder turns;
  private final Destinations dest;
  private final SlotPlan plan;

  private final byte[][] rows;
  private final int[][] bucketStart; // by level: (switch, slot) -> first index into bucketLid
  private final int[][] bucketLid; // by level: LIDs by (switch, slot)
  private final ManySlots[] many; // by level: for more than 64 slots, else null
  private final int[][] single; // by level: LID and key of buckets that hold one LID, else 0
  private final long[][] wanted; // by level: bit (slot, d): a LID of d prefers the slot
  private final long[] viaUp; // scratch: what the parents of the current switch are good for
  private final long[] behind; // scratch: by slot, 64 destinations its parent is good for
  private final long[] usableOf = new long[Long.SIZE]; // scratch: the same as bits, by destination
  private long known; // scratch: destinations whose usableOf is right
  private final int[] strayed; // by switch, see strayed()
  private int strays; // scratch: of the row in work

  public TreeTables(TreeGraph graph, ReRootedOrder turns, Destinations dest, SlotPlan plan) {
    this.graph = graph;
    this.turns = turns;
    this.dest = dest;
    this.plan = plan;
    rows = new byte[graph.switches][];
    strayed = new int[graph.switches];
    bucketStart = new int[graph.levels + 1][];
    bucketLid = new int[graph.levels + 1][];
    wanted = new long[graph.levels + 1][];
    single = new int[graph.levels + 1][];
    many = new ManySlots[graph.levels + 1];
    viaUp = new long[graph.words];
    int most = 0;
    for (int l = 1; l <= graph.levels; l++) {
      most = Math.max(most, graph.slots[l]);
      if (graph.slots[l] > 0) {
        sortIntoBuckets(l);
      }
    }
    behind = new long[most];
  }

  private void sortIntoBuckets(int l) {
    int n = graph.slots[l];
    int[] start = new int[graph.switches * n + 1];
    int[] slot = plan.slot[l];
    int[] lids = dest.lids;
    for (int d = 0; d < graph.switches; d++) {
      for (int i = dest.start[d]; i < dest.start[d + 1]; i++) {
        start[d * n + slot[lids[i]] + 1]++;
      }
    }
    long[] bits = new long[n * graph.words];
    for (int d = 0, b = 0; d < graph.switches; d++) {
      for (int t = 0; t < n; t++, b++) {
        if (start[b + 1] > 0) {
          bits[t * graph.words + (d >>> 6)] |= 1L << d;
        }
        start[b + 1] += start[b];
      }
    }
    int[] next = start.clone();
    int[] sorted = new int[lids.length];
    for (int d = 0; d < graph.switches; d++) {
      for (int i = dest.start[d]; i < dest.start[d + 1]; i++) {
        sorted[next[d * n + slot[lids[i]]]++] = lids[i];
      }
    }
    bucketStart[l] = start;
    bucketLid[l] = sorted;
    if (n > Long.SIZE) {
      many[l] = new ManySlots(graph, turns, plan, l, start, sorted, bits);
      return;
    }
    single[l] = new int[start.length];
    for (int b = 0; b + 1 < start.length && plan.siblingsFirst; b++) {
      int lid = start[b + 1] - start[b] == 1 ? sorted[start[b]] : 0;
      if (lid > 0 && plan.key[l][lid] <= MAX_PACKED_KEY) {
        single[l][b] = lid + (plan.key[l][lid] << 16);
      }
    }
    wanted[l] = bits;
  }

  /** All rows; entries that no tree route and no turn order gives are still missing. */
  public byte[][] fill() {
    int[] classOf = new int[graph.switches];
    int[] sizes = new SwitchClasses(graph, turns).find(classOf);
    byte[][] shared = new byte[sizes.length][];
    int[] strayedOfClass = new int[sizes.length];
    int[] lastOfClass = new int[sizes.length];
    Arrays.fill(lastOfClass, -1);
    byte[][] levelTemplate = new byte[graph.levels + 1][];
    byte[][] levelPorts = new byte[graph.levels + 1][];
    for (int i = 0; i < graph.switches; i++) {
      int s = graph.rising[i];
      int c = classOf[s];
      if (sizes[c] == 1) {
        rows[s] = newRow(s, levelTemplate, levelPorts);
        fillUp(s, rows[s], true);
        strayed[s] = strays;
        fillDown(s, rows[s]);
        continue;
      }
      if (shared[c] == null) {
        shared[c] = newRow(s, levelTemplate, levelPorts);
        fillUp(s, shared[c], false);
        strayedOfClass[c] = strays;
      }
      strayed[s] = strayedOfClass[c];
      if (lastOfClass[c] >= 0 && haveSameChildren(s, lastOfClass[c])) {
        rows[s] = copyOfTwin(s, lastOfClass[c], shared[c]);
      } else {
        rows[s] = shared[c].clone();
        fillDown(s, rows[s]);
      }
      lastOfClass[c] = s;
    }
    return rows;
  }

  /**
   * How many pairs of a destination switch and a slot this switch does not send through that slot
   * though it has it, because the parent behind it does not reach them.
   */
  int strayed(int s) {
    return strayed[s];
  }

  private boolean haveSameChildren(int a, int b) {
    int x = graph.downStart[a];
    int y = graph.downStart[b];
    int n = graph.downStart[a + 1] - x;
    int shift = graph.downPortStart[y] - graph.downPortStart[x];
    for (int g = 1; g < n && n == graph.downStart[b + 1] - y; g++) {
      if (graph.downPortStart[y + g] - graph.downPortStart[x + g] != shift) {
        return false; // the same ports, but divided among the children in another way
      }
    }
    return n > 0
        && n == graph.downStart[b + 1] - y
        && Arrays.equals(graph.downChild, x, x + n, graph.downChild, y, y + n)
        && Arrays.equals(
            graph.downPort,
            graph.downPortStart[x],
            graph.downPortStart[x + n],
            graph.downPort,
            graph.downPortStart[y],
            graph.downPortStart[y + n])
        && Arrays.equals(
            graph.downCable,
            graph.downPortStart[x],
            graph.downPortStart[x + n],
            graph.downCable,
            graph.downPortStart[y],
            graph.downPortStart[y + n]);
  }

  /** The row of a switch of the same class with the same children: only the own LIDs differ. */
  private byte[] copyOfTwin(int s, int twin, byte[] shared) {
    byte[] row = rows[twin].clone();
    for (int i = dest.start[twin]; i < dest.start[twin + 1]; i++) {
      row[dest.lids[i]] = shared[dest.lids[i]];
    }
    fillOwn(s, row);
    return row;
  }

  /**
   * A row with the preferred slots as ports: copied from the level's template if its ports agree.
   */
  private byte[] newRow(int s, byte[][] levelTemplate, byte[][] levelPorts) {
    int l = graph.level[s];
    int n = graph.slots[l];
    if (n == 0) {
      byte[] row = new byte[dest.topLid + 1];
      Arrays.fill(row, TreeGraph.NO_PORT);
      return row;
    }
    if (levelTemplate[l] == null) {
      levelPorts[l] = portsOfLevel(l);
      levelTemplate[l] = preferredPorts(l, levelPorts[l], 0);
    }
    int base = graph.slotBase[s];
    for (int t = 0; t < n; t++) {
      byte port = graph.slotPort[base + t];
      if (port != TreeGraph.NO_PORT && port != levelPorts[l][t]) {
        return preferredPorts(l, graph.slotPort, base);
      }
    }
    return levelTemplate[l].clone();
  }

  /** For every slot of a level the port that the first switch that has the slot uses for it. */
  private byte[] portsOfLevel(int l) {
    byte[] ports = new byte[graph.slots[l]];
    Arrays.fill(ports, TreeGraph.NO_PORT);
    for (int s = 0; s < graph.switches; s++) {
      if (graph.level[s] != l) {
        continue;
      }
      for (int t = 0; t < ports.length; t++) {
        if (ports[t] == TreeGraph.NO_PORT) {
          ports[t] = graph.slotPort[graph.slotBase[s] + t];
        }
      }
    }
    return ports;
  }

  private byte[] preferredPorts(int l, byte[] ports, int base) {
    byte[] row = new byte[dest.topLid + 1];
    int[] slot = plan.slot[l];
    for (int lid = 0; lid < row.length; lid++) {
      row[lid] =
          dest.switchOf[lid] == Destinations.NOWHERE ? TreeGraph.NO_PORT : ports[base + slot[lid]];
    }
    return row;
  }

  /**
   * Puts right what the preferred slots cannot do.
   *
   * @param own false for the shared row of a class: then nothing depends on what lies below s
   */
  private void fillUp(int s, byte[] row, boolean own) {
    int words = graph.words;
    long[] transit = turns.transit[s];
    Arrays.fill(viaUp, 0);
    for (int g = graph.upStart[s]; g < graph.upStart[s + 1]; g++) {
      int parent = graph.upParent[g] * words;
      boolean limited = transit != null && turns.ownOnly[g];
      for (int w = 0; w < words; w++) {
        viaUp[w] |= limited ? graph.good[parent + w] & ~transit[w] : graph.good[parent + w];
      }
    }
    strays = 0;
    if (many[graph.level[s]] != null) {
      strays = many[graph.level[s]].replace(s, row, viaUp, own);
    } else {
      replaceUnusableSlots(s, row, own);
    }
    fillTurns(s, row, own);
  }

  private void replaceUnusableSlots(int s, byte[] row, boolean own) {
    int l = graph.level[s];
    int n = graph.slots[l];
    int words = graph.words;
    long[] wants = wanted[l];
    int[] one = single[l];
    int base = graph.slotBase[s];
    long[] transit = turns.transit[s];
    for (int w = 0; w < words && n > 0; w++) {
      long mind = viaUp[w] & ~(own ? graph.below[s * words + w] : 0);
      for (int t = 0; t < n; t++) {
        int parent = graph.slotParent[base + t];
        behind[t] = parent < 0 ? 0 : graph.good[parent * words + w];
        if (transit != null && parent >= 0 && turns.isOwnOnly(s, parent)) {
          behind[t] &= ~transit[w];
        }
      }
      known = 0;
      for (int t = 0; t < n; t++) {
        long bad = wants[t * words + w] & ~behind[t] & mind;
        if (bad == 0) {
          continue;
        }
        strays += graph.slotParent[base + t] < 0 ? 0 : Long.bitCount(bad);
        for (; bad != 0; bad &= bad - 1) {
          int bit = Long.numberOfTrailingZeros(bad);
          int packed = one[((w << 6) + bit) * n + t];
          if (packed > 0) { // the usual case: one LID, with its key
            row[packed & 0xffff] =
                graph.slotPort[base + nextUsable(graph, l, t, packed >>> 16, behind, bit)];
          } else {
            useOtherSlot(s, t, w, bit, row);
          }
        }
      }
    }
  }

  private void useOtherSlot(int s, int t, int w, int bit, byte[] row) {
    int l = graph.level[s];
    int base = graph.slotBase[s];
    int n = graph.slots[l];
    int b = ((w << 6) + bit) * n + t;
    int[] start = bucketStart[l];
    int[] lids = bucketLid[l];
    int[] key = plan.key[l];
    if (plan.siblingsFirst) {
      for (int i = start[b]; i < start[b + 1]; i++) {
        row[lids[i]] = graph.slotPort[base + nextUsable(graph, l, t, key[lids[i]], behind, bit)];
      }
      return;
    }
    long slots = usableSlots(n, bit);
    int count = Long.bitCount(slots);
    for (int i = start[b]; i < start[b + 1]; i++) {
      // The (key mod count)-th of the set bits.
      int k = remainder(key[lids[i]], count);
      int other = Long.numberOfTrailingZeros(Long.expand(1L << k, slots));
      row[lids[i]] = graph.slotPort[base + other];
    }
  }

  /**
   * A usable sibling of slot t if there is one, else the first usable slot from {@code from} on.
   *
   * @param behind by slot: the destinations it can be used for as bits
   */
  static int nextUsable(TreeGraph graph, int l, int t, int from, long[] behind, int bit) {
    int n = graph.slots[l];
    int keys = graph.keys[l];
    if (keys < n) {
      int sibling = firstUsableSibling(t, from, keys, n, behind, bit);
      if (sibling >= 0) {
        return sibling;
      }
    }
    int other = from;
    while ((behind[other] >>> bit & 1) == 0) {
      other = other + 1 == n ? 0 : other + 1;
    }
    return other;
  }

  /** Siblings take turns too: the key says which one is asked first. */
  private static int firstUsableSibling(int t, int from, int keys, int n, long[] behind, int bit) {
    int parallel = n / keys;
    int k = from % parallel;
    for (int step = 0; step < parallel; step++) {
      int other = t % keys + k * keys;
      if ((behind[other] >>> bit & 1) != 0) {
        return other;
      }
      k = k + 1 == parallel ? 0 : k + 1;
    }
    return -1;
  }

  /** The usable slots of one destination as bits; worked out once for each. */
  private long usableSlots(int n, int bit) {
    if ((known >>> bit & 1) == 0) {
      long slots = 0;
      for (int t = 0; t < n; t++) {
        slots |= (behind[t] >>> bit & 1) << t;
      }
      usableOf[bit] = slots;
      known |= 1L << bit;
    }
    return usableOf[bit];
  }

  /** {@code a mod b} for a below 2^20 and b up to 64 by a multiplication: division is slow. */
  private static int remainder(int a, int b) {
    if (a >= 1 << 20) {
      return a % b;
    }
    return a - (int) (a * INVERSE[b] >>> 40) * b;
  }

  private static long[] inverses() {
    long[] out = new long[Long.SIZE + 1];
    for (int b = 1; b < out.length; b++) {
      out[b] = (1L << 40) / b + 1;
    }
    return out;
  }

  private void fillTurns(int s, byte[] row, boolean own) {
    int words = graph.words;
    int parent = turns.parent[s];
    byte port = parent < 0 ? TreeGraph.NO_PORT : (byte) turns.parentPort[s];
    long last = graph.switches % 64 == 0 ? -1L : (1L << graph.switches) - 1;
    for (int w = 0; w < words; w++) {
      long blank = ~viaUp[w] & (w == words - 1 ? last : -1L);
      if (own) {
        blank &= ~graph.below[s * words + w];
      }
      long reached = parent < 0 ? 0 : turns.filled[parent * words + w];
      for (; blank != 0; blank &= blank - 1) {
        long bit = blank & -blank;
        int d = (w << 6) + Long.numberOfTrailingZeros(bit);
        if ((reached & bit) != 0 && turns.parallelPorts[s] != null) {
          dealOut(d, row, turns.parallelPorts[s]);
        } else {
          setAll(d, row, (reached & bit) != 0 ? port : -1);
        }
      }
    }
  }

  /** Sends the LIDs of a switch over parallel cables in turn. */
  private void dealOut(int d, byte[] row, byte[] ports) {
    for (int i = dest.start[d]; i < dest.start[d + 1]; i++) {
      row[dest.lids[i]] = ports[i % ports.length];
    }
  }

  private void setAll(int d, byte[] row, int port) {
    int first = dest.start[d];
    if (dest.start[d + 1] - first == 1) {
      row[dest.lids[first]] = (byte) port;
      return;
    }
    for (int r = dest.runStart[d]; r < dest.runStart[d + 1]; r++) {
      int from = dest.runLid[r];
      for (int lid = from; lid < from + dest.runLength[r]; lid++) {
        row[lid] = (byte) port;
      }
    }
  }

  private void fillDown(int s, byte[] row) {
    int words = graph.words;
    long[] done = viaUp;
    Arrays.fill(done, 0);
    for (int g = graph.downStart[s]; g < graph.downStart[s + 1]; g++) {
      int child = graph.downChild[g];
      int from = graph.downPortStart[g];
      int ports = graph.downPortStart[g + 1] - from;
      if (ports == 1 && graph.downStart[child] == graph.downStart[child + 1]) {
        // A leaf: nothing but itself lies below, and no other child leads there.
        setAll(child, row, graph.downPort[from]);
        continue;
      }
      for (int w = 0; w < words; w++) {
        long reached = graph.below[child * words + w];
        long twice = reached & done[w];
        done[w] |= reached;
        for (long bits = reached & ~twice; bits != 0; bits &= bits - 1) {
          int d = (w << 6) + Long.numberOfTrailingZeros(bits);
          if (ports == 1) {
            setAll(d, row, graph.downPort[from]);
          } else {
            setParallel(d, row, child, from, ports, false);
          }
        }
        for (; twice != 0; twice &= twice - 1) {
          int d = (w << 6) + Long.numberOfTrailingZeros(twice);
          setParallel(d, row, child, from, ports, true);
        }
      }
    }
    fillOwn(s, row);
  }

  private void fillOwn(int s, byte[] row) {
    for (int i = dest.start[s]; i < dest.start[s + 1]; i++) {
      row[dest.lids[i]] = dest.portOf[dest.lids[i]];
    }
  }

  /** Sends LIDs down the parallel link their slot names; only those on the main way if asked. */
  private void setParallel(int d, byte[] row, int child, int from, int ports, boolean mainOnly) {
    int l = graph.level[child];
    for (int i = dest.start[d]; i < dest.start[d + 1]; i++) {
      int lid = dest.lids[i];
      if (!mainOnly || plan.main[l][lid] == child) {
        row[lid] = graph.downPort[from + cable(plan.slot[l][lid] / graph.keys[l], from, ports)];
      }
    }
  }

  /** The port of a down group with that cable; if it is lost, of one that is left. */
  private int cable(int k, int from, int ports) {
    if (k < ports && (graph.downCable[from + k] & 0xff) == k) {
      return k; // as in whole bundles
    }
    for (int i = 0; i < ports; i++) {
      if ((graph.downCable[from + i] & 0xff) == k) {
        return i;
      }
    }
    return k % ports;
  }
}
