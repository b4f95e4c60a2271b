package org.heddle.routing.engine;

import org.heddle.topology.FatTree;

/**
 * Where traffic may turn from down to up without closing a credit loop.
 *
 * <p>Two roots have no common ancestor, so traffic between them must go down and up again. Such
 * turns at arbitrary places close credit loops. This class <i>re-roots</i> the tree at one leaf,
 * the apex: the links on the ways from the apex to its ancestors (its cone) change direction, all
 * others keep theirs. In that order the apex is the single top, so any two switches are connected
 * by a way that rises and then falls in it; and where every ancestor of the apex has only one child
 * that leads to it, as in any XGFT, damaged or not, every up/down route of the tree rises and then
 * falls in the new order too. Tree routes and routes over the apex together are therefore free of
 * credit loops.
 *
 * <p>Switches that damage cuts off from the cone are connected by cones of further apexes, each
 * taking only switches not connected yet; an apex has the switches below it in its own order
 * connected before it, which keeps the order acyclic.
 *
 * <p>Immutable. Built in O(links + leaves * words), more only on badly damaged trees.
 */
final class TurnOrder {
  /** The next switch upwards in this order, or -1. */
  final int[] parent;

  /** The port to it, or -1. */
  final int[] parentPort;

  /** Bit (s, d): s reaches d by tree routes, or by rising in this order to a switch that does. */
  final long[] filled;

  private final int[] cone; // 0: not in a cone; else number of the cone
  private final int[] apex; // by cone number
  private final boolean unique;

  private final TreeGraph graph;
  private int cones;

  TurnOrder(TreeGraph graph, FatTree tree) {
    this.graph = graph;
    int n = graph.switches;
    parent = new int[n];
    parentPort = new int[n];
    java.util.Arrays.fill(parent, -1);
    java.util.Arrays.fill(parentPort, -1);
    cone = new int[n];
    apex = new int[n + 1];
    int[] sequence = connect(tree);
    filled = graph.good.clone();
    int words = graph.words;
    for (int s : sequence) {
      if (s >= 0 && parent[s] >= 0) {
        for (int w = 0; w < words; w++) {
          filled[s * words + w] |= filled[parent[s] * words + w];
        }
      }
    }
    unique = everyConeIsUnique();
  }

  private int[] connect(FatTree tree) {
    int n = graph.switches;
    boolean[] connected = new boolean[n];
    int[] sequence = new int[n];
    java.util.Arrays.fill(sequence, -1);
    int done = 0;
    while (true) {
      int top = bestLeaf(tree, connected);
      if (top < 0) {
        return sequence;
      }
      connected[top] = true;
      sequence[done++] = top;
      int before;
      done = addCone(top, connected, sequence, done);
      done = addChildren(connected, sequence, done);
      do {
        before = done;
        for (int i = 0; i < n; i++) {
          int s = graph.rising[i];
          if (connected[s] && cone[s] == 0 && hasUnconnectedParent(s, connected)) {
            done = addCone(s, connected, sequence, done);
            done = addChildren(connected, sequence, done);
          }
        }
      } while (done > before);
    }
  }

  /** The unconnected leaf that reaches most by tree routes; the first in tree order of those. */
  private int bestLeaf(FatTree tree, boolean[] connected) {
    int best = -1;
    int most = -1;
    for (int i = 0; i < tree.leafCount(); i++) {
      int s = tree.leaf(i);
      if (connected[s]) {
        continue;
      }
      int reach = 0;
      for (int w = 0; w < graph.words; w++) {
        reach += Long.bitCount(graph.good[s * graph.words + w]);
      }
      if (reach > most) {
        most = reach;
        best = s;
      }
    }
    return best;
  }

  private boolean hasUnconnectedParent(int s, boolean[] connected) {
    for (int g = graph.upStart[s]; g < graph.upStart[s + 1]; g++) {
      if (!connected[graph.upParent[g]]) {
        return true;
      }
    }
    return false;
  }

  /** Turns the links from the apex to those of its ancestors that are not connected yet. */
  private int addCone(int top, boolean[] connected, int[] sequence, int done) {
    int number = ++cones;
    apex[number] = top;
    int from = done;
    int s = top;
    while (true) {
      for (int g = graph.upStart[s]; g < graph.upStart[s + 1]; g++) {
        int p = graph.upParent[g];
        if (!connected[p]) {
          connected[p] = true;
          cone[p] = number;
          parent[p] = s;
          parentPort[p] = portDown(p, s);
          sequence[done++] = p;
        }
      }
      if (from == done) {
        return done;
      }
      s = sequence[from++];
    }
  }

  private int portDown(int s, int child) {
    for (int d = graph.downStart[s]; d < graph.downStart[s + 1]; d++) {
      if (graph.downChild[d] == child) {
        return graph.downPort[graph.downPortStart[d]] & 0xff;
      }
    }
    throw new IllegalStateException("switch " + child + " is no child of " + s);
  }

  /** Connects what has a connected parent in the tree. */
  private int addChildren(boolean[] connected, int[] sequence, int done) {
    for (int i = graph.switches - 1; i >= 0; i--) {
      int s = graph.rising[i];
      for (int g = graph.upStart[s]; g < graph.upStart[s + 1] && !connected[s]; g++) {
        int p = graph.upParent[g];
        if (connected[p]) {
          connected[s] = true;
          parent[s] = p;
          parentPort[s] = graph.upPort[graph.upPortStart[g]] & 0xff;
          sequence[done++] = s;
        }
      }
    }
    return done;
  }

  private boolean everyConeIsUnique() {
    for (int s = 0; s < graph.switches; s++) {
      if (cone[s] == 0) {
        continue;
      }
      int ways = 0;
      for (int d = graph.downStart[s]; d < graph.downStart[s + 1]; d++) {
        ways += graph.isBelow(graph.downChild[d], apex[cone[s]]) ? 1 : 0;
      }
      if (ways > 1) {
        return false;
      }
    }
    return true;
  }

  /** True if tree routes and routes in this order are together free of credit loops. */
  boolean isSafe() {
    return unique;
  }

  /**
   * True if the tree link between a child and its parent rises from the parent to the child here.
   */
  boolean isTurned(int child, int treeParent) {
    int c = cone[treeParent];
    return c != 0 && (cone[child] == c || apex[c] == child);
  }
}
