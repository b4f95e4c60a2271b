package org.heddle.allocation.search;

import org.heddle.allocation.AllocationBuilder;

/** Placement on one leaf, which needs no links. */
public final class OneLeaf {
  private OneLeaf() {}

  /**
   * On the leaf with fewest free hosts that has enough (most, if spread); of those the one with
   * fewest free links. Cheapest first if hosts have costs. Null if there is none.
   */
  public static AllocationBuilder find(SearchView v) {
    int n = v.request.hosts();
    if (n > v.plant.maxSlots()) {
      return null;
    }
    int best = -1;
    for (int l = 0; l < v.leaves; l++) {
      if (v.free[l] >= n && (best < 0 || better(v, n, l, best))) {
        best = l;
      }
    }
    if (best < 0) {
      return null;
    }
    AllocationBuilder builder = new AllocationBuilder(v.plant, v.request);
    v.slots.pick(best, n, builder);
    return builder;
  }

  private static boolean better(SearchView v, int n, int a, int b) {
    if (v.request.choice().hasCosts() && v.slots.cost(a, n) != v.slots.cost(b, n)) {
      return v.slots.cost(a, n) < v.slots.cost(b, n);
    }
    if (v.free[a] != v.free[b]) {
      return v.free[a] < v.free[b] == v.pack;
    }
    if (v.up[a] != v.up[b]) {
      return v.up[a] < v.up[b] == v.pack;
    }
    int x = v.subtreeFree[v.plant.subtreeOf(a)];
    int y = v.subtreeFree[v.plant.subtreeOf(b)];
    return x != y && x < y == v.pack;
  }
}
