package org.heddle.allocation.search;

import java.util.Arrays;
import org.heddle.allocation.AllocationBuilder;
import org.heddle.allocation.AllocationResult;
import org.heddle.allocation.AllocationResult.Reason;
import org.heddle.allocation.Bits;
import org.heddle.allocation.Occupancy;

/**
 * One attempt of {@code Simple} or {@code SimpleExtended}. On damaged trees the leaves taken share
 * the positions, and the sub-trees the roots, that all of them have; a leaf then gives no more
 * hosts than it has links of those.
 */
public final class SimpleSearch {
  private final SearchView v;
  private final boolean extended;
  private final int n;
  private final Occupancy all;

  /** Common positions of the leaves taken, common root links by plane of the sub-trees taken. */
  private final long[] set;

  private final long[] roots;
  private final int[] taken;
  private int count;

  public SimpleSearch(SearchView view, boolean extended) {
    v = view;
    this.extended = extended;
    n = v.request.hosts();
    all = Occupancy.empty(v.plant);
    set = new long[v.pw];
    roots = new long[v.planes * v.rw];
    taken = new int[v.leaves];
  }

  public AllocationResult run() {
    if (v.slots.total() < n) {
      return new AllocationResult.Rejected(Reason.NOT_ENOUGH_HOSTS);
    }
    if (!v.request.links()) {
      return HostsOnly.place(v.request, v.slots, v.plant);
    }
    AllocationBuilder found;
    if (n <= v.plant.maxSlots()) {
      found = OneLeaf.find(v);
    } else if (n <= largestSubtree()) {
      found = leavesOfOneSubtree();
    } else {
      found = wholeSubtrees();
    }
    if (found == null && !v.together) {
      found = leavesOfOneSubtree();
      found = found != null ? found : wholeSubtrees();
    }
    return found == null
        ? new AllocationResult.Rejected(Reason.NO_CONFORMING_PLACEMENT)
        : new AllocationResult.Placed(found.build());
  }

  private int largestSubtree() {
    int most = 0;
    for (int t = 0; t < v.subtrees; t++) {
      most = Math.max(most, v.plant.slotsOfSubtree(t));
    }
    return most;
  }

  /** True if the leaf's up-links are all free, and, unless extended, its hosts too. */
  private boolean usable(int l) {
    return v.free[l] > 0
        && v.up[l] > 0
        && v.up[l] == all.freeUps(l)
        && (extended || v.free[l] == v.plant.slots(l));
  }

  private AllocationBuilder leavesOfOneSubtree() {
    for (int t = 0; t < v.subtrees; t++) {
      if (v.subtreeFree[t] < n) {
        continue;
      }
      count = 0;
      Arrays.fill(set, -1L);
      for (int i = v.plant.firstLeaf(t); i < v.plant.firstLeaf(t + 1); i++) {
        int l = v.byFree[i];
        if (!usable(l)) {
          continue;
        }
        add(l);
        if (capacity(count) >= n) {
          AllocationBuilder to = new AllocationBuilder(v.plant, v.request);
          book(to, n);
          return to;
        }
      }
    }
    return null;
  }

  private void add(int l) {
    taken[count++] = l;
    Bits.and(set, 0, v.ups, l * v.pw, set, 0, v.pw);
  }

  private int capacity(int leaves) {
    int links = Bits.count(set, 0, v.pw) * v.p;
    int sum = 0;
    for (int i = 0; i < leaves; i++) {
      sum += Math.min(links, v.free[taken[i]]);
    }
    return sum;
  }

  /** Hosts of the leaves taken: all of them, or, if extended, those asked for. */
  private void book(AllocationBuilder to, int wanted) {
    int links = Bits.count(set, 0, v.pw) * v.p;
    int rest = wanted;
    for (int i = 0; i < count; i++) {
      int l = taken[i];
      int d = Math.min(links, v.free[l]);
      v.slots.pick(l, extended ? Math.min(rest, d) : d, to);
      to.ups(l, set, 0);
      rest -= Math.min(rest, d);
    }
  }

  // ---- whole sub-trees

  private boolean subtreeUsable(int t) {
    if (!extended && !v.freshSubtree(t)) {
      return false;
    }
    for (int q = 0; q < v.planes; q++) {
      for (int w = 0; w < v.rw; w++) {
        if (v.roots[(t * v.planes + q) * v.rw + w] != all.rootMask(t, q, w)) {
          return false;
        }
      }
    }
    return true;
  }

  private AllocationBuilder wholeSubtrees() {
    count = 0;
    Arrays.fill(set, -1L);
    Arrays.fill(roots, -1L);
    for (int t = 0; t < v.subtrees; t++) {
      if (!subtreeUsable(t)) {
        continue;
      }
      int before = count;
      for (int l = v.plant.firstLeaf(t); l < v.plant.firstLeaf(t + 1); l++) {
        if (usable(l)) {
          add(l);
        }
      }
      if (count == before) {
        continue;
      }
      for (int q = 0; q < v.planes; q++) {
        Bits.and(roots, q * v.rw, v.roots, (t * v.planes + q) * v.rw, roots, q * v.rw, v.rw);
      }
      if (withinRoots() >= n) {
        return bookSubtrees();
      }
    }
    return null;
  }

  /** Leaves a sub-tree can use: each takes as many roots of a plane as it has positions there. */
  private int leavesPerSubtree() {
    int[] mult = new int[v.planes];
    for (int p = Bits.next(set, 0, v.pw, 0);
        p >= 0 && p < v.positions;
        p = Bits.next(set, 0, v.pw, p + 1)) {
      mult[v.plant.planeOf(p)]++;
    }
    int most = v.leaves;
    for (int q = 0; q < v.planes; q++) {
      if (mult[q] > 0) {
        most = Math.min(most, Bits.count(roots, q * v.rw, v.rw) / mult[q]);
      }
    }
    return most;
  }

  private int withinRoots() {
    int links = Bits.count(set, 0, v.pw) * v.p;
    int most = leavesPerSubtree();
    int sum = 0;
    int here = 0;
    for (int i = 0; i < count; i++) {
      boolean same = i > 0 && v.plant.subtreeOf(taken[i]) == v.plant.subtreeOf(taken[i - 1]);
      here = same ? here + 1 : 1;
      sum += here <= most ? Math.min(links, v.free[taken[i]]) : 0;
    }
    return sum;
  }

  private AllocationBuilder bookSubtrees() {
    int most = leavesPerSubtree();
    int kept = 0;
    int here = 0;
    int last = -1;
    for (int i = 0; i < count; i++) {
      int t = v.plant.subtreeOf(taken[i]);
      here = t == last ? here + 1 : 1;
      last = t;
      if (here <= most) {
        taken[kept++] = taken[i];
      }
    }
    count = kept;
    AllocationBuilder to = new AllocationBuilder(v.plant, v.request);
    book(to, n);
    for (int i = 0; i < count; i++) {
      int t = v.plant.subtreeOf(taken[i]);
      for (int p = Bits.next(set, 0, v.pw, 0); p >= 0; p = Bits.next(set, 0, v.pw, p + 1)) {
        int q = v.plant.planeOf(p);
        to.roots(t, q, roots, q * v.rw);
      }
    }
    return to;
  }
}
