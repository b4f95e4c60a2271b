package org.heddle.routing.tree;

import java.util.Arrays;
import org.heddle.topology.FatTree;

/**
 * The places where traffic may turn from down to up without closing a credit loop.
 *
 * <p>Two roots have no common ancestor, so traffic between them must go down and up again. Such
 * turns at arbitrary places close credit loops. This class <i>re-roots</i> the tree at one switch,
 * the apex, a leaf if possible: the links on the ways from the apex to its ancestors (its cone)
 * change direction, all others keep theirs. What lies below the cone is then below the apex, too.
 * Where something else lies above a switch connected so far, that switch becomes the apex of a
 * further cone, made of the ancestors that are not connected yet. In the resulting order the first
 * apex is the single top, so any two switches are connected by a route that rises and then falls in
 * it.
 *
 * <p>A cone is <i>unique</i> if each of its switches has exactly one child that leads to the apex,
 * as in any XGFT, damaged or not. Then every up/down route of the tree rises and then falls in the
 * new order as well, and tree routes and turning routes together are free of credit loops. Only
 * unique cones are used as long as they connect everything. From a leaf they do not where planes
 * are merged (a core that is cabled to several spines of a pod); then roots are tried as first
 * apex, whose cone is empty: below one of them, a spine serves as the apex for the other cores.
 * Where a leaf reaches a merged plane only over several parents, it becomes a <i>gate</i>: traffic
 * of others passes it over one of these parents, its own traffic uses the links to the others as
 * well ({@link #ownOnly}). ADR 0006 has the proofs.
 *
 * <p>Immutable. Built in O(links + leaves * words), more only on badly damaged or merged trees.
 */
public final class ReRootedOrder {
  private static final int MAX_ROOTS_TRIED = 16;

  /** The next switch upwards in this order, or -1. */
  final int[] parent;

  /** The port to it, or -1. */
  final int[] parentPort;

  /** All ports to the next switch upwards, if there are several, else null. */
  final byte[][] parallelPorts;

  /** Bit (s, d): s reaches d by tree routes, or by rising in this order to a switch that does. */
  public final long[] filled;

  /** By up group of the tree: true for links of a gate that only its own traffic may use. */
  public final boolean[] ownOnly;

  /** By switch: for gates, the destinations to which others may have to pass it; else null. */
  public final long[][] transit;

  private final int[] cone; // 0: not in a cone; else number of the cone
  private final int[] apex; // by cone number
  private final boolean safe;

  private final TreeGraph graph;
  private final int[] sequence; // switches in the order in which they were connected
  private final boolean[] connected;
  private int done;
  private int cones;

  public ReRootedOrder(TreeGraph graph, FatTree tree) {
    this.graph = graph;
    int n = graph.switches;
    parent = new int[n];
    parentPort = new int[n];
    Arrays.fill(parent, -1);
    Arrays.fill(parentPort, -1);
    cone = new int[n];
    apex = new int[n + 1];
    sequence = new int[n];
    connected = new boolean[n];
    ownOnly = new boolean[graph.upParent.length];
    transit = new long[n][];
    safe = connectAll(tree) && (cones <= 1 || isAcyclic());
    parallelPorts = new byte[n][];
    for (int s = 0; s < n; s++) {
      parallelPorts[s] = parent[s] < 0 ? null : parallelPorts(s, parent[s]);
    }
    filled = graph.good.clone();
    int words = graph.words;
    findTransit();
    for (int i = 0; i < done; i++) {
      int s = sequence[i];
      if (parent[s] >= 0) {
        for (int w = 0; w < words; w++) {
          filled[s * words + w] |= filled[parent[s] * words + w];
        }
      }
    }
  }

  /** True if unique cones were enough for every part of the tree. */
  private boolean connectAll(FatTree tree) {
    boolean allUnique = true;
    while (true) {
      int leaf = bestLeaf(tree);
      if (leaf < 0) {
        return allUnique;
      }
      if (!connect(leaf) && !connectFromRoots(leaf)) {
        allUnique = false;
        connectAnyhow(leaf);
      }
    }
  }

  /**
   * True if the order is one. Several cones and gates together may close a circle: then nothing is
   * proven by it. One cone cannot: it turns the links of one set of ancestors round.
   */
  private boolean isAcyclic() {
    int[] waiting = new int[graph.switches]; // neighbours above that are not placed yet
    for (int s = 0; s < graph.switches; s++) {
      for (int g = graph.upStart[s]; g < graph.upStart[s + 1]; g++) {
        if (!ownOnly[g]) {
          waiting[isTurned(s, graph.upParent[g]) ? graph.upParent[g] : s]++;
        }
      }
    }
    int[] placed = new int[graph.switches];
    int end = 0;
    for (int s = 0; s < graph.switches; s++) {
      if (waiting[s] == 0) {
        placed[end++] = s;
      }
    }
    for (int at = 0; at < end; at++) {
      int s = placed[at];
      for (int g = graph.upStart[s]; g < graph.upStart[s + 1]; g++) {
        int p = graph.upParent[g];
        if (!ownOnly[g] && isTurned(s, p) && --waiting[p] == 0) {
          placed[end++] = p;
        }
      }
      for (int d = graph.downStart[s]; d < graph.downStart[s + 1]; d++) {
        int c = graph.downChild[d];
        if (!isTurned(c, s) && !leadsAside(c, s) && --waiting[c] == 0) {
          placed[end++] = c;
        }
      }
    }
    return end == graph.switches;
  }

