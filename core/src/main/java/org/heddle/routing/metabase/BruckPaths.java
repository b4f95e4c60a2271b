package org.heddle.routing.metabase;

import java.util.Arrays;
import org.heddle.routing.tree.TreeGraph;
import org.heddle.solver.EdgeColours;
import org.heddle.solver.SharedColours;

/**
 * Paths for ranks that are contiguous on leaves, with the leaves in any order and as many up-links
 * as hosts on each, so that no two flows of one step of bruck share a channel.
 *
 * <p>In the step of distance d the host with index y on its leaf is sent to from the leaf {@code
 * ceil((d - y) / hosts of a leaf)} positions before its own, the same for all leaves. So the
 * question is small:
 *
 * <ol>
 *   <li>For every index and offset of positions a slot at the leaves. Different for the indices of
 *       one step: then leaves send and get one flow a slot. Different for the offsets of one index:
 *       then above the leaves no switch sees a destination from two leaves, and nothing has to suit
 *       two steps at once. {@link SharedColours}, a few hundred things whatever the tree.
 *   <li>What goes over one plane in one step is one offset, a flow from every leaf: edges of a
 *       bipartite graph between sub-trees, as many at each as it has leaves, for which as many
 *       up-links are colours enough ({@link EdgeColours}); level by level.
 *   <li>The result is followed, step by step; if anything meets after all (links are dead), there
 *       is none.
 * </ol>
 *
 * <p>O(ranks * offsets), with about as many offsets as steps.
 */
final class BruckPaths {
  private final TreeGraph graph;
  private final LeafRanks ranks;
  private final int[][] slot; // by level and LID, before
  private final int perLeaf;
  private final int leaves;
  private final int[] numberOf; // by offset: its number, or -1
  private final int[] offsets; // by number
  private int count;
  private boolean[] used; // number * perLeaf + index: some step sends so
  private int[] lower; // number * perLeaf + index -> slot at the leaf; null: as it was before
  private int[][][] upper; // by level, number and position of the sender: slot, -1 below its top

  private BruckPaths(TreeGraph graph, LeafRanks ranks, int[][] slot) {
    this.graph = graph;
    this.ranks = ranks;
    this.slot = slot;
    perLeaf = ranks.perLeaf;
    leaves = ranks.leaves;
    numberOf = new int[leaves];
    offsets = new int[leaves];
    Arrays.fill(numberOf, -1);
  }

  /**
   * Finds ways.
   *
   * @param slot by level and LID, what hosts have by rank
   * @return null if none were found
   */
  static BruckPaths find(TreeGraph graph, LeafRanks ranks, int[][] slot) {
    BruckPaths ways = new BruckPaths(graph, ranks, slot);
    ways.collectOffsets();
    if (ways.areSeparate()) {
      return ways; // as it is
    }
    return ways.chooseLower() && ways.chooseUpper() && ways.areSeparate() ? ways : null;
  }

  /** Positions between a host with this index and the leaf that sends to it; 0: its own leaf. */
  private int offset(int distance, int index) {
    return distance <= index ? 0 : (distance - index + perLeaf - 1) / perLeaf % leaves;
  }

  private void collectOffsets() {
    for (int d = 1; d < ranks.lid.length; d *= 2) {
      for (int y = 0; y < perLeaf; y++) {
        int o = offset(d, y);
        if (o > 0 && numberOf[o] < 0) {
          offsets[count] = o;
          numberOf[o] = count++;
        }
      }
    }
    used = new boolean[count * perLeaf];
    for (int d = 1; d < ranks.lid.length; d *= 2) {
      for (int y = 0; y < perLeaf; y++) {
        int o = offset(d, y);
        if (o > 0) {
          used[numberOf[o] * perLeaf + y] = true;
        }
      }
    }
  }

  private boolean chooseLower() {
    int things = 0;
    int[] thing = new int[count * perLeaf];
    int[][] groups = new int[count * perLeaf][0];
    Arrays.fill(thing, -1);
    int step = perLeaf; // groups below this number: the indices
    for (int d = 1; d < ranks.lid.length; d *= 2, step++) {
      for (int y = 0; y < perLeaf; y++) {
        int o = offset(d, y);
        if (o == 0) {
          continue;
        }
        int at = numberOf[o] * perLeaf + y;
        if (thing[at] < 0) {
          thing[at] = things;
          groups[things++] = new int[] {y};
        }
        int[] old = groups[thing[at]];
        groups[thing[at]] = Arrays.copyOf(old, old.length + 1);
        groups[thing[at]][old.length] = step;
      }
    }
    int[] colour = SharedColours.find(Arrays.copyOf(groups, things), step, graph.slots[1]);
    lower = new int[thing.length];
    for (int i = 0; i < thing.length && colour != null; i++) {
      lower[i] = thing[i] < 0 ? -1 : colour[thing[i]];
    }
    return colour != null;
  }

