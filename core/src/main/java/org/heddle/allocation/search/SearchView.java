package org.heddle.allocation.search;

import java.util.Arrays;
import org.heddle.allocation.AllocationRequest;
import org.heddle.allocation.Occupancy;
import org.heddle.allocation.Plant;

/**
 * The scratch of one attempt: free slots and links as plain arrays, and the steps taken. A search
 * that has used its budget stops looking and says so.
 */
public final class SearchView {
  public final Plant plant;
  public final AllocationRequest request;
  public final FreeSlots slots;
  final Occupancy occupancy;

  /** Hosts that may share an up-link in this attempt: not more than the request allows. */
  public final int p;

  /** Leaves but the last take multiples of so many hosts: p, so that no link is half used, or 1. */
  public final int grain;

  /** False if a place counts that is worse for later tenants than waiting would be. */
  public final boolean together;

  final int leaves;
  public final int subtrees;
  public final int positions;
  final int planes;

  /** Longs of a mask over positions, and over root links. */
  final int pw;

  final int rw;

  /** Acceptable free hosts by leaf. */
  final int[] free;

  /** Free up-links by leaf. */
  final int[] up;

  /** Free positions: {@code leaf * pw}. */
  final long[] ups;

  /** Free root links: {@code (subtree * planes + plane) * rw}. */
  final long[] roots;

  /** Acceptable free hosts by sub-tree. */
  final int[] subtreeFree;

  /**
   * Leaves of each sub-tree by rising free hosts (falling if spread), then up-links, then index.
   */
  final int[] byFree;

  final boolean pack;
  private long steps;

  SearchView(AllocationRequest request, Occupancy occupancy, Attempts.Reading reading) {
    this.request = request;
    this.occupancy = occupancy;
    plant = occupancy.plant();
    slots = new FreeSlots(request, occupancy);
    p = reading.share();
    grain = reading.grain();
    together = reading.together();
    pack = request.preference() == AllocationRequest.Preference.PACK;
    leaves = plant.leafCount();
    subtrees = plant.subtreeCount();
    positions = plant.positions();
    planes = plant.planes();
    pw = plant.positionWords();
    rw = plant.rootWords();
    free = slots.counts();
    up = new int[leaves];
    ups = new long[leaves * pw];
    roots = new long[subtrees * planes * rw];
    occupancy.copyUps(ups);
    occupancy.copyRoots(roots);
    occupancy.copyFreeUps(up);
    subtreeFree = new int[subtrees];
    byFree = new int[leaves];
    if (request.choice().acceptsAll()) {
      occupancy.copyFreeHostsOfSubtrees(subtreeFree);
    } else {
      for (int l = 0; l < leaves; l++) {
        subtreeFree[plant.subtreeOf(l)] += free[l];
      }
    }
    if (request.choice().acceptsAll() && pack) {
      occupancy.copyLeavesByFree(byFree);
    } else {
      for (int t = 0; t < subtrees; t++) {
        sortLeaves(t);
      }
    }
  }

  /** Sorts the leaves of a sub-tree: insertion, there are a few dozen. */
  private void sortLeaves(int t) {
    int first = plant.firstLeaf(t);
    for (int l = first; l < plant.firstLeaf(t + 1); l++) {
      int at = l;
      while (at > first && before(l, byFree[at - 1])) {
        byFree[at] = byFree[at - 1];
        at--;
      }
      byFree[at] = l;
    }
  }

  private boolean before(int a, int b) {
    if (free[a] != free[b]) {
      return free[a] < free[b] == pack;
    }
    return up[a] != up[b] ? up[a] < up[b] == pack : a < b;
  }

  /** Sub-trees, those with fewest free hosts first (most, if spread). */
  int[] subtreesByFree() {
    long[] keys = new long[subtrees];
    for (int t = 0; t < subtrees; t++) {
      long order = pack ? subtreeFree[t] : Integer.MAX_VALUE - subtreeFree[t];
      keys[t] = order << 32 | t;
    }
    Arrays.sort(keys);
    int[] out = new int[subtrees];
    for (int t = 0; t < subtrees; t++) {
      out[t] = (int) keys[t];
    }
    return out;
  }

  /** True if none of the leaf's hosts and links is in use. */
  boolean fresh(int leaf) {
    return free[leaf] == plant.slots(leaf);
  }

  /** True if no host of the sub-tree is in use. */
  boolean freshSubtree(int t) {
    return subtreeFree[t] == plant.slotsOfSubtree(t);
  }

  /** Up-links that so many hosts of one leaf need. */
  public int units(int hosts) {
    return p == 1 ? hosts : (hosts + p - 1) / p;
  }

  /** Counts a step; false if the budget is used up. */
  boolean step() {
    return ++steps <= request.budget();
  }

  /** Counts several steps; false if the budget is used up. */
  boolean step(int n) {
    steps += n;
    return steps <= request.budget();
  }

  public boolean exhausted() {
    return steps > request.budget();
  }

  public long steps() {
    return steps;
  }
}
