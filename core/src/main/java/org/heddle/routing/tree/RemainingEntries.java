package org.heddle.routing.tree;

import java.util.Arrays;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.SwitchLinks;

/**
 * Gives an entry to the (switch, destination) pairs that have neither a tree route nor a simple
 * route by the {@link ReRootedOrder}. On undamaged trees there are none, on damaged ones the LIDs
 * of a few upper switches.
 *
 * <p>First by ways that rise and then fall in the turn order, which close no credit loop; what is
 * left after that, such as a switch that hangs on a link inside a level, goes to any neighbour that
 * has an entry. O(links) a destination switch.
 */
public final class RemainingEntries {
  private final Fabric fabric;
  private final TreeGraph graph;
  private final ReRootedOrder turns;
  private final Destinations dest;
  private final byte[][] rows;

  private int[] neighbour; // CSR over all cables between switches
  private int[] neighbourPort;
  private int[] neighbourStart;
  private int[] component;
  private int[] outside; // breadth-first number, from 1, of switches that are no part of the tree

  private final int[] queue;
  private final boolean[] falls;
  private final boolean[] hadGaps;
  private int unsafeFrom = -1;
  private int unsafeTo = -1;

  public RemainingEntries(
      Fabric fabric, TreeGraph graph, ReRootedOrder turns, Destinations dest, byte[][] rows) {
    this.fabric = fabric;
    this.graph = graph;
    this.turns = turns;
    this.dest = dest;
    this.rows = rows;
    queue = new int[graph.switches];
    falls = new boolean[graph.switches];
    hadGaps = new boolean[graph.switches];
  }

  /** Fills what is missing and connected. */
  public void fill() {
    if (!hasGaps(graph, turns)) {
      return;
    }
    SwitchLinks links = new SwitchLinks(fabric);
    neighbour = links.neighbour;
    neighbourPort = links.port;
    neighbourStart = links.start;
    component = links.components();
    numberOutside();
    for (int d : destinationsWithGaps()) {
      hadGaps[d] = true;
      for (int i = dest.start[d]; i < dest.start[d + 1]; i++) {
        fill(d, dest.lids[i]);
      }
    }
  }

  /** Parts without hosts have no levels; up-then-down in breadth-first order serves them. */
  private void numberOutside() {
    outside = new int[graph.switches];
    int end = 0;
    int at = 0;
    for (int first = 0; first < graph.switches; first++) {
      if (graph.level[first] > 0 || outside[first] > 0) {
        continue;
      }
      queue[end++] = first;
      outside[first] = end;
      for (; at < end; at++) {
        for (int i = neighbourStart[queue[at]]; i < neighbourStart[queue[at] + 1]; i++) {
          int next = neighbour[i];
          if (graph.level[next] == 0 && outside[next] == 0) {
            queue[end++] = next;
            outside[next] = end;
          }
        }
      }
    }
  }

  /** Whether tree routes and the turn order leave anything to fill. */
  static boolean hasGaps(TreeGraph graph, ReRootedOrder turns) {
    int count = 0;
    for (long word : turns.filled) {
      count += Long.bitCount(word);
    }
    return count < graph.switches * graph.switches;
  }

  private int[] destinationsWithGaps() {
    int words = graph.words;
    long[] gaps = new long[words];
    boolean whole = Arrays.stream(component).allMatch(c -> c == 0);
    for (int s = 0; s < graph.switches; s++) {
      for (int w = 0; w < words; w++) {
        long missing = ~turns.filled[s * words + w];
        if (whole) {
          gaps[w] |= missing;
          continue;
        }
        for (; missing != 0; missing &= missing - 1) {
          int d = (w << 6) + Long.numberOfTrailingZeros(missing);
          if (d < graph.switches && component[d] == component[s]) {
            gaps[w] |= 1L << d;
          }
        }
      }
    }
    int[] out = new int[graph.switches];
    int n = 0;
    for (int d = 0; d < graph.switches; d++) {
      if ((gaps[d >>> 6] >>> d & 1) != 0) {
        out[n++] = d;
      }
    }
    return Arrays.copyOf(out, n);
  }

  private void fill(int d, int lid) {
    fallTowards(d, lid);
    riseTowards(d, lid);
    anyWay(d, lid);
  }

  /** Entries for switches from which ways only fall to d in the turn order. */
  private void fallTowards(int d, int lid) {
    Arrays.fill(falls, false);
    falls[d] = true;
    int n = 0;
    queue[n++] = d;
    for (int at = 0; at < n; at++) {
      int z = queue[at];
      for (int i = neighbourStart[z]; i < neighbourStart[z + 1]; i++) {
        int x = neighbour[i];
        if (falls[x] || !rises(z, x)) {
          continue;
        }
        int back = fabric.numberOf(fabric.peer(fabric.port(z, neighbourPort[i])));
        if (rows[x][lid] == TreeGraph.NO_PORT) {
          rows[x][lid] = (byte) back;
        } else if (fabric.peerNode(fabric.port(x, rows[x][lid] & 0xff)) != z) {
          continue;
        }
        falls[x] = true;
        queue[n++] = x;
      }
    }
  }

  /** Entries for switches below, in the turn order, one that has an entry. */
  private void riseTowards(int d, int lid) {
    int n = 0;
    for (int s = 0; s < graph.switches; s++) {
      if (rows[s][lid] != TreeGraph.NO_PORT) {
        queue[n++] = s;
      }
    }
    for (int at = 0; at < n; at++) {
      int y = queue[at];
      for (int i = neighbourStart[y]; i < neighbourStart[y + 1]; i++) {
        int x = neighbour[i];
        if (rows[x][lid] == TreeGraph.NO_PORT && rises(x, y)) {
          rows[x][lid] = (byte) fabric.numberOf(fabric.peer(fabric.port(y, neighbourPort[i])));
          queue[n++] = x;
        }
      }
    }
  }

  private void anyWay(int d, int lid) {
    int n = 0;
    for (int s = 0; s < graph.switches; s++) {
      if (rows[s][lid] != TreeGraph.NO_PORT) {
        queue[n++] = s;
      }
    }
    if (n == graph.switches) {
      return;
    }
    for (int at = 0; at < n; at++) {
      int y = queue[at];
      for (int i = neighbourStart[y]; i < neighbourStart[y + 1]; i++) {
        int x = neighbour[i];
        if (rows[x][lid] == TreeGraph.NO_PORT) {
          rows[x][lid] = (byte) fabric.numberOf(fabric.peer(fabric.port(y, neighbourPort[i])));
          queue[n++] = x;
          if (dest.hasHosts[x] && dest.hasHosts[d] && unsafeFrom < 0) {
            unsafeFrom = x;
            unsafeTo = d;
          }
        }
      }
    }
  }

  /** True if the step from one switch to its neighbour rises in the turn order. */
  private boolean rises(int from, int to) {
    int a = graph.level[from];
    int b = graph.level[to];
    if (a == 0 && b == 0) {
      return outside[to] < outside[from];
    }
    return turns.isPlaced(from, to) && turns.rises(from, to);
  }

  /** True if some switch got its entries for what is at this one here. */
  public boolean hadGaps(int d) {
    return hadGaps[d];
  }

  /** A switch with hosts that got an entry which may close a credit loop, or -1. */
  public int unsafeFrom() {
    return unsafeFrom;
  }

  /** The destination switch of {@link #unsafeFrom()}. */
  int unsafeTo() {
    return unsafeTo;
  }
}
