package org.heddle.routing.partition;

import java.util.Arrays;
import org.heddle.routing.tree.TreeGraph;

/**
 * The channels that belong to physically isolated partitions, in both directions of every up slot.
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
  private final boolean[] open; // by switch: every slot is there, and none is claimed upwards
  private int stamps;

  ChannelClaims(TreeGraph graph, PartitionMap map) {
    this.graph = graph;
    this.map = map;
    up = new int[graph.slotParent.length];
    down = new int[graph.slotParent.length];
    Arrays.fill(up, NOBODY);
    Arrays.fill(down, NOBODY);
    stamp = new int[graph.switches];
    open = new boolean[graph.switches];
    for (int s = 0; s < graph.switches; s++) {
      open[s] = true;
      for (int t = graph.slotBase[s]; t < graph.slotBase[s + 1]; t++) {
        open[s] &= graph.slotParent[t] >= 0;
      }
    }
    taken = new int[graph.levels + 1][];
    for (int l = 1; l <= graph.levels; l++) {
      taken[l] = new int[graph.slots[l]];
    }
  }

  private boolean isFree(int owner, int p) {
    return owner == NOBODY || !map.clash(owner, p);
  }

  /**
   * For every slot of a level the number of switches at which partition p cannot take it upwards:
   * it is missing there, or claimed by somebody it clashes with.
   *
   * @param at the switches that the partition's traffic passes on this level
   */
  int[] blocked(int[] at, int count, int l, int p) {
    int[] blocked = new int[graph.slots[l]];
    for (int i = 0; i < count; i++) {
      int base = graph.slotBase[at[i]];
      boolean counts = graph.level[at[i]] == l && !open[at[i]];
      for (int t = 0; t < blocked.length && counts; t++) {
        blocked[t] += isBlocked(base + t, p) ? 1 : 0;
      }
    }
    return blocked;
  }

  private boolean isBlocked(int index, int p) {
    return graph.slotParent[index] < 0 || !isFree(up[index], p);
  }

  /**
   * True if traffic of partition p to switch d may take slot t of one level.
   *
   * @param blocked see {@link #blocked}; the destination's own switch sends nothing up and does not
   *     count
   * @param passes true if the destination's own switch of this level is one of those counted
   */
  boolean allows(int[] blocked, int main, boolean passes, int t, int p) {
    int index = graph.slotBase[main] + t;
    int own = passes && isBlocked(index, p) ? 1 : 0;
    return blocked[t] - own == 0 && isFree(down[index], p);
  }

  /** On a damaged tree: true if all switches reach d through the slot. */
  boolean reaches(int[] at, int count, int d, int t) {
    for (int i = 0; i < count; i++) {
      if (!graph.isBelow(at[i], d)) {
        int parent = graph.slotParent[graph.slotBase[at[i]] + t];
        if (parent < 0 || !graph.isGood(parent, d)) {
          return false;
        }
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
        open[at[i]] = false;
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
   * Moves to the next level: the parents behind slot t, without repetition.
   *
   * @return their number, written over {@code at}
   */
  int climb(int[] at, int count, int t) {
    stamps++;
    int n = 0;
    for (int i = 0; i < count; i++) {
      int s = at[i];
      int parent = graph.slots[graph.level[s]] <= t ? -1 : graph.slotParent[graph.slotBase[s] + t];
      if (parent >= 0 && stamp[parent] != stamps) {
        stamp[parent] = stamps;
        at[n++] = parent;
      }
    }
    return n;
  }
}
