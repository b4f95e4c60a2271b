package org.heddle.allocation;

import java.util.Arrays;
import org.heddle.fabric.Fabric;
import org.heddle.topology.FatTree;

/**
 * Planes of the rails that share level-2 switches, found from the structure: connected components
 * of the switches of levels 2 and 3 without the leaves. On a regular tree these are the switches
 * with the same digit b_2.
 *
 * <p>A component with several level-2 switches in one sub-tree gives as many planes, by their rank
 * in the sub-tree: what goes up at one rank can come down at the same rank, on links of its own.
 * Damage tears components apart; parts that share no sub-tree get the same number again, so that
 * numbers stay as few as a switch has ports. Parts with the same number have different root links
 * and thus cannot be mistaken for each other.
 *
 * <p>A leaf that has k adapters of every machine is a leaf of k rails, its <i>lanes</i>: each has a
 * share of the planes, or of the parallel links if there are more of these. Root links of a level-2
 * switch that leaves of several rails use are dealt out to the rails in turn. So no link is in two
 * rails, and what is free in one is free in all.
 */
final class RailPlanes {
  private final Fabric fabric;
  private final FatTree tree;
  private final PlantShape shape;
  private final FullRates rates;
  private final int[] rails;
  private final int lanes;
  private final boolean byPlane;
  private final int sharers;
  private final int[] label;

  /** Sub-tree (index in the plant) of a level-2 switch, or NONE. */
  private final int[] subtree;

  /** Number of planes. */
  final int labels;

  /** Largest number of links between a leaf and its level-2 switch, by plane, of one lane. */
  final int[] parallel;

  /** Largest number of root links of a plane, for one rail. */
  final int rootLinks;

  /** By plane: {@code parallel number << 32 | root switch}, sorted. */
  private final long[][] rootKeys;

  /**
   * Planes of some rails.
   *
   * @param rails those that share level-2 switches, the lanes of a leaf one after the other
   * @param lanes rails a leaf has
   */
  RailPlanes(
      Fabric fabric, FatTree tree, PlantShape shape, FullRates rates, int[] rails, int lanes) {
    this.fabric = fabric;
    this.tree = tree;
    this.shape = shape;
    this.rates = rates;
    this.rails = rails;
    this.lanes = lanes;
    int n = fabric.switchCount();
    label = new int[n];
    Arrays.fill(label, Fabric.NONE);
    subtree = new int[n];
    Arrays.fill(subtree, Fabric.NONE);
    findSubtrees();
    int planes = numberPlanes(components());
    int[] links = countParallel(planes);
    int[] split = split(links);
    int[] thinned = Arrays.stream(links).map(k -> k / lanes).toArray();
    byPlane = Arrays.stream(split).sum() >= Arrays.stream(thinned).sum();
    parallel = byPlane ? split : thinned;
    labels = parallel.length;
    sharers = byPlane ? rails.length / lanes : rails.length;
    rootKeys = collectRoots(planes);
    int most = 0;
    for (long[] keys : rootKeys) {
      most = Math.max(most, keys.length);
    }
    rootLinks = most / sharers;
  }

  /** The parallel links of planes that stand for as many planes as a leaf has lanes. */
  private int[] split(int[] links) {
    int[] out = new int[links.length / lanes];
    for (int q = 0; q < out.length; q++) {
      out[q] = Arrays.stream(links, q * lanes, (q + 1) * lanes).min().orElse(0);
    }
    return out;
  }

  /** The leaf of a rail in a unit, or NONE if its links are nobody's. */
  private int leaf(int rail, int unit) {
    return shape.linked[unit] ? shape.leafSwitch[rail][unit] : Fabric.NONE;
  }

  private void findSubtrees() {
    for (int rail : rails) {
      for (int l = 0; l < shape.leafSubtree.length; l++) {
        int leaf = leaf(rail, l);
        for (int g = 0; leaf != Fabric.NONE && g < tree.upGroupCount(leaf); g++) {
          subtree[tree.upGroupSwitch(leaf, g)] = shape.leafSubtree[l];
        }
      }
    }
  }

  /** Smallest level-2 or level-3 switch id of the component, by switch. */
  private int[] components() {
    int[] parent = new int[label.length];
    for (int s = 0; s < parent.length; s++) {
      parent[s] = s;
    }
    for (int s = 0; s < parent.length; s++) {
      for (int g = 0; subtree[s] != Fabric.NONE && g < tree.upGroupCount(s); g++) {
        int a = find(parent, s);
        int b = find(parent, tree.upGroupSwitch(s, g));
        parent[Math.max(a, b)] = Math.min(a, b);
      }
    }
    for (int s = 0; s < parent.length; s++) {
      parent[s] = find(parent, s);
    }
    return parent;
  }

  private static int find(int[] parent, int s) {
    int x = s;
    while (parent[x] != x) {
      parent[x] = parent[parent[x]];
      x = parent[x];
    }
    return x;
  }

  /**
   * Gives every level-2 switch the number of its plane: components that reach most sub-trees first,
   * each rank of a component the smallest number none of its sub-trees has yet.
   */
  private int numberPlanes(int[] component) {
    int n = label.length;
    int subtrees = shape.firstLeaf.length - 1;
    int[] rank = new int[n];
    int[] count = new int[n]; // level-2 switches of a component
    int[] ranks = new int[n];
    int[][] seen = new int[n][];
    int[] order = new int[n];
    int components = 0;
    for (int s = 0; s < n; s++) {
      if (subtree[s] != Fabric.NONE) {
        int c = component[s];
        if (seen[c] == null) {
          seen[c] = new int[subtrees];
          order[components++] = c;
        }
        rank[s] = seen[c][subtree[s]]++;
        ranks[c] = Math.max(ranks[c], rank[s] + 1);
        count[c]++;
      }
    }
    long[] keys = new long[components];
    for (int i = 0; i < components; i++) {
      keys[i] = (long) (n - count[order[i]]) << 32 | order[i];
    }
    Arrays.sort(keys);
    boolean[][] used = new boolean[subtrees][n + 1];
    int most = 0;
    for (long key : keys) {
      for (int r = 0; r < ranks[(int) key]; r++) {
        most = Math.max(most, 1 + assign(component, rank, (int) key, r, used));
      }
    }
    return most;
  }

