package org.heddle.topology;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.topology.generate.TreeSpec;

/**
 * Estimates the PGFT that a plane of a tree is, or was before it was damaged.
 *
 * <p>Damage removes links, switches and hosts, it rarely adds any, so each parameter is the largest
 * value that enough switches show: two of them and 2 % (one, where there are at most three). The
 * number of children is also taken from the number of sub-trees below one sub-tree, which survives
 * the loss of links. O(levels * switches + links).
 */
final class PlaneShape {
  private final SwitchGraph graph;
  private final int[] level;
  private final TreeStructure tree;
  private final int plane;
  private final int[] members;

  private PlaneShape(SwitchGraph graph, int[] level, TreeStructure tree, int plane) {
    this.graph = graph;
    this.level = level;
    this.tree = tree;
    this.plane = plane;
    int[] found = new int[graph.switches];
    int n = 0;
    for (int s = 0; s < graph.switches; s++) {
      if (tree.plane[s] == plane) {
        found[n++] = s;
      }
    }
    this.members = Arrays.copyOf(found, n);
  }

  /**
   * Shape of one plane, with w1 = 1.
   *
   * @param parallel links a host has to its leaf
   */
  static TreeSpec of(SwitchGraph graph, int[] level, TreeStructure tree, int plane, int parallel) {
    PlaneShape shape = new PlaneShape(graph, level, tree, plane);
    return shape.nearer(shape.byDegrees(parallel), shape.byCounts(parallel));
  }

  private TreeSpec byDegrees(int parallel) {
    List<Integer> m = new ArrayList<>(List.of(hostsOfALeaf(parallel)));
    List<Integer> w = new ArrayList<>(List.of(1));
    List<Integer> p = new ArrayList<>(List.of(parallel));
    for (int i = 2; i <= tree.planeLevels[plane]; i++) {
      Values children = new Values();
      Values parents = new Values();
      Values links = new Values();
      for (int s : members) {
        if (level[s] == i) {
          children.add(tree.down.count(s));
        } else if (level[s] == i - 1) {
          parents.add(tree.up.count(s));
          for (int g = 0; g < tree.up.count(s); g++) {
            links.add(tree.up.size(s, g));
          }
        }
      }
      m.add(Math.max(1, Math.max(children.robustMax(), subtreesBelow(i))));
      w.add(Math.max(1, parents.robustMax()));
      p.add(Math.max(1, links.robustMax()));
    }
    return limited(m, w, p);
  }

  private TreeSpec byCounts(int parallel) {
    List<Integer> m = new ArrayList<>(List.of(hostsOfALeaf(parallel)));
    List<Integer> w = new ArrayList<>(List.of(1));
    List<Integer> p = new ArrayList<>(List.of(parallel));
    for (int i = 2; i <= tree.planeLevels[plane]; i++) {
      Values links = new Values();
      for (int s : members) {
        if (level[s] == i - 1) {
          links.add(tree.up.links(s));
        }
      }
      int parents = ratio(topsOfASubtree(i), topsOfASubtree(i - 1));
      m.add(Math.max(1, subtreesBelow(i)));
      w.add(parents);
      p.add(ratio(links.robustMax(), parents));
    }
    return limited(m, w, p);
  }

  private int hostsOfALeaf(int parallel) {
    Values hosts = new Values();
    for (int s : members) {
      if (level[s] == 1) {
        hosts.add((graph.hosts[s] + parallel - 1) / parallel);
      }
    }
    return Math.max(1, hosts.robustMax());
  }

  private static int ratio(int a, int b) {
    return Math.max(1, (int) Math.round((double) a / b));
  }

  /**
   * The first shape, unless the second comes nearer to the number of switches: where the links
   * between two levels are spread over more neighbours than in any PGFT (each spine reaching
   * several switches of one sub-tree), degrees mislead, and the PGFT with as many switches and
   * links, fewer neighbours and more parallel links describes the tree better.
   */
  private TreeSpec nearer(TreeSpec degrees, TreeSpec counts) {
    int off = 0;
    int offCounts = 0;
    for (int i = 1; i <= degrees.levels(); i++) {
      int switches = 0;
      for (int s : members) {
        switches += level[s] == i ? 1 : 0;
      }
      off += Math.abs(degrees.nodes(i) - switches);
      offCounts += Math.abs(counts.nodes(i) - switches);
    }
    return 2 * off > members.length && offCounts < off ? counts : degrees;
  }

  private int topsOfASubtree(int i) {
    int[] tops = new int[tree.subtreeCount[i]];
    for (int s : members) {
      if (level[s] == i) {
        tops[tree.subtree[i][s]]++;
      }
    }
    Values counts = new Values();
    for (int n : tops) {
      if (n > 0) {
        counts.add(n);
      }
    }
    return Math.max(1, counts.robustMax());
  }

  // A tree read from a file can be so irregular, or so high (a chain of switches), that the PGFT of
  // its parameters would not exist.
  private TreeSpec limited(List<Integer> m, List<Integer> w, List<Integer> p) {
    try {
      return new TreeSpec(m, w, p);
    } catch (IllegalArgumentException e) {
      List<Integer> ones = Collections.nCopies(Math.min(m.size(), TreeSpec.MAX_LEVELS), 1);
      return new TreeSpec(ones, ones, ones);
    }
  }

  /** Typical number of (i-1)-level sub-trees in an i-level one; small splinters do not count. */
  private int subtreesBelow(int i) {
    int[] leaves = new int[tree.subtreeCount[i - 1]];
    int[] whole = new int[leaves.length];
    Values sizes = new Values();
    for (int leaf : tree.leaves) {
      leaves[tree.subtree[i - 1][leaf]]++;
      whole[tree.subtree[i - 1][leaf]] =
          tree.plane[leaf] == plane ? tree.subtree[i][leaf] : Fabric.NONE;
    }
    for (int t = 0; t < leaves.length; t++) {
      if (leaves[t] > 0 && whole[t] != Fabric.NONE) {
        sizes.add(leaves[t]);
      }
    }
    int typical = sizes.robustMax();
    int[] parts = new int[tree.subtreeCount[i]];
    for (int t = 0; t < leaves.length; t++) {
      if (whole[t] != Fabric.NONE && 2 * leaves[t] > typical) {
        parts[whole[t]]++;
      }
    }
    Values counts = new Values();
    for (int n : parts) {
      if (n > 0) {
        counts.add(n);
      }
    }
    return counts.robustMax();
  }

  /** A collection of small numbers of which the largest credible one is wanted. */
  static final class Values {
    private int[] values = new int[64];
    private int n;

    void add(int value) {
      if (n == values.length) {
        values = Arrays.copyOf(values, 2 * n);
      }
      values[n++] = value;
    }

    /** The largest value that enough others reach; 0 if there is none. */
    int robustMax() {
      if (n == 0) {
        return 0;
      }
      Arrays.sort(values, 0, n);
      int needed = n <= 3 ? 1 : Math.max(2, (n + 49) / 50);
      return values[n - needed];
    }
  }
}
