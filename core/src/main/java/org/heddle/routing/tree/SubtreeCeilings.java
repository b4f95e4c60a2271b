package org.heddle.routing.tree;

/**
 * How many destinations a downward channel of a well-balanced tree carries at most.
 *
 * <p>The sub-tree of a switch of level l is everything connected to it through switches of level l
 * and below. Of its destinations, D must be reached from outside of it, over the L links that its
 * switches of level l still have to the levels above; so one of these links carries at least ceil(D
 * / L), and none need carry more. At level 1 the sub-tree is the leaf. O(levels * switches + links
 * + LIDs * levels).
 */
public final class SubtreeCeilings {
  private SubtreeCeilings() {}

  /**
   * The ceiling of every switch's channels from above; 0 for switches without any.
   *
   * @param reach level up to which a LID must climb
   */
  public static int[] of(TreeGraph graph, Destinations dest, int[] reach) {
    int[] root = new int[graph.switches];
    for (int s = 0; s < root.length; s++) {
      root[s] = s;
    }
    int[] out = new int[graph.switches];
    for (int l = 1; l < graph.levels; l++) {
      for (int s = 0; s < graph.switches; s++) {
        for (int g = graph.upStart[s]; g < graph.upStart[s + 1]; g++) {
          if (graph.level[graph.upParent[g]] <= l) {
            root[find(root, s)] = find(root, graph.upParent[g]);
          }
        }
      }
      int[] climbing = new int[graph.switches];
      int[] links = new int[graph.switches];
      for (int lid = 0; lid < reach.length; lid++) {
        if (reach[lid] > l && graph.level[dest.switchOf[lid]] <= l) {
          climbing[find(root, dest.switchOf[lid])]++;
        }
      }
      for (int s = 0; s < graph.switches; s++) {
        if (graph.level[s] == l) {
          links[find(root, s)] += graph.upLinks[s];
        }
      }
      for (int s = 0; s < graph.switches; s++) {
        int top = find(root, s);
        if (graph.level[s] == l && links[top] > 0) {
          out[s] = (climbing[top] + links[top] - 1) / links[top];
        }
      }
    }
    return out;
  }

  private static int find(int[] root, int s) {
    int at = s;
    while (root[at] != at) {
      root[at] = root[root[at]];
      at = root[at];
    }
    return at;
  }
}
