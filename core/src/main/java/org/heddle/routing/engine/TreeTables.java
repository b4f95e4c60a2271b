package org.heddle.routing.engine;

import java.util.Arrays;

/**
 * Fills forwarding tables from a {@link SlotPlan}, switch by switch.
 *
 * <p>A row starts as a copy of its level's template (the preferred slots as ports). Three kinds of
 * entries are then put right, each found by bit sets instead of looking at every entry: those whose
 * slot is missing or leads nowhere useful (another usable slot), those to switches that no up/down
 * route reaches (the {@link TurnOrder}), and those to what lies below (the port down). Switches of
 * one class, that is with the same parents on the same ports, share everything but the last step.
 */
final class TreeTables {
  private final TreeGraph graph;
  private final TurnOrder turns;
  private final Destinations dest;
  private final SlotPlan plan;

  private final byte[][] rows;
  private final int[][] bucketStart; // by level: (switch, slot) -> first index into bucketLid
  private final int[][] bucketLid; // by level: LIDs by (switch, slot)
  private final long[][] wanted; // by level: bit (slot, d): a LID of d prefers the slot
  private final int[][] wantedStart; // by level and word: first index into wantedSlot
  private final int[][] wantedSlot; // by level: slots whose bits of that word are not all 0
  private final long[] viaUp; // scratch: what the parents of the current switch are good for
  private final long[] behind; // scratch: by present slot, 64 destinations its parent is good for
  private final int[] present; // scratch: slots that the current switch has
  private final int[] placeOf; // scratch: place of a slot in present; ~ that of the next if missing
  private int presentCount;
  private final int[] usable; // scratch: usable slots

  TreeTables(TreeGraph graph, TurnOrder turns, Destinations dest, SlotPlan plan) {
    this.graph = graph;
    this.turns = turns;
    this.dest = dest;
    this.plan = plan;
    rows = new byte[graph.switches][];
    bucketStart = new int[graph.levels + 1][];
    bucketLid = new int[graph.levels + 1][];
    wanted = new long[graph.levels + 1][];
    wantedStart = new int[graph.levels + 1][];
    wantedSlot = new int[graph.levels + 1][];
    viaUp = new long[graph.words];
    int most = 0;
    for (int l = 1; l <= graph.levels; l++) {
      most = Math.max(most, graph.slots[l]);
      if (graph.slots[l] > 0) {
        sortIntoBuckets(l);
      }
    }
    behind = new long[most];
    present = new int[most];
    placeOf = new int[most];
    usable = new int[most + 1];
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
    wanted[l] = bits;
    indexWanted(l);
  }

  /** Irregular trees have far more slots than a switch has links: most of the bits are 0 then. */
  private void indexWanted(int l) {
    int n = graph.slots[l];
    int words = graph.words;
    int[] start = new int[words + 1];
    int[] slots = new int[Math.min(n * words, dest.lids.length)];
    int count = 0;
    for (int w = 0; w < words; w++) {
      for (int t = 0; t < n; t++) {
        if (wanted[l][t * words + w] != 0) {
          slots[count++] = t;
        }
      }
      start[w + 1] = count;
    }
    wantedStart[l] = start;
    wantedSlot[l] = slots;
  }

  /** All rows; entries that no tree route and no turn order gives are still missing. */
  byte[][] fill() {
    int[] classOf = new int[graph.switches];
    int[] sizes = new SwitchClasses(graph, turns).find(classOf);
    byte[][] shared = new byte[sizes.length][];
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
        fillDown(s, rows[s]);
        continue;
      }
      if (shared[c] == null) {
        shared[c] = newRow(s, levelTemplate, levelPorts);
        fillUp(s, shared[c], false);
      }
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
    int l = graph.level[s];
    findPresent(s, graph.slots[l]);
    for (int w = 0; w < words && graph.slots[l] > 0; w++) {
      long skip = ~viaUp[w] | (own ? graph.below[s * words + w] : 0);
      for (int i = 0; i < presentCount; i++) {
        int parent = graph.slotParent[graph.slotBase[s] + present[i]];
        behind[i] = graph.good[parent * words + w];
        if (transit != null && turns.isOwnOnly(s, parent)) {
          behind[i] &= ~transit[w];
        }
      }
      for (int i = wantedStart[l][w]; i < wantedStart[l][w + 1]; i++) {
        int t = wantedSlot[l][i];
        int place = placeOf[t];
        long bad = wanted[l][t * words + w] & ~(place < 0 ? 0 : behind[place]) & ~skip;
        for (; bad != 0; bad &= bad - 1) {
          useOtherSlot(s, t, w, Long.numberOfTrailingZeros(bad), row);
        }
      }
    }
    fillTurns(s, row, own);
  }

  private void findPresent(int s, int n) {
    presentCount = 0;
    for (int t = 0; t < n; t++) {
      boolean missing = graph.slotParent[graph.slotBase[s] + t] < 0;
      placeOf[t] = missing ? ~presentCount : presentCount;
      if (!missing) {
        present[presentCount++] = t;
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
    int from = start[b];
    int to = start[b + 1];
    if (plan.key == null) {
      int next = placeOf[t] < 0 ? ~placeOf[t] - 1 : placeOf[t];
      do {
        next = next + 1 >= presentCount ? 0 : next + 1;
      } while ((behind[next] >>> bit & 1) == 0);
      byte port = graph.slotPort[base + present[next]];
      for (int i = from; i < to; i++) {
        row[lids[i]] = port;
      }
      return;
    }
    int count = 0;
    for (int i = 0; i < presentCount; i++) {
      usable[count] = present[i];
      count += (int) (behind[i] >>> bit & 1);
    }
    for (int i = from; i < to; i++) {
      int lid = lids[i];
      row[lid] = graph.slotPort[base + usable[plan.key[l][lid] % count]];
    }
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
        setAll((w << 6) + Long.numberOfTrailingZeros(bit), row, (reached & bit) != 0 ? port : -1);
      }
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
        row[lid] = graph.downPort[from + plan.slot[l][lid] / graph.keys[l] % ports];
      }
    }
  }
}
