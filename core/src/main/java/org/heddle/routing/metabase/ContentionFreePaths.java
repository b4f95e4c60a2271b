package org.heddle.routing.metabase;

import java.util.Arrays;
import org.heddle.routing.tree.TreeGraph;
import org.heddle.solver.SharedColours;

/**
 * Paths for ranks that are contiguous on leaves, with the leaves in any order, on a tree of three
 * levels, so that no two flows of one step of bruck or recursive doubling share a channel.
 *
 * <p>With one spanning tree a destination that is impossible as a rule: if every channel down
 * carries one destination, the roots of a leaf's hosts are a colouring of the leaves that must suit
 * all steps at once, and there is seldom one. So a destination comes down over several roots here,
 * for different senders, and channels down carry more destinations than with FTree. In each step a
 * leaf sends to one leaf, or part of what it sends in another step.
 *
 * <ol>
 *   <li>Leaf p sends to leaf q by the slots its hosts have anyway, all shifted by the same number:
 *       distinct, so at the leaves nothing meets. Leaves of one sub-tree that send to the same leaf
 *       in different steps shift differently, so no switch of level 2 sees a destination from two
 *       of them, and its slot for the destination need only suit the steps of one pair of leaves.
 *   <li>In every plane each step is then a bipartite graph between sub-trees with a flow a leaf,
 *       for which as many up-links as a sub-tree has leaves are colours enough (K&ouml;nig). Pairs
 *       of leaves that occur in a step of bruck and in one of recursive doubling need one colour
 *       for both, and then there need not be any: a search, {@link SharedColours}.
 *   <li>The result is followed, step by step; if anything meets after all, there is none.
 * </ol>
 */
final class ContentionFreePaths {
  private static final int MAX_LEAVES = 2048; // pairs of them are kept in an array

  private final TreeGraph graph;
  private final int[] lid; // by rank
  private final int[][] slot; // by level and LID, before
  private final int leaves; // that have ranks, in their order
  private final int perLeaf;
  private final int[] leaf; // by position
  private final int[] pod; // by position: number of the sub-tree
  private final int pods;

  private int pairs; // of leaves; what is sent inside a sub-tree counts
  private final int[] pairOf; // position * leaves + position -> pair or -1
  private int[] shift; // by pair
  private int[] upper; // by pair: slot at level 2, -1 inside a sub-tree

  /** An entry that differs from the spanning tree of its LID. */
  record Change(int sw, int lid, int slot) {}

  private ContentionFreePaths(TreeGraph graph, LeafRanks ranks, int[][] slot) {
    this.graph = graph;
    this.slot = slot;
    lid = ranks.lid;
    perLeaf = ranks.perLeaf;
    leaves = ranks.leaves;
    leaf = ranks.leaf;
    pod = ranks.group[2];
    pods = ranks.groups[2];
    pairOf = new int[leaves * leaves];
    Arrays.fill(pairOf, -1);
  }

  /**
   * Finds ways.
   *
   * @param slot by level and LID, what hosts have by rank
   * @return changes to that, none if nothing meets as it is; null if the tree or the order is not
   *     of the kind this is for, or none were found
   */
  static Change[] find(TreeGraph graph, LeafRanks ranks, int[][] slot) {
    boolean fits = graph.levels == 3 && Integer.bitCount(ranks.perLeaf) == 1;
    if (!fits || ranks.leaves > MAX_LEAVES) {
      return null;
    }
    ContentionFreePaths ways = new ContentionFreePaths(graph, ranks, slot);
    ways.collectPairs();
    ways.shift = new int[ways.pairs];
    if (ways.areSeparate(false)) {
      return new Change[0];
    }
    return ways.shiftPairs() && ways.chooseUpper() && ways.areSeparate(true)
        ? ways.changes()
        : null;
  }

  /** The leaf to which leaf p sends in a step, or -1; even steps are bruck's. */
  private int receiver(int p, int step) {
    int d = 1 << (step >> 1);
    if ((step & 1) == 0) {
      return (p + d) % leaves;
    }
    int half = Integer.highestOneBit(leaves);
    return p < half && d < half ? p ^ d : -1;
  }

  /** Steps in which whole leaves send to whole leaves; shorter ones are parts of the first. */
  private int steps() {
    return 2 * (32 - Integer.numberOfLeadingZeros(leaves - 1));
  }

  private void collectPairs() {
    for (int step = 0; step < steps(); step++) {
      for (int p = 0; p < leaves; p++) {
        int q = receiver(p, step);
        if (q >= 0 && pairOf[p * leaves + q] < 0) {
          pairOf[p * leaves + q] = pairs++;
        }
      }
    }
    upper = new int[pairs];
    Arrays.fill(upper, -1);
  }

