package org.heddle.verify.links;

import java.util.Arrays;

/**
 * Colours the edges of a bipartite multigraph like {@link NestedColouring}, for sets of colours
 * that are not nested: an edge needs a colour that both ends have.
 *
 * <p>First the nested colouring is tried. Then vertices with fewer colours than the degree of the
 * graph are served first, as a nested chain: the others are given one imaginary set around theirs,
 * and of that colouring the edges that use the small vertices' colours are kept. The rest is
 * coloured by Galvin's method: a proper colouring with as many colours as the degree makes every
 * out-side prefer its edges of high and every in-side those of low number; for every real colour in
 * turn, a stable matching among the edges left that may have it gets it. An edge that goes
 * empty-handed has one edge less before it, so lists as long as the degree suffice. With shorter
 * ones success is a matter of luck, but a colouring found is valid in any case.
 *
 * <p>O(colours * edges) after the two colourings.
 */
final class ListColouring {
  private static final int NOBODY = -1;

  private final int n;
  private final int colours;
  private final boolean[][] has;
  private final int[][] edges;

  /** Colours given: by a, b: the first {@code given[a][b]} entries. */
  private final int[][][] result;

  private final int[][] given;

  ListColouring(boolean[][] colourSets, int[][] edgeCounts) {
    n = colourSets.length;
    colours = n == 0 ? 0 : colourSets[0].length;
    has = colourSets;
    edges = new int[n][];
    result = new int[n][n][];
    given = new int[n][n];
    for (int a = 0; a < n; a++) {
      edges[a] = edgeCounts[a].clone();
      for (int b = 0; b < n; b++) {
        result[a][b] = new int[edges[a][b]];
      }
    }
  }

  /** Colours of the edges from a to b, in no particular order. */
  int[] coloursOf(int a, int b) {
    return result[a][b];
  }

  /** True if all edges got a colour. */
  boolean colour() {
    NestedColouring nested = new NestedColouring(has, copy(edges));
    if (nested.colour()) {
      return keep(nested);
    }
    boolean[] reserved = new boolean[colours];
    return serveSmall(degree(), reserved) && serveOthers(degree(), reserved);
  }

  private int degree() {
    int most = 0;
    for (int a = 0; a < n; a++) {
      most = Math.max(most, degree(a));
    }
    return most;
  }

  private int degree(int a) {
    int out = 0;
    int in = 0;
    for (int b = 0; b < n; b++) {
      out += edges[a][b];
      in += edges[b][a];
    }
    return Math.max(out, in);
  }

  // ---- vertices with few colours

  private boolean serveSmall(int degree, boolean[] reserved) {
    boolean[] small = new boolean[n];
    int taken = 0;
    for (int a = 0; a < n; a++) {
      int size = 0;
      for (boolean x : has[a]) {
        size += x ? 1 : 0;
      }
      small[a] = size < degree && degree(a) > 0;
      for (int c = 0; small[a] && c < colours; c++) {
        taken += has[a][c] && !reserved[c] ? 1 : 0;
        reserved[c] |= has[a][c];
      }
    }
    if (taken == 0) {
      return true;
    }
    int imaginary = Math.max(0, degree - taken);
    boolean[][] sets = new boolean[n][];
    for (int a = 0; a < n; a++) {
      // Vertices without edges have none: colours are peeled in the order of their use.
      sets[a] =
          degree(a) == 0
              ? new boolean[colours + imaginary]
              : Arrays.copyOf(has[a], colours + imaginary);
      for (int c = 0; c < sets[a].length && !small[a] && degree(a) > 0; c++) {
        sets[a][c] = c >= colours || reserved[c] && has[a][c];
      }
    }
    NestedColouring chain = new NestedColouring(sets, copy(edges));
    return chain.colour() && keep(chain);
  }

  private boolean keep(NestedColouring chain) {
    for (int a = 0; a < n; a++) {
      for (int b = 0; b < n; b++) {
        for (int c : chain.coloursOf(a, b)) {
          if (c < colours) {
            give(a, b, c);
          }
        }
      }
    }
    return true;
  }

  private void give(int a, int b, int c) {
    result[a][b][given[a][b]++] = c;
    edges[a][b]--;
  }

  private static int[][] copy(int[][] from) {
    int[][] out = new int[from.length][];
    for (int a = 0; a < out.length; a++) {
      out[a] = from[a].clone();
    }
    return out;
  }

  // ---- Galvin

  private boolean serveOthers(int degree, boolean[] reserved) {
    if (degree == 0) {
      return true;
    }
    boolean[][] all = new boolean[n][degree];
    for (boolean[] row : all) {
      Arrays.fill(row, true);
    }
    NestedColouring base = new NestedColouring(all, copy(edges));
    if (!base.colour()) {
      return false;
    }
    int[][] to = new int[n][degree]; // by out-side and number
    int left = 0;
    for (int a = 0; a < n; a++) {
      Arrays.fill(to[a], NOBODY);
      for (int b = 0; b < n; b++) {
        for (int k : base.coloursOf(a, b)) {
          to[a][k] = b;
          left++;
        }
      }
    }
    for (int c = 0; c < colours && left > 0; c++) {
      left -= reserved[c] ? 0 : match(c, degree, to);
    }
    return left == 0;
  }

  /** Gives a colour to a stable matching; returns how many edges got it. */
  private int match(int colour, int degree, int[][] to) {
    int[] partner = new int[n];
    int[] held = new int[n];
    int[] next = new int[n];
    Arrays.fill(partner, NOBODY);
    Arrays.fill(next, degree - 1);
    for (int start = 0; start < n; start++) {
      int a = start;
      while (a != NOBODY && next[a] >= 0) {
        int k = next[a]--;
        int b = to[a][k];
        if (b == NOBODY || !has[a][colour] || !has[b][colour]) {
          continue;
        }
        if (partner[b] == NOBODY || k < held[b]) {
          int rejected = partner[b];
          partner[b] = a;
          held[b] = k;
          a = rejected;
        }
      }
    }
    int count = 0;
    for (int b = 0; b < n; b++) {
      if (partner[b] != NOBODY) {
        give(partner[b], b, colour);
        to[partner[b]][held[b]] = NOBODY;
        count++;
      }
    }
    return count;
  }
}
