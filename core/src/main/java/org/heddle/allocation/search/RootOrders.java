package org.heddle.allocation.search;

import java.util.Arrays;
import org.heddle.allocation.AllocationBuilder;
import org.heddle.allocation.Bits;

/** The chain over the roots of one plane, in every order of sub-trees with equally many links. */
final class RootOrders {
  private final SearchView v;
  private final int[] member;
  private final int[] need;
  private final long[] mask;
  private int size;
  private int cap;

  RootOrders(SearchView view) {
    v = view;
    member = new int[v.subtrees];
    need = new int[v.subtrees];
    mask = new long[(v.subtrees + 1) * v.rw];
  }

  /**
   * True if nested sets of free root links exist.
   *
   * @param links leaf links by sub-tree
   */
  boolean fits(int plane, int[] links) {
    int sum = 0;
    int top = 0;
    for (int x : links) {
      sum += x;
      top = Math.max(top, x);
    }
    size = 0;
    if (sum == top) {
      return true;
    }
    cap = Math.min(top, sum - top);
    Arrays.fill(mask, 0, v.rw, -1L);
    return descend(plane, links.clone(), sum);
  }

  private boolean descend(int plane, int[] links, int rest) {
    if (rest == 0) {
      return true;
    }
    int top = Arrays.stream(links).max().orElse(0);
    int needed = Math.min(cap, rest);
    int at = size * v.rw;
    for (int t = 0; t < links.length; t++) {
      int from = (t * v.planes + plane) * v.rw;
      if (links[t] != top || Bits.and(mask, at, v.roots, from, mask, at + v.rw, v.rw) < needed) {
        continue;
      }
      member[size] = t;
      need[size++] = needed;
      links[t] = 0;
      if (descend(plane, links, rest - top)) {
        return true;
      }
      links[t] = top;
      size--;
    }
    return false;
  }

  /** Books the sets of a plane that fits. */
  void addTo(AllocationBuilder to, int plane, int[] links) {
    if (!fits(plane, links)) {
      throw new IllegalStateException("plane " + plane + " was checked and does not fit");
    }
    long[] set = new long[v.rw];
    int have = 0;
    for (int i = size - 1; i >= 0; i--) {
      have = NestedSets.grow(set, have, mask, (i + 1) * v.rw, need[i], v.rw);
      to.roots(member[i], plane, set, 0);
    }
  }
}