  private boolean leadsAside(int child, int treeParent) {
    for (int g = graph.upStart[child]; g < graph.upStart[child + 1]; g++) {
      if (graph.upParent[g] == treeParent) {
        return ownOnly[g];
      }
    }
    return false;
  }

  /**
   * Connects the part of the tree around a first apex by unique cones.
   *
   * @return false, with everything as before, if that is not possible
   */
  private boolean connect(int top) {
    int doneBefore = done;
    int conesBefore = cones;
    if (isUnique(top)) {
      addTop(top);
      do {
        addConesAbove();
      } while (openGate());
      if (!hasUnconnectedNeighbours(doneBefore)) {
        return true;
      }
    }
    for (int i = doneBefore; i < done; i++) {
      int s = sequence[i];
      connected[s] = false;
      cone[s] = 0;
      parent[s] = -1;
      parentPort[s] = -1;
      Arrays.fill(ownOnly, graph.upStart[s], graph.upStart[s + 1], false);
    }
    done = doneBefore;
    cones = conesBefore;
    return false;
  }

  private void addTop(int top) {
    connected[top] = true;
    sequence[done++] = top;
    addCone(top);
    addChildren();
  }

  /** Adds unique cones until none is left; the order in which they come does not matter. */
  private void addConesAbove() {
    int before;
    do {
      before = done;
      for (int i = graph.switches - 1; i >= 0; i--) { // falling: small cones first
        int s = graph.rising[i];
        if (connected[s] && hasUnconnectedParent(s) && isUnique(s)) {
          addCone(s);
          addChildren();
        }
      }
    } while (done > before);
  }

  /** Makes a gate of a leaf that has parents not connected yet; false if there is none to make. */
  private boolean openGate() {
    for (int i = 0; i < graph.switches; i++) {
      int s = graph.rising[i];
      boolean isLeaf = graph.downStart[s] == graph.downStart[s + 1];
      if (isLeaf && connected[s] && hasUnconnectedParent(s) && canBeGate(s)) {
        enter(s);
        return true;
      }
    }
    return false;
  }

  private boolean canBeGate(int leaf) {
    boolean entry = false;
    for (int g = graph.upStart[leaf]; g < graph.upStart[leaf + 1]; g++) {
      int p = graph.upParent[g];
      if (connected[p] && hasUnconnectedAncestor(p)) {
        return false;
      }
      // All of them, so that none is left when those before it have been entered.
      if (!connected[p] && !isUnique(p)) {
        return false;
      }
      entry |= !connected[p];
    }
    return entry;
  }

  private void enter(int gate) {
    boolean[] before = connected.clone();
    for (int g = graph.upStart[gate]; g < graph.upStart[gate + 1]; g++) {
      int p = graph.upParent[g];
      if (before[p]) {
        continue;
      }
      if (connected[p]) {
        ownOnly[g] = true;
        continue;
      }
      int number = ++cones;
      apex[number] = gate;
      connect(p, gate, number);
      climbFrom(done - 1, number);
      addChildren();
    }
  }

  private boolean hasUnconnectedAncestor(int s) {
    boolean[] seen = new boolean[graph.switches];
    int[] queue = new int[graph.switches];
    int end = 0;
    queue[end++] = s;
    for (int at = 0; at < end; at++) {
      for (int g = graph.upStart[queue[at]]; g < graph.upStart[queue[at] + 1]; g++) {
        int p = graph.upParent[g];
        if (!connected[p]) {
          return true;
        }
        if (!seen[p]) {
          seen[p] = true;
          queue[end++] = p;
        }
      }
    }
    return false;
  }

  /** What others pass a gate for: all that one of the parents they come from does not reach. */
  private void findTransit() {
    int words = graph.words;
    for (int s = 0; s < graph.switches; s++) {
      boolean isGate = false;
      for (int g = graph.upStart[s]; g < graph.upStart[s + 1]; g++) {
        isGate |= ownOnly[g];
      }
      if (!isGate) {
        continue;
      }
      long[] passed = new long[words];
      for (int g = graph.upStart[s]; g < graph.upStart[s + 1]; g++) {
        for (int w = 0; w < words && !ownOnly[g]; w++) {
          passed[w] |= ~graph.good[graph.upParent[g] * words + w];
        }
      }
      transit[s] = passed;
      for (int w = 0; w < words; w++) {
        long reached = graph.below[s * words + w];
        for (int g = graph.upStart[s]; g < graph.upStart[s + 1]; g++) {
          reached |= graph.good[graph.upParent[g] * words + w] & (ownOnly[g] ? ~passed[w] : -1L);
        }
        filled[s * words + w] = reached;
      }
    }
  }