  /** False if more leaves of a sub-tree send to one leaf than there are slots. */
  private boolean shiftPairs() {
    int[] taken = new int[pods];
    for (int q = 0; q < leaves; q++) {
      Arrays.fill(taken, 0);
      for (int p = 0; p < leaves; p++) {
        int pair = pairOf[p * leaves + q];
        if (pair >= 0 && pod[p] != pod[q]) {
          shift[pair] = taken[pod[p]]++;
          if (shift[pair] >= graph.slots[1]) {
            return false;
          }
        }
      }
    }
    return true;
  }

  /** Slots at level 2, part by part of what has pairs in common. */
  private boolean chooseUpper() {
    int[] part = new int[steps()];
    for (int k = 0; k < part.length; k++) {
      part[k] = k;
    }
    int[] stepOf = new int[pairs];
    Arrays.fill(stepOf, -1);
    for (int step = 0; step < part.length; step++) {
      for (int p = 0; p < leaves; p++) {
        int q = receiver(p, step);
        int pair = q < 0 ? -1 : pairOf[p * leaves + q];
        if (pair >= 0 && stepOf[pair] >= 0) {
          join(part, part[stepOf[pair]], part[step]);
        } else if (pair >= 0) {
          stepOf[pair] = step;
        }
      }
    }
    for (int k = 0; k < part.length; k++) {
      if (!colour(part, k)) {
        return false;
      }
    }
    return true;
  }

  private static void join(int[] part, int a, int b) {
    for (int k = 0; k < part.length; k++) {
      part[k] = part[k] == b ? a : part[k];
    }
  }

  private boolean colour(int[] part, int wanted) {
    int[][] groups = new int[pairs][];
    int[] things = new int[pairs];
    int n = 0;
    for (int step = 0; step < part.length; step++) {
      for (int p = 0; p < leaves && part[step] == wanted; p++) {
        int q = receiver(p, step);
        if (q < 0 || pod[p] == pod[q]) {
          continue;
        }
        int pair = pairOf[p * leaves + q];
        if (groups[pair] == null) {
          groups[pair] = new int[0];
          things[n++] = pair;
        }
        int old = groups[pair].length;
        groups[pair] = Arrays.copyOf(groups[pair], old + 2);
        groups[pair][old] = (2 * step) * pods + pod[p];
        groups[pair][old + 1] = (2 * step + 1) * pods + pod[q];
      }
    }
    int[][] found = new int[n][];
    for (int i = 0; i < n; i++) {
      found[i] = groups[things[i]];
    }
    int[] colour = SharedColours.find(found, 2 * part.length * pods, graph.slots[2]);
    for (int i = 0; i < n && colour != null; i++) {
      upper[things[i]] = colour[i];
    }
    return colour != null;
  }

  // ---- what comes of it

  private int lowerSlot(int pair, int to) {
    return (slot[1][to] + shift[pair]) % graph.slots[1];
  }

  private int upperSlot(int pair, int to, boolean changed) {
    return changed && upper[pair] >= 0 ? upper[pair] : slot[2][to];
  }

  /** Follows all flows up, and their mirror images down. */
  private boolean areSeparate(boolean changed) {
    int channels = graph.slotParent.length;
    int[] up = new int[channels];
    int[] down = new int[channels];
    for (int step = 0; step < steps(); step++) {
      for (int p = 0; p < leaves; p++) {
        int q = receiver(p, step);
        int pair = q < 0 ? -1 : pairOf[p * leaves + q];
        for (int i = 0; i < perLeaf && pair >= 0; i++) {
          if (!takes(p, q, lid[q * perLeaf + i], pair, changed, up, down, step + 1)) {
            return false;
          }
        }
      }
    }
    return true;
  }

  private boolean takes(
      int p, int q, int to, int pair, boolean changed, int[] up, int[] down, int stamp) {
    int s = leaf[p];
    int e = leaf[q];
    for (int l = 1; l < graph.levels && s != e; l++) {
      int t = l == 1 ? lowerSlot(pair, to) : upperSlot(pair, to, changed);
      int c = graph.slotBase[s] + t;
      int d = graph.slotBase[e] + t;
      if (graph.slotParent[c] < 0
          || graph.slotParent[d] < 0
          || !graph.isGood(graph.slotParent[c], leaf[q])
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

  private Change[] changes() {
    Change[] out = new Change[2 * pairs * perLeaf];
    int n = 0;
    for (int p = 0; p < leaves; p++) {
      for (int q = 0; q < leaves; q++) {
        int pair = pairOf[p * leaves + q];
        for (int i = 0; i < perLeaf && pair >= 0; i++) {
          int to = lid[q * perLeaf + i];
          int t = lowerSlot(pair, to);
          int mid = graph.slotParent[graph.slotBase[leaf[p]] + t];
          if (t != slot[1][to]) {
            out[n++] = new Change(leaf[p], to, t);
          }
          if (upper[pair] >= 0 && upper[pair] != slot[2][to]) {
            out[n++] = new Change(mid, to, upper[pair]);
          }
        }
      }
    }
    return Arrays.copyOf(out, n);
  }
}
