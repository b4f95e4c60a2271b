package org.heddle.verify.links;

import java.util.Arrays;

/**
 * Colours the edges of a bipartite multigraph between two copies of the same vertices, where every
 * vertex has a set of colours it may use (once on each side): an edge needs a colour both ends
 * have. Flows between leaves over positions, or between sub-trees over roots.
 *
 * <p>Colours are peeled off one by one, those that most vertices have first. A peeled colour is a
 * matching. If the sets are nested, vertex a is tight at rank j when it has as many edges left to
 * vertices whose set is at most the j-th as that set has colours left; the matching must then take
 * one of these edges. Among the edges that respect all tight vertices of both sides, augmenting
 * paths find a matching that covers them. For sets that are not nested the ranks are those of the
 * set sizes and success is a matter of luck, but a colouring found is valid in any case.
 *
 * <p>O(colours * vertices * edges) at worst, far less usually.
 */
final class NestedColouring {
  private final int n;
  private final int colours;
  private final boolean[][] has; // vertex, colour
  private final int[] left; // colours left by vertex
  private final int[][] edges; // number of edges from a to b
  private final int[] matchOut;
  private final int[] matchIn;
  private final int[] tightOut;
  private final int[] tightIn;
  private final boolean[] mustOut;
  private final boolean[] mustIn;
  private final boolean[] seen;
  private int colour;

  /** Edge colours found: by a, b: one entry an edge. */
  private final int[][][] result;

  NestedColouring(boolean[][] colourSets, int[][] edgeCounts) {
    n = colourSets.length;
    colours = n == 0 ? 0 : colourSets[0].length;
    has = colourSets;
    edges = edgeCounts;
    left = new int[n];
    result = new int[n][n][];
    for (int a = 0; a < n; a++) {
      for (int b = 0; b < n; b++) {
        result[a][b] = new int[edges[a][b]];
      }
      for (boolean x : has[a]) {
        left[a] += x ? 1 : 0;
      }
    }
    matchOut = new int[n];
    matchIn = new int[n];
    tightOut = new int[n];
    tightIn = new int[n];
    mustOut = new boolean[n];
    mustIn = new boolean[n];
    seen = new boolean[n];
  }

  /** Colours of the edges from a to b, in no particular order. */
  int[] coloursOf(int a, int b) {
    return result[a][b];
  }

  /** True if all edges got a colour. */
  boolean colour() {
    for (int c : byUse()) {
      colour = c;
      findTight();
      if (!match()) {
        return false;
      }
      peel();
    }
    for (int[] row : edges) {
      for (int e : row) {
        if (e > 0) {
          return false;
        }
      }
    }
    return true;
  }

  /** Colours by falling number of vertices that have them. */
  private int[] byUse() {
    long[] keys = new long[colours];
    for (int c = 0; c < colours; c++) {
      int users = 0;
      for (int a = 0; a < n; a++) {
        users += has[a][c] ? 1 : 0;
      }
      keys[c] = (long) (n - users) << 32 | c;
    }
    Arrays.sort(keys);
    int[] out = new int[colours];
    for (int i = 0; i < colours; i++) {
      out[i] = (int) keys[i];
    }
    return out;
  }

  /**
   * The size of the smallest set at which a vertex is tight, or MAX_VALUE. An edge to b can use at
   * most min(left[a], left[b]) colours.
   */
  private void findTight() {
    for (int a = 0; a < n; a++) {
      tightOut[a] = tight(a, true);
      tightIn[a] = tight(a, false);
      mustOut[a] = tightOut[a] != Integer.MAX_VALUE;
      mustIn[a] = tightIn[a] != Integer.MAX_VALUE;
    }
  }

  private int tight(int a, boolean out) {
    int[] perSize = new int[left[a] + 1];
    for (int b = 0; b < n; b++) {
      int e = out ? edges[a][b] : edges[b][a];
      if (e > 0) {
        perSize[Math.min(left[a], left[b])] += e;
      }
    }
    int sum = 0;
    for (int size = 0; size <= left[a]; size++) {
      sum += perSize[size];
      if (sum >= size && sum > 0) {
        return size;
      }
    }
    return Integer.MAX_VALUE;
  }

  private boolean allowed(int a, int b) {
    if (edges[a][b] == 0 || !has[a][colour] || !has[b][colour]) {
      return false;
    }
    int size = Math.min(left[a], left[b]);
    return size <= tightOut[a] && size <= tightIn[b];
  }

  private boolean match() {
    Arrays.fill(matchOut, -1);
    Arrays.fill(matchIn, -1);
    for (int a = 0; a < n; a++) {
      Arrays.fill(seen, false);
      if (has[a][colour] && mustOut[a] && matchOut[a] < 0 && !augmentOut(a)) {
        return false;
      }
    }
    for (int b = 0; b < n; b++) {
      Arrays.fill(seen, false);
      if (has[b][colour] && mustIn[b] && matchIn[b] < 0 && !augmentIn(b)) {
        return false;
      }
    }
    for (int a = 0; a < n; a++) {
      for (int b = 0; b < n && matchOut[a] < 0; b++) {
        if (matchIn[b] < 0 && allowed(a, b)) {
          matchOut[a] = b;
          matchIn[b] = a;
        }
      }
    }
    return true;
  }

  /** Covers a, giving up at most a vertex on its side that need not be covered. */
  private boolean augmentOut(int a) {
    for (int b = 0; b < n; b++) {
      if (seen[b] || !allowed(a, b)) {
        continue;
      }
      seen[b] = true;
      int other = matchIn[b];
      if (other >= 0 && mustOut[other] && !augmentOut(other)) {
        continue;
      }
      if (other >= 0 && !mustOut[other]) {
        matchOut[other] = -1;
      }
      matchOut[a] = b;
      matchIn[b] = a;
      return true;
    }
    return false;
  }

  private boolean augmentIn(int b) {
    for (int a = 0; a < n; a++) {
      if (seen[a] || !allowed(a, b)) {
        continue;
      }
      seen[a] = true;
      int other = matchOut[a];
      if (other >= 0 && mustIn[other] && !augmentIn(other)) {
        continue;
      }
      if (other >= 0 && !mustIn[other]) {
        matchIn[other] = -1;
      }
      matchOut[a] = b;
      matchIn[b] = a;
      return true;
    }
    return false;
  }

  private void peel() {
    for (int a = 0; a < n; a++) {
      int b = matchOut[a];
      if (b >= 0) {
        result[a][b][--edges[a][b]] = colour;
      }
    }
    for (int a = 0; a < n; a++) {
      left[a] -= has[a][colour] ? 1 : 0;
    }
  }
}
