package org.heddle.routing.tree;

/**
 * An engine's decision: for every LID and every level of switches, the up slot ({@link TreeGraph})
 * that switches of that level use for it if they can.
 */
public final class SlotPlan {
  /** {@code slot[l][lid]}: preferred slot at switches of level l, for l with slots; else null. */
  public final int[][] slot;

  /** {@code main[l][lid]}: the switch of level l on the main path to the LID, or -1. */
  public final int[][] main;

  /**
   * {@code key[l][lid]}: where to go if the preferred slot is of no use. Without {@link
   * #siblingsFirst} to the (key mod n)-th of the n slots that are; with it, to another link to the
   * same parent, else to the first usable slot from the key on, which is then a slot itself.
   */
  public final int[][] key;

  /** See {@link #key}. */
  final boolean siblingsFirst;

  public SlotPlan(TreeGraph graph, int topLid, boolean siblingsFirst) {
    this.siblingsFirst = siblingsFirst;
    slot = new int[graph.levels + 1][];
    main = new int[graph.levels + 1][];
    key = new int[graph.levels + 1][];
    for (int l = 1; l <= graph.levels; l++) {
      main[l] = new int[topLid + 1];
      java.util.Arrays.fill(main[l], -1);
      if (graph.slots[l] > 0) {
        slot[l] = new int[topLid + 1];
        key[l] = new int[topLid + 1];
      }
    }
  }

  /**
   * Sets the slots of a LID at the levels {@code from .. to-1} so that they lead to a switch of
   * level {@code to}: the way up to it is determined by the planes it lies in.
   *
   * @param spread chooses between parallel links
   */
  public void leadTo(TreeGraph graph, int lid, int from, int target, int spread) {
    int to = graph.level[target];
    for (int l = Math.max(1, from); l < to; l++) {
      if (lead(graph, slot, l, lid, target, spread)) {
        key[l][lid] = slot[l][lid];
      }
    }
  }

  /** Lets two LIDs of one switch change places; keys have to be worked out afterwards. */
  public void swap(int a, int b) {
    for (int l = 1; l < slot.length; l++) {
      if (slot[l] != null) {
        swap(slot[l], a, b);
        swap(key[l], a, b);
      }
      swap(main[l], a, b);
    }
  }

  public static void swap(int[] values, int a, int b) {
    int value = values[a];
    values[a] = values[b];
    values[b] = value;
  }

  /** Sets the slot of one level so that it leads towards a switch above; false if it has none. */
  public static boolean lead(
      TreeGraph graph, int[][] slot, int l, int lid, int target, int spread) {
    if (slot[l] == null) {
      return false;
    }
    int parallel = graph.slots[l] / graph.keys[l];
    slot[l][lid] = graph.slotTowards(l, target) + spread % parallel * graph.keys[l];
    return true;
  }
}
