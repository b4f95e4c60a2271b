package org.heddle.allocation.allocator;

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
  private final SearchView v;
  private final int[] links; // subtree * planes + plane
  private final int[] touched;
  private int touchedCount;
  private final int[] sorted;
  private final long[] key;
  private final int[] need;
  private int count;
  private final long[] mask;

  /** Free root links: subtree * planes + plane. */
  private final int[] free;

  RootChains(SearchView view) {
    v = view;
    links = new int[v.subtrees * v.planes];
    touched = new int[v.subtrees];
    sorted = new int[v.subtrees];
    key = new long[v.subtrees];
    need = new int[v.subtrees];
    mask = new long[(v.subtrees + 1) * v.rw];
    free = new int[v.subtrees * v.planes];
    for (int i = 0; i < free.length; i++) {
      free[i] = Bits.count(v.roots, i * v.rw, v.rw);
    }
  }

  void reset() {
    for (int i = 0; i < touchedCount; i++) {
      int at = touched[i] * v.planes;
      Arrays.fill(links, at, at + v.planes, 0);
    }
    touchedCount = 0;
  }

  void add(int t, int plane, int n) {
    boolean known = false;
    for (int i = 0; i < touchedCount && !known; i++) {
      known = touched[i] == t;
    }
    if (!known) {
      touched[touchedCount++] = t;
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
      int t = touched[i];
      int n = links[t * v.planes + plane];
      if (n == 0) {
        continue;
      }
      long x = (long) n << 32 | free[t * v.planes + plane];
      int at = count++;
      while (at > 0 && x > key[at - 1]) {
        key[at] = key[at - 1];
        sorted[at] = sorted[at - 1];
        at--;
      }
      key[at] = x;
      sorted[at] = t;
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