  private boolean chooseUpper() {
    upper = new int[graph.levels][count][leaves];
    for (int number = 0; number < count; number++) {
      int[] plane = new int[leaves]; // of the levels so far
      int planes = 1;
      for (int l = 2; l < graph.levels; l++) {
        Arrays.fill(upper[l][number], -1);
        for (int k = 0; k < planes; k++) {
          if (!colour(l, number, plane, k)) {
            return false;
          }
        }
        for (int p = 0; p < leaves; p++) {
          plane[p] = plane[p] * graph.slots[l] + Math.max(0, upper[l][number][p]);
        }
        planes *= graph.slots[l];
      }
    }
    return true;
  }

  /** Slots at a level for what comes up in one plane. */
  private boolean colour(int l, int number, int[] plane, int wanted) {
    int[] group = ranks.group[l];
    int[] from = new int[leaves];
    int[] to = new int[leaves];
    int[] sender = new int[leaves];
    int n = 0;
    for (int p = 0; p < leaves; p++) {
      int q = (p + offsets[number]) % leaves;
      if (plane[p] == wanted && group[p] != group[q]) {
        sender[n] = p;
        from[n] = group[p];
        to[n++] = group[q];
      }
    }
    int[] colour =
        EdgeColours.find(
            Arrays.copyOf(from, n), Arrays.copyOf(to, n), ranks.groups[l], graph.slots[l]);
    for (int i = 0; i < n && colour != null; i++) {
      upper[l][number][sender[i]] = colour[i];
    }
    return colour != null;
  }

  // ---- what comes of it

  private int slotAt(int l, int number, int p, int rank) {
    int to = ranks.lid[rank];
    if (lower == null) {
      return slot[l][to];
    }
    return l == 1 ? lower[number * perLeaf + rank % perLeaf] : upper[l][number][p];
  }

  /**
   * Slot to a rank at the switch of level l above leaf p that is reached over these planes, if some
   * step of bruck uses its entry, else -1.
   *
   * @param path slots below that level as one number, the first one highest
   */
  int inUse(int l, int p, int path, int rank) {
    int[] group = ranks.group[l];
    int q = rank / perLeaf;
    for (int number = 0; number < count && group[q] != group[p]; number++) {
      int sender = Math.floorMod(q - offsets[number], leaves);
      if (group[sender] == group[p] && used[number * perLeaf + rank % perLeaf]) {
        int planes = 0;
        for (int k = 1; k < l; k++) {
          planes = planes * graph.slots[k] + slotAt(k, number, sender, rank);
        }
        if (planes == path) {
          return slotAt(l, number, sender, rank);
        }
      }
    }
    return -1;
  }

  /** Follows all flows up, and their mirror images down. */
  private boolean areSeparate() {
    int[] up = new int[graph.slotParent.length];
    int[] down = new int[graph.slotParent.length];
    int n = ranks.lid.length;
    int stamp = 0;
    for (int d = 1; d < n; d *= 2) {
      stamp++;
      for (int r = 0; r < n; r++) {
        int rank = (int) (((long) r + d) % n);
        int o = offset(d, rank % perLeaf);
        if (o > 0 && !takes(r / perLeaf, rank, numberOf[o], up, down, stamp)) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean takes(int p, int rank, int number, int[] up, int[] down, int stamp) {
    int s = ranks.leaf[p];
    int target = ranks.leaf[rank / perLeaf];
    int e = target;
    for (int l = 1; l < graph.levels && s != e; l++) {
      int t = slotAt(l, number, p, rank);
      int c = graph.slotBase[s] + t;
      int d = graph.slotBase[e] + t;
      if (t < 0
          || graph.slotParent[c] < 0
          || graph.slotParent[d] < 0
          || !graph.isGood(graph.slotParent[c], target)
          || up[c] == stamp
          || down[d] == stamp) {
        return false;
      }
      up[c] = stamp;
      down[d] = stamp;
      s = graph.slotParent[c];
      e = graph.slotParent[d];
    }
    return s == e;
  }

  /** Changes to what hosts have by rank, none if nothing meets as it is. */
  ContentionFreePaths.Change[] changes() {
    if (lower == null) {
      return new ContentionFreePaths.Change[0];
    }
    ContentionFreePaths.Change[] out =
        new ContentionFreePaths.Change[(graph.levels - 1) * count * ranks.lid.length];
    int n = 0;
    for (int number = 0; number < count; number++) {
      for (int rank = 0; rank < ranks.lid.length; rank++) {
        int p = Math.floorMod(rank / perLeaf - offsets[number], leaves);
        int s = ranks.leaf[p];
        for (int l = 1; l < graph.levels && used[number * perLeaf + rank % perLeaf]; l++) {
          int t = slotAt(l, number, p, rank);
          if (t < 0) {
            break; // goes down from here
          }
          out[n++] = new ContentionFreePaths.Change(s, ranks.lid[rank], t);
          s = graph.slotParent[graph.slotBase[s] + t];
        }
      }
    }
    return Arrays.copyOf(out, n);
  }
}
