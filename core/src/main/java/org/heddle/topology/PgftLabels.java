package org.heddle.topology;

import java.util.Arrays;
import org.heddle.fabric.Fabric;
import org.heddle.topology.generate.TreeSpec;

/**
 * Decides whether a tree with the right degrees everywhere is a PGFT.
 *
 * <p>Tries to give the switches of level i the digits b_2..b_i of their PGFT label, as one number.
 * Inside an i-level sub-tree the first (i-1)-level sub-tree keeps its labels; a top switch of any
 * other must have the parents of exactly one top switch of the first, and takes over its label.
 * That renaming must respect the digits below: switches that share a prefix must go on sharing it.
 * If all that works, labels are consistent and the tree is a PGFT; if the tree is a PGFT, it works.
 *
 * <p>O(links + levels * switches).
 */
final class PgftLabels {
  private final SwitchGraph graph;
  private final int[] level;
  private final TreeStructure tree;
  private final TreeSpec spec;
  private final int[] label;

  private PgftLabels(SwitchGraph graph, int[] level, TreeStructure tree, TreeSpec spec) {
    this.graph = graph;
    this.level = level;
    this.tree = tree;
    this.spec = spec;
    this.label = new int[graph.switches];
  }

  /** True if labels exist. Every switch must have the numbers of groups that the spec says. */
  static boolean exist(SwitchGraph graph, int[] level, TreeStructure tree, TreeSpec spec) {
    PgftLabels labels = new PgftLabels(graph, level, tree, spec);
    for (int i = 2; i <= spec.levels(); i++) {
      if (!labels.labelLevel(i)) {
        return false;
      }
    }
    return true;
  }

  private boolean labelLevel(int i) {
    int[] children = childrenBySubtree(i);
    int[] owner = new int[graph.switches]; // child in the first sub-tree, by parent
    Arrays.fill(owner, Fabric.NONE);
    int from = 0;
    int whole = Fabric.NONE;
    while (from < children.length) {
      int to = from;
      int part = tree.subtree[i - 1][children[from]];
      while (to < children.length && tree.subtree[i - 1][children[to]] == part) {
        to++;
      }
      boolean first = tree.subtree[i][children[from]] != whole;
      whole = tree.subtree[i][children[from]];
      boolean fine =
          first
              ? adopt(Arrays.copyOfRange(children, from, to), owner, i)
              : compare(Arrays.copyOfRange(children, from, to), owner, i);
      if (!fine) {
        return false;
      }
      from = to;
    }
    for (int s = 0; s < graph.switches; s++) {
      if (level[s] == i && owner[s] == Fabric.NONE) {
        return false;
      }
    }
    return true;
  }

  /** Switches of level i-1, those of one i-level and one (i-1)-level sub-tree together. */
  private int[] childrenBySubtree(int i) {
    long[] keys = new long[graph.switches];
    int n = 0;
    for (int s = 0; s < graph.switches; s++) {
      if (level[s] == i - 1) {
        keys[n++] = (long) tree.subtree[i][s] << 40 | (long) tree.subtree[i - 1][s] << 20 | s;
      }
    }
    Arrays.sort(keys, 0, n);
    int[] out = new int[n];
    for (int j = 0; j < n; j++) {
      out[j] = (int) (keys[j] & 0xfffff);
    }
    return out;
  }

  private boolean adopt(int[] part, int[] owner, int i) {
    for (int x : part) {
      for (int g = 0; g < tree.up.count(x); g++) {
        int parent = tree.up.peer(x, g);
        if (owner[parent] != Fabric.NONE) {
          return false;
        }
        owner[parent] = x;
        label[parent] = label[x] * spec.w(i) + g;
      }
    }
    return true;
  }

  private boolean compare(int[] part, int[] owner, int i) {
    boolean[] taken = new boolean[part.length];
    int[][] renamed = new int[i][];
    for (int y : part) {
      int x = owner[tree.up.peer(y, 0)];
      if (x == Fabric.NONE || !tree.up.samePeers(x, y)) {
        return false;
      }
      if (label[x] >= taken.length || taken[label[x]]) {
        return false;
      }
      taken[label[x]] = true;
      int oldPrefix = label[y];
      int newPrefix = label[x];
      for (int l = i - 1; l >= 2; l--) {
        if (renamed[l] == null) {
          renamed[l] = new int[part.length];
          Arrays.fill(renamed[l], Fabric.NONE);
        }
        if (renamed[l][oldPrefix] == Fabric.NONE) {
          renamed[l][oldPrefix] = newPrefix;
        } else if (renamed[l][oldPrefix] != newPrefix) {
          return false;
        }
        oldPrefix /= spec.w(l);
        newPrefix /= spec.w(l);
      }
    }
    return true;
  }
}
