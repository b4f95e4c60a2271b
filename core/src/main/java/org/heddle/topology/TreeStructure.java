package org.heddle.topology;

import java.util.Arrays;
import java.util.Optional;
import org.heddle.fabric.Fabric;

/** Everything about a recognised tree beyond the levels; the fields of {@link FatTree}. */
final class TreeStructure {
  final int[] plane;
  final int[] planeLevels;
  final int[][] subtree;
  final int[] subtreeCount;
  final int[] roots;
  final PortGroups up;
  final PortGroups down;
  final long[] upLinks; // by level
  final long[] downLinks;
  final int[] upperHostPorts;
  final int[] leaves;
  final Optional<ShapeFit> fit;

  private TreeStructure(int levels, int switches) {
    plane = new int[switches];
    Arrays.fill(plane, Fabric.NONE);
    planeLevels = new int[0];
    subtree = new int[levels + 1][switches];
    for (int[] row : subtree) {
      Arrays.fill(row, Fabric.NONE);
    }
    subtreeCount = new int[levels + 1];
    roots = new int[0];
    up = PortGroups.none(switches);
    down = PortGroups.none(switches);
    upLinks = new long[levels + 1];
    downLinks = new long[levels + 1];
    upperHostPorts = new int[0];
    leaves = new int[0];
    fit = Optional.empty();
  }

  /** Nothing known. */
  static TreeStructure unknown(int levels, int switches) {
    return new TreeStructure(levels, switches);
  }

  /** O(levels * switches + links + leaves log leaves). */
  TreeStructure(SwitchGraph graph, int[] level, int levels) {
    int n = graph.switches;
    subtree = Subtrees.representatives(graph, level, levels);
    leaves = orderLeaves(level, levels);
    subtreeCount = new int[levels + 1];
    for (int i = 1; i <= levels; i++) {
      subtreeCount[i] = renumber(subtree[i]);
    }
    plane = subtree[levels];
    planeLevels = new int[subtreeCount[levels]];
    for (int s = 0; s < n; s++) {
      if (level[s] > 0) {
        planeLevels[plane[s]] = Math.max(planeLevels[plane[s]], level[s]);
      }
    }
    up = PortGroups.of(graph, level, 1);
    down = PortGroups.of(graph, level, -1);
    upLinks = new long[levels + 1];
    downLinks = new long[levels + 1];
    int[] tops = new int[n];
    int count = 0;
    for (int s = 0; s < n; s++) {
      upLinks[level[s]] += up.links(s);
      downLinks[level[s]] += level[s] == 1 ? graph.hosts[s] : down.links(s);
      if (level[s] > 0 && level[s] == planeLevels[plane[s]]) {
        tops[count++] = s;
      }
    }
    roots = Arrays.copyOf(tops, count);
    upperHostPorts = findUpperHostPorts(graph, level);
    fit = Optional.of(ShapeFitter.fit(graph, level, this));
  }

  // Sub-trees are ordered by their smallest leaf, so a leaf's place is given by the smallest leaf
  // of
  // its sub-tree at the highest level, then of that at the next lower one, and so on.
  private int[] orderLeaves(int[] level, int levels) {
    int n = level.length;
    int[][] smallest = new int[levels + 1][n];
    int count = 0;
    Integer[] order = new Integer[n];
    for (int[] row : smallest) {
      Arrays.fill(row, Fabric.NONE);
    }
    for (int s = 0; s < n; s++) {
      if (level[s] != 1) {
        continue;
      }
      order[count++] = s;
      for (int i = 1; i <= levels; i++) {
        int root = subtree[i][s];
        smallest[i][root] = smallest[i][root] == Fabric.NONE ? s : smallest[i][root];
      }
    }
    Arrays.sort(
        order,
        0,
        count,
        (a, b) -> {
          for (int i = levels; i >= 1; i--) {
            int c = Integer.compare(smallest[i][subtree[i][a]], smallest[i][subtree[i][b]]);
            if (c != 0) {
              return c;
            }
          }
          return 0;
        });
    int[] out = new int[count];
    for (int i = 0; i < count; i++) {
      out[i] = order[i];
    }
    return out;
  }

  // From representatives to numbers in leaf order; sub-trees without leaf come last, by switch id.
  private int renumber(int[] row) {
    int[] number = new int[row.length];
    Arrays.fill(number, Fabric.NONE);
    int next = 0;
    for (int leaf : leaves) {
      if (number[row[leaf]] == Fabric.NONE) {
        number[row[leaf]] = next++;
      }
    }
    for (int s = 0; s < row.length; s++) {
      if (row[s] != Fabric.NONE && number[row[s]] == Fabric.NONE) {
        number[row[s]] = next++;
      }
    }
    for (int s = 0; s < row.length; s++) {
      row[s] = row[s] == Fabric.NONE ? Fabric.NONE : number[row[s]];
    }
    return next;
  }

  private static int[] findUpperHostPorts(SwitchGraph graph, int[] level) {
    Fabric fabric = graph.fabric;
    int[] out = new int[fabric.portIdLimit()];
    int n = 0;
    for (int s = 0; s < graph.switches; s++) {
      for (int k = 1; k <= fabric.portCount(s) && level[s] > 1 && graph.hosts[s] > 0; k++) {
        int port = fabric.port(s, k);
        if (SwitchGraph.isHost(fabric, fabric.peerNode(port))) {
          out[n++] = fabric.peer(port);
        }
      }
    }
    int[] sorted = Arrays.copyOf(out, n);
    Arrays.sort(sorted);
    return sorted;
  }
}