  private int assign(int[] component, int[] rank, int c, int r, boolean[][] used) {
    int q = 0;
    while (!fits(component, rank, c, r, used, q)) {
      q++;
    }
    for (int s = 0; s < label.length; s++) {
      if (subtree[s] != Fabric.NONE && component[s] == c && rank[s] == r) {
        label[s] = q;
        used[subtree[s]][q] = true;
      }
    }
    return q;
  }

  private boolean fits(int[] component, int[] rank, int c, int r, boolean[][] used, int q) {
    for (int s = 0; s < label.length; s++) {
      if (subtree[s] != Fabric.NONE && component[s] == c && rank[s] == r && used[subtree[s]][q]) {
        return false;
      }
    }
    return true;
  }

  private int[] countParallel(int planes) {
    int[] out = new int[planes];
    for (int rail : rails) {
      for (int l = 0; l < shape.leafSubtree.length; l++) {
        int leaf = leaf(rail, l);
        for (int g = 0; leaf != Fabric.NONE && g < tree.upGroupCount(leaf); g++) {
          int q = label[tree.upGroupSwitch(leaf, g)];
          out[q] = Math.max(out[q], tree.upGroupSize(leaf, g));
        }
      }
    }
    return out;
  }

  private long[][] collectRoots(int planes) {
    long[][] out = new long[planes][];
    int[] used = new int[planes];
    for (int q = 0; q < planes; q++) {
      out[q] = new long[16];
    }
    for (int s = 0; s < label.length; s++) {
      for (int g = 0; label[s] != Fabric.NONE && g < tree.upGroupCount(s); g++) {
        for (int k = 0; k < tree.upGroupSize(s, g); k++) {
          int q = label[s];
          if (used[q] == out[q].length) {
            out[q] = Arrays.copyOf(out[q], 2 * used[q]);
          }
          out[q][used[q]++] = (long) k << 32 | tree.upGroupSwitch(s, g);
        }
      }
    }
    for (int q = 0; q < planes; q++) {
      out[q] = Arrays.stream(out[q], 0, used[q]).sorted().distinct().toArray();
    }
    return out;
  }

  /** The plane of a rail that a level-2 switch is in, or NONE. */
  private int plane(int sw, int rail) {
    int q = label[sw];
    if (q == Fabric.NONE || !byPlane) {
      return q;
    }
    return q % lanes == lane(rail) && q / lanes < labels ? q / lanes : Fabric.NONE;
  }

  /** What a rail makes of the k-th of parallel links: its number, or NONE. */
  private int link(int k, int plane, int rail) {
    int number = byPlane ? k : k % lanes == lane(rail) ? k / lanes : Fabric.NONE;
    return number < parallel[plane] ? number : Fabric.NONE;
  }

  private int index(int rail) {
    return Arrays.binarySearch(rails, rail);
  }

  private int lane(int rail) {
    return index(rail) % lanes;
  }

  /**
   * Enters the ports of these rails.
   *
   * @param position by plane and number of the parallel link
   */
  void fill(int[][] position) {
    for (int rail : rails) {
      for (int l = 0; l < shape.leafSubtree.length; l++) {
        if (leaf(rail, l) != Fabric.NONE) {
          fillLeaf(rail, l, position);
        }
      }
    }
    for (int rail : rails) { // what is asked of links to roots is known now
      for (int s = 0; s < label.length; s++) {
        int q = plane(s, rail);
        if (q != Fabric.NONE) {
          fillRoots(rail, s, subtree[s] * shape.planes + q);
        }
      }
    }
  }

  private void fillLeaf(int rail, int l, int[][] position) {
    int leaf = leaf(rail, l);
    for (int g = 0; g < tree.upGroupCount(leaf); g++) {
      int q = plane(tree.upGroupSwitch(leaf, g), rail);
      for (int k = 0; q != Fabric.NONE && k < tree.upGroupSize(leaf, g); k++) {
        int number = link(k, q, rail);
        if (number != Fabric.NONE) {
          int port = fabric.port(leaf, tree.upGroupPort(leaf, g, k));
          if (rates.isSlow(port)) {
            shape.slow.set(port);
          } else {
            rates.given(port);
            shape.upPort[rail][l * shape.planeOf.length + position[q][number]] = port;
          }
        }
      }
    }
  }

  private void fillRoots(int rail, int s, int at) {
    shape.spine[rail][at] = s;
    long[] keys = rootKeys[label[s]];
    int mine = byPlane ? index(rail) / lanes : index(rail);
    for (int g = 0; g < tree.upGroupCount(s); g++) {
      for (int k = 0; k < tree.upGroupSize(s, g); k++) {
        int key = Arrays.binarySearch(keys, (long) k << 32 | tree.upGroupSwitch(s, g));
        int r = key / sharers;
        if (key % sharers == mine && r < shape.rootLinks) {
          int port = fabric.port(s, tree.upGroupPort(s, g, k));
          if (rates.isSlow(port)) {
            shape.slow.set(port);
          } else {
            shape.rootPort[rail][at * shape.rootLinks + r] = port;
          }
        }
      }
    }
  }
}
