package org.heddle.routing.tree;

/**
 * Whether a tree is regular: every switch has all up slots of its level, one link each, to the next
 * level, from which every leaf can be reached, and every leaf is on level 1. Then a switch sends
 * what does not go down to the port of the wanted slot, whatever the destination, and phase I of a
 * {@code Metabase} need not find out.
 */
public final class RegularTree {
  private RegularTree() {}

  /** O(switches * (up-links + switches / 64)). */
  public static boolean is(
      TreeGraph graph, ReRootedOrder turns, Destinations dest, LeafHosts hosts) {
    if (RemainingEntries.hasGaps(graph, turns)) {
      return false;
    }
    for (int l = 1; l < graph.levels; l++) {
      if (graph.slots[l] < 2 || graph.keys[l] != graph.slots[l]) {
        return false;
      }
    }
    long[] leaves = new long[graph.words];
    for (int i = 0; i < hosts.leaves; i++) {
      int leaf = hosts.switches[i];
      if (graph.level[leaf] != 1 || !hasOwnLid(dest, leaf)) {
        return false;
      }
      leaves[leaf >>> 6] |= 1L << leaf;
    }
    for (int s = 0; s < graph.switches; s++) {
      if (graph.level[s] < 1 || turns.transit[s] != null || !hasAllSlots(graph, s)) {
        return false;
      }
      for (int w = 0; w < graph.words; w++) {
        if ((leaves[w] & ~graph.good[s * graph.words + w]) != 0) {
          return false;
        }
      }
    }
    return true;
  }

  private static boolean hasOwnLid(Destinations dest, int s) {
    for (int i = dest.start[s]; i < dest.start[s + 1]; i++) {
      if (dest.portOf[dest.lids[i]] == 0) {
        return true;
      }
    }
    return false;
  }

  private static boolean hasAllSlots(TreeGraph graph, int s) {
    int l = graph.level[s];
    int base = graph.slotBase[s];
    int n = graph.slots[l];
    if (graph.upLinks[s] != n) { // a link more would be to a level or a place of its own
      return false;
    }
    for (int t = 0; t < n; t++) {
      int parent = graph.slotParent[base + t];
      if (parent < 0 || graph.level[parent] != l + 1) {
        return false;
      }
    }
    return true;
  }
}
