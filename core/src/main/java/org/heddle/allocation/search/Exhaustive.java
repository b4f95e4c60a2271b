package org.heddle.allocation.search;

import java.util.Arrays;
import org.heddle.allocation.AllocationBuilder;
import org.heddle.allocation.Bits;

/**
 * Complete search of all placements under the chain conditions, for small trees: every sequence of
 * leaves with falling numbers of hosts, every choice of positions, every order of sub-trees of
 * equal weight. Exponential; bounded by the request's budget.
 */
public final class Exhaustive {
  private final SearchView v;
  private final RootOrders orders;
  private final int n;
  private final int subtreesAtMost;
  private final int[] leaf;
  private final int[] hosts;
  private final int[] need;
  private final long[] mask;
  private final boolean[] used;
  private int size;
  private int cap;

  /** Members (the first ones) that use a position. */
  private final int[] depth;

  private final int[] links;

  /**
   * A search in that view.
   *
   * @param subtreesAtMost sub-trees a placement may be scattered over
   */
  Exhaustive(SearchView view, int subtreesAtMost) {
    v = view;
    n = v.request.hosts();
    this.subtreesAtMost = subtreesAtMost;
    orders = new RootOrders(v);
    leaf = new int[v.leaves];
    hosts = new int[v.leaves];
    need = new int[v.leaves + 1];
    mask = new long[(v.leaves + 1) * v.pw];
    used = new boolean[v.leaves];
    depth = new int[v.positions];
    links = new int[v.subtrees];
  }

  /** A placement on at least two leaves, or null if there is none or the budget is used up. */
  AllocationBuilder find() {
    Arrays.fill(mask, 0, v.pw, -1L);
    for (int d = Math.min(n - 1, v.plant.maxSlots()); d >= 1; d--) {
      cap = v.units(Math.min(d, n - d));
      if (d % v.grain == 0 && descend(n, d, d)) {
        return book();
      }
    }
    return null;
  }

  private boolean descend(int rest, int most, int least) {
    if (rest == 0) {
      return choosePositions();
    }
    int needed = Math.min(cap, v.units(rest));
    if (capacity(most) < rest) {
      return false;
    }
    for (int d = Math.min(most, rest); d >= least; d--) {
      if (d % v.grain != 0 && d != rest) {
        continue;
      }
      for (int l = 0; l < v.leaves; l++) {
        if (canTake(l, d, needed) && v.step()) {
          push(l, d, needed);
          if (descend(rest - d, d, 1)) {
            return true;
          }
          used[leaf[--size]] = false;
        }
      }
    }
    return false;
  }

  /** Hosts the leaves not used yet can take, so many each. */
  private int capacity(int most) {
    int sum = 0;
    for (int l = 0; l < v.leaves; l++) {
      sum += used[l] ? 0 : Math.min(most, v.free[l]);
    }
    return sum;
  }

  private boolean canTake(int l, int d, int needed) {
    if (used[l] || v.free[l] < d || v.exhausted()) {
      return false;
    }
    // Members with as many hosts and links are alike: one order will do.
    if (size > 0 && hosts[size - 1] == d && need[size - 1] == needed && l < leaf[size - 1]) {
      return false;
    }
    int at = size * v.pw;
    return Bits.and(mask, at, v.ups, l * v.pw, mask, at + v.pw, v.pw) >= needed && near(l);
  }

  private boolean near(int l) {
    int count = 1;
    int t = v.plant.subtreeOf(l);
    for (int i = 0; i < size; i++) {
      int other = v.plant.subtreeOf(leaf[i]);
      boolean fresh = other != t;
      for (int j = 0; j < i && fresh; j++) {
        fresh = v.plant.subtreeOf(leaf[j]) != other;
      }
      count += fresh ? 1 : 0;
    }
    return count <= subtreesAtMost;
  }

  private void push(int l, int d, int needed) {
    // The mask was written by canTake.
    used[l] = true;
    leaf[size] = l;
    hosts[size] = d;
    need[size++] = needed;
  }

  // ---- positions and roots

  private boolean choosePositions() {
    need[size] = 0;
    Arrays.fill(depth, 0);
    return assign(size, need[size - 1], 0);
  }

  /** Chooses so many more positions that exactly the first i members use, then shallower ones. */
  private boolean assign(int i, int more, int from) {
    if (!v.step()) {
      return false;
    }
    if (more == 0) {
      return i == 1 ? planesFit() : assign(i - 1, need[i - 2] - need[i - 1], 0);
    }
    for (int q = from; q < v.positions; q++) {
      if (depth[q] == 0 && Bits.get(mask, i * v.pw, q)) {
        depth[q] = i;
        if (assign(i, more - 1, q + 1)) {
          return true;
        }
        depth[q] = 0;
      }
    }
    return false;
  }

  private boolean planesFit() {
    for (int q = 0; q < v.planes; q++) {
      count(q);
      if (!orders.fits(q, links)) {
        return false;
      }
    }
    return true;
  }

  /** Links of every sub-tree in a plane. */
  private void count(int plane) {
    Arrays.fill(links, 0);
    for (int pos = 0; pos < v.positions; pos++) {
      if (v.plant.planeOf(pos) == plane) {
        for (int i = 0; i < depth[pos]; i++) {
          links[v.plant.subtreeOf(leaf[i])]++;
        }
      }
    }
  }

  private AllocationBuilder book() {
    AllocationBuilder to = new AllocationBuilder(v.plant, v.request);
    for (int i = 0; i < size; i++) {
      v.slots.pick(leaf[i], hosts[i], to);
      for (int pos = 0; pos < v.positions; pos++) {
        if (depth[pos] > i) {
          to.up(leaf[i], pos);
        }
      }
    }
    for (int q = 0; q < v.planes; q++) {
      count(q);
      orders.addTo(to, q, links);
    }
    return to;
  }
}