  private boolean connectFromRoots(int leaf) {
    int tried = 0;
    for (int i = graph.switches - 1; i >= 0 && tried < MAX_ROOTS_TRIED; i--) {
      int s = graph.rising[i];
      boolean isRoot = graph.upStart[s] == graph.upStart[s + 1];
      if (isRoot && !connected[s] && graph.isBelow(s, leaf)) {
        tried++;
        if (connect(s)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Connects by cones that are not unique where there are no others. */
  private void connectAnyhow(int leaf) {
    int before;
    addTop(leaf);
    do {
      addConesAbove();
      before = done;
      for (int i = 0; i < graph.switches && done == before; i++) {
        int s = graph.rising[i];
        if (connected[s] && cone[s] == 0 && hasUnconnectedParent(s)) {
          addCone(s);
          addChildren();
        }
      }
    } while (done > before);
  }

  private boolean hasUnconnectedNeighbours(int from) {
    for (int i = from; i < done; i++) {
      if (hasUnconnectedParent(sequence[i])) {
        return true;
      }
    }
    return false;
  }

  /** The unconnected leaf that reaches most by tree routes; the first in tree order of those. */
  private int bestLeaf(FatTree tree) {
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

  private boolean hasUnconnectedParent(int s) {
    for (int g = graph.upStart[s]; g < graph.upStart[s + 1]; g++) {
      if (!connected[graph.upParent[g]]) {
        return true;
      }
    }
    return false;
  }

  /** True if each ancestor not connected yet has one child only that leads to this switch. */
  private boolean isUnique(int top) {
    boolean[] seen = new boolean[graph.switches];
    int[] queue = new int[graph.switches];
    int end = 0;
    queue[end++] = top;
    for (int at = 0; at < end; at++) {
      int s = queue[at];
      for (int g = graph.upStart[s]; g < graph.upStart[s + 1]; g++) {
        int p = graph.upParent[g];
        if (seen[p] || connected[p]) {
          continue;
        }
        if (waysDown(p, top) > 1) {
          return false;
        }
        seen[p] = true;
        queue[end++] = p;
      }
    }
    return true;
  }

  private int waysDown(int s, int to) {
    int ways = 0;
    for (int d = graph.downStart[s]; d < graph.downStart[s + 1]; d++) {
      ways += graph.isBelow(graph.downChild[d], to) ? 1 : 0;
    }
    return ways;
  }

  /** Turns the links from the apex to those of its ancestors that are not connected yet. */
  private void addCone(int top) {
    int number = ++cones;
    apex[number] = top;
    int from = done;
    connectParents(top, number);
    climbFrom(from, number);
  }

  /** Connects the unconnected ancestors of what was connected last. */
  private void climbFrom(int first, int number) {
    for (int at = first; at < done; at++) {
      connectParents(sequence[at], number);
    }
  }

  private void connectParents(int s, int number) {
    for (int g = graph.upStart[s]; g < graph.upStart[s + 1]; g++) {
      if (!connected[graph.upParent[g]]) {
        connect(graph.upParent[g], s, number);
      }
    }
  }

  private void connect(int p, int child, int number) {
    connected[p] = true;
    cone[p] = number;
    parent[p] = child;
    parentPort[p] = portDown(p, child);
    sequence[done++] = p;
  }

  private byte[] parallelPorts(int s, int to) {
    for (int g = graph.upStart[s]; g < graph.upStart[s + 1]; g++) {
      if (graph.upParent[g] == to) {
        return several(graph.upPort, graph.upPortStart[g], graph.upPortStart[g + 1]);
      }
    }
    for (int d = graph.downStart[s]; d < graph.downStart[s + 1]; d++) {
      if (graph.downChild[d] == to) {
        return several(graph.downPort, graph.downPortStart[d], graph.downPortStart[d + 1]);
      }
    }
    return null;
  }

  private static byte[] several(byte[] ports, int from, int to) {
    return to - from > 1 ? Arrays.copyOfRange(ports, from, to) : null;
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
  private void addChildren() {
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
  }

  /** True if tree routes and routes in this order are together free of credit loops. */
  boolean isSafe() {
    return safe;
  }

  /**
   * True if the tree link between a child and its parent rises from the parent to the child here.
   */
  boolean isTurned(int child, int treeParent) {
    int c = cone[treeParent];
    return c != 0 && (cone[child] == c || apex[c] == child);
  }

  /** True if a step from one switch to another is along a tree link that has a place here. */
  boolean isPlaced(int from, int to) {
    int a = graph.level[from];
    int b = graph.level[to];
    return a != b && a > 0 && b > 0 && !isOwnOnly(a < b ? from : to, a < b ? to : from);
  }

  /** True if a step along such a link rises in this order. */
  boolean rises(int from, int to) {
    return graph.level[from] < graph.level[to] ? !isTurned(from, to) : isTurned(to, from);
  }

  /** True if only the own traffic of a gate may use the links between it and this parent. */
  boolean isOwnOnly(int child, int treeParent) {
    if (transit[child] == null) {
      return false;
    }
    for (int g = graph.upStart[child]; g < graph.upStart[child + 1]; g++) {
      if (graph.upParent[g] == treeParent) {
        return ownOnly[g];
      }
    }
    return false;
  }
}
