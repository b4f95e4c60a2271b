package org.heddle.topology;

import java.util.Arrays;
import org.heddle.fabric.Fabric;

/**
 * The i-level sub-trees: connected components of the switches of levels up to i, joined by links
 * between adjacent levels.
 *
 * <p>Incremental union-find, O(levels * switches + links).
 */
final class Subtrees {
  private Subtrees() {}

  /**
   * Representatives by level and switch.
   *
   * @param level by switch, 0 for none
   * @return {@code [i][s]}: smallest switch id of the i-level sub-tree of s, or NONE if level[s] is
   *     0 or above i; index 0 is unused
   */
  static int[][] representatives(SwitchGraph graph, int[] level, int levels) {
    int n = graph.switches;
    int[] parent = new int[n];
    for (int s = 0; s < n; s++) {
      parent[s] = s;
    }
    int[][] out = new int[levels + 1][n];
    Arrays.fill(out[0], Fabric.NONE);
    for (int i = 1; i <= levels; i++) {
      for (int s = 0; s < n; s++) {
        if (level[s] == i) {
          joinDown(graph, level, parent, s);
        }
      }
      for (int s = 0; s < n; s++) {
        out[i][s] = level[s] == 0 || level[s] > i ? Fabric.NONE : find(parent, s);
      }
    }
    return out;
  }

  private static void joinDown(SwitchGraph graph, int[] level, int[] parent, int s) {
    for (int e = graph.start[s]; e < graph.start[s + 1]; e++) {
      int child = graph.peer[e];
      if (level[child] == level[s] - 1 && level[child] > 0) {
        int a = find(parent, s);
        int b = find(parent, child);
        parent[Math.max(a, b)] = Math.min(a, b);
      }
    }
  }

  private static int find(int[] parent, int s) {
    int x = s;
    while (parent[x] != x) {
      parent[x] = parent[parent[x]];
      x = parent[x];
    }
    return x;
  }
}
