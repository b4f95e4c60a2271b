package org.heddle.allocation.search;

import java.util.Arrays;
import org.heddle.allocation.AllocationBuilder;
import org.heddle.allocation.Bits;

/**
 * The chains over roots, one a plane: how many of the tenant's leaf links each sub-tree has in the
 * plane, and whether nested sets of free root links exist for that.
 *
 * <p>Members in falling order of links; of equals, those with more free root links first.
 * O(sub-trees * words) a plane.
 */
final class RootChains {
  /** More sub-trees, and root links of a switch, than any plant has. */
  private static final int MOST = (1 << 21) - 1;

  private final SearchView v;
  private final int[] links; // subtree * planes + plane

  /**
   * Sub-trees with links: in the order of the plane that was sorted last, which is a good start.
   */
  private final int[] sorted;

  private int touchedCount;

  /** By sub-tree: 0, or one more than the number of sub-trees added before it. */
  private final int[] added;

  private final long[] key;
  private final int[] need;
  private int count;
  private final long[] mask;

  RootChains(SearchView view) {
    v = view;
    links = new int[v.subtrees * v.planes];
    sorted = new int[v.subtrees];
    added = new int[v.subtrees];
    key = new long[v.subtrees];
    need = new int[v.subtrees];
    mask = new long[(v.subtrees + 1) * v.rw];
  }

  void reset() {
    for (int i = 0; i < touchedCount; i++) {
      int at = sorted[i] * v.planes;
      Arrays.fill(links, at, at + v.planes, 0);
      added[sorted[i]] = 0;
    }
    touchedCount = 0;
  }

  void add(int t, int plane, int n) {
    if (added[t] == 0) {
      sorted[touchedCount++] = t;
      added[t] = touchedCount;
    }
    links[t * v.planes + plane] += n;
  }

  /** True if the plane has nested sets of free root links for its members. */
  boolean fits(int plane) {
    sort(plane);
    if (count < 2) {
      return true;
    }
    int rest = 0;
    for (int i = 0; i < count; i++) {
      rest += links[sorted[i] * v.planes + plane];
    }
    int top = links[sorted[0] * v.planes + plane];
    int cap = Math.min(top, rest - top);
    for (int w = 0; w < v.rw; w++) {
      mask[w] = -1L;
    }
    for (int i = 0; i < count; i++) {
      int t = sorted[i];
      need[i] = Math.min(cap, rest);
      rest -= links[t * v.planes + plane];
      int at = i * v.rw;
      int n = Bits.and(mask, at, v.roots, (t * v.planes + plane) * v.rw, mask, at + v.rw, v.rw);
      if (n < need[i]) {
        return false;
      }
    }
    return true;
  }

  /** True if all planes fit. */
  boolean fit() {
    for (int q = 0; q < v.planes; q++) {
      if (!fits(q)) {
        return false;
      }
    }
    return true;
  }

  /** By falling links, then free root links; of equals, those added first. */
  private void sort(int plane) {
    count = 0;
    for (int i = 0; i < touchedCount; i++) {
      int t = sorted[i];
      int at = t * v.planes + plane;
      int n = links[at];
      count += n > 0 ? 1 : 0;
      int free = Bits.count(v.roots, at * v.rw, v.rw);
      long x = (long) n << 42 | (long) free << 21 | MOST - added[t];
      int to = i;
      while (to > 0 && x > key[to - 1]) {
        key[to] = key[to - 1];
        sorted[to] = sorted[to - 1];
        to--;
      }
      key[to] = x;
      sorted[to] = t;
    }
  }

  /** Books nested root sets, lowest numbers first; all planes fit. */
  void addTo(AllocationBuilder to) {
    long[] set = new long[v.rw];
    for (int q = 0; q < v.planes; q++) {
      if (!fits(q)) {
        throw new IllegalStateException("plane " + q + " was checked and does not fit");
      }
      if (count < 2) {
        continue;
      }
      Arrays.fill(set, 0);
      int have = 0;
      for (int i = count - 1; i >= 0; i--) {
        have = NestedSets.grow(set, have, mask, (i + 1) * v.rw, need[i], v.rw);
        to.roots(sorted[i], q, set, 0);
      }
    }
  }
}
