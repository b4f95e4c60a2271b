package org.heddle.routing.tree;

/**
 * What {@link TreeTables} does for destinations whose preferred slot cannot be used, on levels with
 * more than 64 slots. On irregular trees, where every root may be a plane of its own, there are
 * thousands of slots of which a switch has a few dozen; this class looks at those only, and at the
 * slots that some destination prefers. The outcome is the same.
 */
final class ManySlots {
  private final TreeGraph graph;
  private final ReRootedOrder turns;
  private final SlotPlan plan;
  private final int level;
  private final int slots;
  private final int[] bucketStart;
  private final int[] bucketLid;
  private final long[] wanted;
  private final int[] wantedStart; // by word: first index into wantedSlot
  private final int[] wantedSlot; // slots whose bits of that word are not all 0
  private final int[] present; // scratch: slots that the current switch has
  private final int[] placeOf; // scratch: place of a slot in present, ~ that of the next if missing
  private final long[] behind; // scratch: by place, 64 destinations that the parent is good for
  private final int[] usable; // scratch
  private int count;

  /**
   * One level.
   *
   * @param bucketStart first LID of (destination switch, slot) in bucketLid
   * @param wanted bit (slot, destination switch): some LID of it prefers the slot
   */
  ManySlots(
      TreeGraph graph,
      ReRootedOrder turns,
      SlotPlan plan,
      int level,
      int[] bucketStart,
      int[] bucketLid,
      long[] wanted) {
    this.graph = graph;
    this.turns = turns;
    this.plan = plan;
    this.level = level;
    this.bucketStart = bucketStart;
    this.bucketLid = bucketLid;
    this.wanted = wanted;
    slots = graph.slots[level];
    int words = graph.words;
    wantedStart = new int[words + 1];
    int[] found = new int[Math.min(slots * words, bucketLid.length)];
    int n = 0;
    for (int w = 0; w < words; w++) {
      for (int t = 0; t < slots; t++) {
        if (wanted[t * words + w] != 0) {
          found[n++] = t;
        }
      }
      wantedStart[w + 1] = n;
    }
    wantedSlot = found;
    present = new int[slots];
    placeOf = new int[slots];
    behind = new long[slots];
    usable = new int[slots];
  }

  /**
   * Replaces the entries of a switch of this level whose slot is of no use.
   *
   * @param viaUp destinations that some parent is good for
   * @param own false: nothing depends on what lies below the switch
   * @return see {@link TreeTables#strayed}
   */
  int replace(int s, byte[] row, long[] viaUp, boolean own) {
    int words = graph.words;
    int strays = 0;
    findPresent(s);
    for (int w = 0; w < words; w++) {
      long mind = viaUp[w] & ~(own ? graph.below[s * words + w] : 0);
      look(s, w);
      for (int i = wantedStart[w]; i < wantedStart[w + 1]; i++) {
        int t = wantedSlot[i];
        int place = placeOf[t];
        long bad = wanted[t * words + w] & ~(place < 0 ? 0 : behind[place]) & mind;
        strays += place < 0 ? 0 : Long.bitCount(bad);
        for (; bad != 0; bad &= bad - 1) {
          useOther(s, t, w, Long.numberOfTrailingZeros(bad), row);
        }
      }
    }
    return strays;
  }

  private void findPresent(int s) {
    count = 0;
    for (int t = 0; t < slots; t++) {
      boolean missing = graph.slotParent[graph.slotBase[s] + t] < 0;
      placeOf[t] = missing ? ~count : count;
      if (!missing) {
        present[count++] = t;
      }
    }
  }

  private void look(int s, int w) {
    for (int i = 0; i < count; i++) {
      int parent = graph.slotParent[graph.slotBase[s] + present[i]];
      behind[i] = graph.good[parent * graph.words + w];
      if (turns.isOwnOnly(s, parent)) {
        behind[i] &= ~turns.transit[s][w];
      }
    }
  }

  private void useOther(int s, int t, int w, int bit, byte[] row) {
    int b = ((w << 6) + bit) * slots + t;
    int n = plan.siblingsFirst ? 0 : collect(bit);
    for (int i = bucketStart[b]; i < bucketStart[b + 1]; i++) {
      int lid = bucketLid[i];
      int key = plan.key[level][lid];
      int other = plan.siblingsFirst ? nextUsable(t, key, bit) : usable[key % n];
      row[lid] = graph.slotPort[graph.slotBase[s] + other];
    }
  }

  private int collect(int bit) {
    int n = 0;
    for (int i = 0; i < count; i++) {
      usable[n] = present[i];
      n += (int) (behind[i] >>> bit & 1);
    }
    return n;
  }

  private int nextUsable(int t, int from, int bit) {
    int keys = graph.keys[level];
    for (int step = keys; step < slots; step += keys) {
      int place = placeOf[(t + step) % slots];
      if (place >= 0 && (behind[place] >>> bit & 1) != 0) {
        return present[place];
      }
    }
    int i = placeOf[from] < 0 ? ~placeOf[from] : placeOf[from];
    i = i == count ? 0 : i;
    while ((behind[i] >>> bit & 1) == 0) {
      i = i + 1 == count ? 0 : i + 1;
    }
    return present[i];
  }
}
