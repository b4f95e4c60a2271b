package org.heddle.solver;

import java.util.Arrays;

/**
 * Colours the edges of a bipartite multigraph so that no two at a vertex are alike, with as many
 * colours as the largest degree (K&ouml;nig 1916; by alternating paths). Deterministic, O(edges *
 * vertices).
 */
public final class EdgeColours {
  private static final int NO_EDGE = -1;

  private final int[] from;
  private final int[] to;
  private final int colours;
  private final int[] atFrom; // vertex * colours + colour -> edge
  private final int[] atTo;
  private final int[] colour; // by edge

  private EdgeColours(int[] from, int[] to, int vertices, int colours) {
    this.from = from;
    this.to = to;
    this.colours = colours;
    atFrom = new int[vertices * colours];
    atTo = new int[vertices * colours];
    Arrays.fill(atFrom, NO_EDGE);
    Arrays.fill(atTo, NO_EDGE);
    colour = new int[from.length];
  }

  /**
   * Colours edges.
   *
   * @param from one end by edge, {@code 0 .. vertices - 1}
   * @param to the other end, on the other side, likewise
   * @return colours by edge, or null if a vertex has more edges than there are colours
   */
  public static int[] find(int[] from, int[] to, int vertices, int colours) {
    EdgeColours search = new EdgeColours(from, to, vertices, colours);
    for (int e = 0; e < from.length; e++) {
      int a = search.free(search.atFrom, from[e]);
      int b = search.free(search.atTo, to[e]);
      if (a < 0 || b < 0) {
        return null;
      }
      if (search.atTo[to[e] * colours + a] != NO_EDGE) {
        search.exchange(to[e], a, b);
      }
      search.set(e, a);
    }
    return search.colour;
  }

  private int free(int[] at, int vertex) {
    for (int c = 0; c < colours; c++) {
      if (at[vertex * colours + c] == NO_EDGE) {
        return c;
      }
    }
    return -1;
  }

  private void set(int e, int c) {
    colour[e] = c;
    atFrom[from[e] * colours + c] = e;
    atTo[to[e] * colours + c] = e;
  }

  /**
   * Makes colour a free at a vertex of the other side, where b is: exchanges both on the path that
   * starts there. The path cannot end at the vertex where a is free: it comes to that side by a.
   */
  private void exchange(int vertex, int a, int b) {
    int e = atTo[vertex * colours + a];
    atTo[vertex * colours + a] = NO_EDGE;
    int old = a;
    boolean forward = true; // the edge was found at its end
    while (e != NO_EDGE) {
      int other = old == a ? b : a;
      int[] far = forward ? atFrom : atTo;
      int at = (forward ? from[e] : to[e]) * colours;
      int next = far[at + other];
      if (far[at + old] == e) {
        far[at + old] = NO_EDGE;
      }
      set(e, other);
      e = next;
      old = other;
      forward = !forward;
    }
  }
}
