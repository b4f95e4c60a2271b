package org.heddle.routing.engine;

import java.util.Arrays;

/**
 * Which channels belong to physically isolated partitions, in both directions of every up slot.
 *
 * <p>The traffic of a partition to one destination rises from every switch that has a sender, each
 * level through the destination's slot of that level, until it reaches an ancestor of the
 * destination, and comes down the destination's main way. So a slot is free for a partition if it
 * is free, upwards, at every switch its traffic passes on that level, and, downwards, at the
 * destination's own.
 */
final class ChannelClaims {
  private static final int NOBODY = -1;

  private final TreeGraph graph;
  private final PartitionMap map;
  private final int[] up; // partition by slot index, or NOBODY
  private final int[] down;
  private final int[] stamp;
  private final int[][] taken; // by level and slot
  private int stamps;

  ChannelClaims(TreeGraph graph, PartitionMap map) {
    this.graph = graph;
    this.map = map;
    up = new int[graph.slotParent.length];
    down = new int[graph.slotParent.length];
    Arrays.fill(up, NOBODY);
    Arrays.fill(down, NOBODY);
    stamp = new int[graph.switches];
    taken = new int[graph.levels + 1][];
    for (int l = 1; l <= graph.levels; l++) {
      taken[l] = new int[graph.slots[l]];
    }
  }

  private boolean isFree(int owner, int p) {
    return owner == NOBODY || !map.clash(owner, p);
  }

  /**
   * True if traffic of partition p to switch d may take slot t of one level.
   *
   * @param at the switches that traffic passes on this level
   * @param main the destination's own switch of this level
   */
  boolean allows(int[] at, int count, int main, int d, int t, int p) {
    if (!isFree(down[graph.slotBase[main] + t], p)) {
      return false;
    }
    for (int i = 0; i < count; i++) {
      int s = at[i];
      if (graph.isBelow(s, d)) {
        continue;
      }
      int index = graph.slotBase[s] + t;
      int parent = graph.slotParent[index];
      if (parent < 0 || !graph.isGood(parent, d) || !isFree(up[index], p)) {
        return false;
      }
    }
    return true;
  }

  /** Takes slot t of one level for partition p. */
  void take(int[] at, int count, int main, int d, int t, int p) {
    int l = graph.level[main];
    taken[l][t] += claim(down, graph.slotBase[main] + t, p);
    for (int i = 0; i < count; i++) {
      if (!graph.isBelow(at[i], d)) {
        taken[l][t] += claim(up, graph.slotBase[at[i]] + t, p);
      }
    }
  }

  private static int claim(int[] owners, int index, int p) {
    int before = owners[index];
    owners[index] = p;
    return before == NOBODY ? 1 : 0;
  }

  /** How many channels of a slot are taken by somebody: to pack claims together. */
  int taken(int l, int t) {
    return taken[l][t];
  }

  /**
   * Moves to the next level: the parents behind slot t of those switches that are no ancestors of d
   * yet, without repetition.
   *
   * @return their number, written over {@code at}
   */
  int climb(int[] at, int count, int d, int t) {
    stamps++;
    int n = 0;
    for (int i = 0; i < count; i++) {
      int s = at[i];
      int parent =
          graph.isBelow(s, d) || graph.slots[graph.level[s]] <= t
              ? -1
              : graph.slotParent[graph.slotBase[s] + t];
      if (parent >= 0 && stamp[parent] != stamps) {
        stamp[parent] = stamps;
        at[n++] = parent;
      }
    }
    return n;
  }
}
