package org.heddle.routing.metabase;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.heddle.routing.tree.Destinations;
import org.heddle.routing.tree.TreeGraph;

/**
 * Ranks that are contiguous on leaves with equal numbers of hosts, on a tree without parallel
 * links: the leaves in the order of their ranks, called positions, and the sub-trees they are in.
 * Immutable.
 */
final class LeafRanks {
  /** One LID a rank. */
  final int[] lid;

  final int perLeaf;

  /** Number of leaves that have ranks. */
  final int leaves;

  /** Leaf switch by position. */
  final int[] leaf;

  /** By level, from 1 (leaves) to below the roots, and position: number of the sub-tree. */
  final int[][] group;

  /** Number of sub-trees by level. */
  final int[] groups;

  private LeafRanks(int levels, int[] lid, int perLeaf) {
    this.lid = lid;
    this.perLeaf = perLeaf;
    leaves = lid.length / perLeaf;
    leaf = new int[leaves];
    group = new int[levels][leaves];
    groups = new int[levels];
  }

  /**
   * Looks at an order.
   *
   * @param slot by level and LID, what hosts have; those of a leaf must differ at level 1
   * @return null if the order or the tree is not of this kind. Where links are dead it may be of
   *     this kind, and still a switch may miss a slot
   */
  static LeafRanks of(TreeGraph graph, Destinations dest, RankedLids ranked, int[][] slot) {
    int[] lid = ranked.lids;
    int n = lid.length;
    if (graph.levels < 3 || n == 0 || ranked.rank[lid[n - 1]] != n - 1) {
      return null;
    }
    for (int l = 1; l < graph.levels; l++) {
      if (graph.slots[l] == 0 || graph.slots[l] != graph.keys[l]) {
        return null;
      }
    }
    int perLeaf = 1;
    while (perLeaf < n && dest.switchOf[lid[perLeaf]] == dest.switchOf[lid[0]]) {
      perLeaf++;
    }
    if (n % perLeaf != 0 || perLeaf > graph.slots[1]) {
      return null;
    }
    LeafRanks ranks = new LeafRanks(graph.levels, lid, perLeaf);
    return ranks.findLeaves(graph, dest, slot) && ranks.findGroups(graph) ? ranks : null;
  }

  private boolean findLeaves(TreeGraph graph, Destinations dest, int[][] slot) {
    boolean[] seen = new boolean[graph.switches];
    boolean[] taken = new boolean[graph.slots[1]];
    for (int p = 0; p < leaves; p++) {
      int s = dest.switchOf[lid[p * perLeaf]];
      if (seen[s] || graph.level[s] != 1) {
        return false;
      }
      seen[s] = true;
      leaf[p] = s;
      Arrays.fill(taken, false);
      for (int r = p * perLeaf; r < (p + 1) * perLeaf; r++) {
        int t = slot[1][lid[r]];
        if (dest.switchOf[lid[r]] != s || dest.portOf[lid[r]] == 0 || taken[t]) {
          return false;
        }
        taken[t] = true;
      }
    }
    return true;
  }

  /** Leaves are in one sub-tree if following the first slots leads to one switch. */
  private boolean findGroups(TreeGraph graph) {
    int[] at = leaf.clone();
    groups[1] = leaves;
    for (int p = 0; p < leaves; p++) {
      group[1][p] = p;
    }
    for (int l = 2; l < graph.levels; l++) {
      Map<Integer, Integer> numbers = new HashMap<>();
      for (int p = 0; p < leaves; p++) {
        at[p] = graph.slotParent[graph.slotBase[at[p]]];
        if (at[p] < 0) {
          return false;
        }
        Integer known = numbers.putIfAbsent(at[p], groups[l]);
        group[l][p] = known == null ? groups[l]++ : known;
      }
    }
    return true;
  }
}
