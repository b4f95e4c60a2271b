package org.heddle.allocation.search;

import java.util.Arrays;
import org.heddle.allocation.AllocationBuilder;
import org.heddle.allocation.Bits;

/**
 * Finds a placement over several sub-trees whose leaves, and whose sub-trees in every plane, share
 * enough links two by two, for trees so damaged that no set is free on all of them ({@link
 * PairSets}).
 *
 * <p>Greedy: few sub-trees first, then many hosts D a leaf; the leaves are spread evenly over the
 * sub-trees, which are joined one after the other. A plane in which a new one shares too few root
 * links with an earlier one is given up in the new one; a leaf of it is taken if what is left of
 * its up-links shares D with those of all leaves before. O(leaves^2) for one D and one number of
 * sub-trees.
 */
final class PairwiseLinkSearch {
  /** Sub-trees a search begins with. */
  private static final int STARTS = 2;

  /** Sub-trees more than needed, whatever the damage. */
  private static final int SCATTER = 2;

  private final SearchView v;
  private final PairSets positions;
  private final PairSets roots;
  private final int[] mult;

  // members: leaf, hosts, positions it could use
  private final int[] leaf;
  private final int[] hosts;
  private final int[] units;
  private final long[] usable;
  private final boolean[] used;
  private int size;

  // sub-trees joined, and by sub-tree * planes + plane whether the plane is used
  private final int[] joined;
  private final boolean[] open;
  private int joinedCount;

  private final int[] eligible;
  private final int[] order;
  private final int[] list;
  private int orderCount;
  private final long[] allowed;
  private final long[] common;
  private int cap;
  private int rest;

  // result: up-links by member, roots by sub-tree and plane
  private final long[] ups;
  private final long[] rootSets;

  PairwiseLinkSearch(SearchView view) {
    v = view;
    positions = new PairSets(v.pw);
    roots = new PairSets(v.rw);
    mult = new int[v.planes];
    for (int p = 0; p < v.positions; p++) {
      mult[v.plant.planeOf(p)]++;
    }
    leaf = new int[v.leaves];
    hosts = new int[v.leaves];
    units = new int[v.leaves];
    usable = new long[v.leaves * v.pw];
    used = new boolean[v.leaves];
    joined = new int[v.subtrees];
    open = new boolean[v.subtrees * v.planes];
    eligible = new int[v.subtrees];
    order = new int[v.subtrees];
    list = new int[v.leaves];
    allowed = new long[v.pw];
    common = new long[v.pw];
    ups = new long[v.leaves * v.pw];
    rootSets = new long[v.subtrees * v.planes * v.rw];
  }

  /** A placement of the request's hosts, or null. */
  AllocationBuilder find() {
    int n = v.request.hosts();
    int least = Math.max(2, fewest(n));
    int most = (int) Math.min(v.subtrees, (long) least + extra(least));
    int low = leastPerLeaf();
    for (int k = least; k <= most; k++) {
      for (int d = Math.min(n - 1, v.plant.maxSlots()); d >= low; d--) {
        if (d % v.grain == 0 && search(n, d, k)) {
          return book();
        }
        if (v.exhausted()) {
          return null;
        }
      }
    }
    return null;
  }

  private boolean nothingPlaced() {
    return v.slots.total() == v.plant.hostCount();
  }

  /**
   * Sub-trees more than the fewest: where a share x of the links is left two leaves have x^2 of
   * theirs in common, and so have two sub-trees. In an empty plant waiting would not help.
   */
  private int extra(int least) {
    if (v.request.extraSubtrees() >= 0) {
      return v.request.extraSubtrees();
    }
    if (!v.together || nothingPlaced()) {
      return v.subtrees;
    }
    double x = v.plant.upsAlive();
    double y = v.plant.rootsAlive();
    double more = Math.ceil(2 * least * (1 / (x * y * y) - 1)) + SCATTER;
    return (int) Math.min(v.subtrees, more);
  }

  /** With fewer hosts a leaf than is usual for the damage, others lose more than is won. */
  private int leastPerLeaf() {
    double x = v.plant.upsAlive() * v.plant.upsAlive();
    return !v.together || nothingPlaced() ? 1 : Math.max(1, (int) (v.plant.maxSlots() * x * x));
  }

  /** Fewest sub-trees that have so many hosts with links; more than there are if they have not. */
  private int fewest(int n) {
    int[] have = new int[v.subtrees];
    for (int l = 0; l < v.leaves; l++) {
      have[v.plant.subtreeOf(l)] += Math.min(v.free[l], v.up[l] * v.p);
    }
    Arrays.sort(have);
    int sum = 0;
    for (int i = have.length - 1, k = 1; i >= 0; i--, k++) {
      sum += have[i];
      if (sum >= n) {
        return k;
      }
    }
    return v.subtrees + 1;
  }

  /** Leaves that have d hosts and the links for them, by sub-tree and in all. */
  private int count(int d) {
    int total = 0;
    for (int t = 0; t < v.subtrees; t++) {
      eligible[t] = 0;
      for (int l = v.plant.firstLeaf(t); l < v.plant.firstLeaf(t + 1); l++) {
        eligible[t] += v.free[l] >= d && v.up[l] >= v.units(d) ? 1 : 0;
      }
      total += eligible[t];
    }
    return total;
  }

  private int most() {
    int n = 0;
    for (int e : eligible) {
      n = Math.max(n, e);
    }
    return n;
  }

  /** Looks for leaves of d hosts, spread evenly over k sub-trees. */
  private boolean search(int n, int d, int k) {
    int leaves = (n + d - 1) / d;
    int c = (leaves + k - 1) / k;
    if (!v.step(v.subtrees) || count(d) < n / d || c > most()) {
      return false;
    }
    sort(c);
    cap = v.units(Math.min(d, n - d));
    for (int start = 0; start < Math.min(STARTS, orderCount) && !v.exhausted(); start++) {
      if (grow(n, d, c, start)) {
        return true;
      }
    }
    return false;
  }

  /** Sub-trees with c such leaves, the fewest first, then the others, the most first. */
  private void sort(int c) {
    orderCount = 0;
    for (int t = 0; t < v.subtrees; t++) {
      if (eligible[t] > 0) {
        int at = orderCount++;
        while (at > 0 && before(t, order[at - 1], c)) {
          order[at] = order[at - 1];
          at--;
        }
        order[at] = t;
      }
    }
  }

  private boolean before(int a, int b, int c) {
    boolean x = eligible[a] >= c;
    boolean y = eligible[b] >= c;
    if (x != y) {
      return x;
    }
    if (eligible[a] != eligible[b]) {
      return x ? eligible[a] < eligible[b] : eligible[a] > eligible[b];
    }
    return v.subtreeFree[a] < v.subtreeFree[b];
  }

  private boolean grow(int n, int d, int c, int start) {
    size = 0;
    joinedCount = 0;
    rest = n;
    Arrays.fill(used, false);
    for (int i = start; i < orderCount && rest >= d; i++) {
      if (!join(order[i], c)) {
        continue;
      }
      int took = 0;
      int m = collect(order[i]);
      for (int x = 0; x < m && took < c && rest >= d; x++) {
        took += take(list[x], d) ? 1 : 0;
        if (v.exhausted()) {
          return false;
        }
      }
      joinedCount += took > 0 ? 1 : 0;
    }
    return rest < d && (rest == 0 || last(c)) && chooseSets();
  }

  /** Finds the planes a further sub-tree could use; false if they are too few. */
  private boolean join(int t, int c) {
    if (!v.step(v.planes * (joinedCount + 1))) {
      return false;
    }
    joined[joinedCount] = t;
    for (int q = 0; q < v.planes; q++) {
      open[t * v.planes + q] = sharesRoots(t, q, c * mult[q]);
    }
    return allow(t) >= cap;
  }

  private boolean sharesRoots(int t, int q, int wanted) {
    int at = (t * v.planes + q) * v.rw;
    for (int i = 0; i <= joinedCount; i++) {
      int o = joined[i] * v.planes + q;
      boolean counts = i == joinedCount || open[o];
      if (counts && Bits.countBoth(v.roots, at, v.roots, o * v.rw, v.rw) < wanted) {
        return false;
      }
    }
    return true;
  }

  private boolean take(int l, int d) {
    if (used[l] || v.free[l] < d || v.up[l] < cap || !v.step(1 + size / 4)) {
      return false;
    }
    int at = size * v.pw;
    if (Bits.and(allowed, 0, v.ups, l * v.pw, usable, at, v.pw) < cap) {
      return false;
    }
    for (int i = 0; i < size; i++) {
      if (Bits.countBoth(usable, at, usable, i * v.pw, v.pw) < cap) {
        return false;
      }
    }
    push(l, d);
    return true;
  }

  /** The leaves of a sub-tree in best-fit order, of equals those with most links first. */
  private int collect(int t) {
    int n = 0;
    for (int x = v.plant.firstLeaf(t); x < v.plant.firstLeaf(t + 1); x++) {
      int l = v.byFree[x];
      int at = n++;
      while (at > 0 && v.free[l] == v.free[list[at - 1]] && v.up[l] > v.up[list[at - 1]]) {
        list[at] = list[at - 1];
        at--;
      }
      list[at] = l;
    }
    return n;
  }

  private void push(int l, int d) {
    used[l] = true;
    leaf[size] = l;
    hosts[size] = d;
    units[size++] = v.units(d);
    rest -= d;
  }

  /** The leaf that takes what is left: in a sub-tree of the tenant's, or in one more. */
  private boolean last(int c) {
    for (int i = 0; i < joinedCount; i++) {
      int t = joined[i];
      allow(t);
      if (leavesIn(t) < c && lastIn(t)) {
        return true;
      }
    }
    for (int t = 0; t < v.subtrees; t++) {
      if (v.subtreeFree[t] >= rest && !isJoined(t) && join(t, c) && lastIn(t)) {
        joinedCount++;
        return true;
      }
    }
    return false;
  }

  /** Positions in the planes a sub-tree uses; returns their number. */
  private int allow(int t) {
    Arrays.fill(allowed, 0);
    int n = 0;
    for (int p = 0; p < v.positions; p++) {
      if (open[t * v.planes + v.plant.planeOf(p)]) {
        Bits.set(allowed, 0, p);
        n++;
      }
    }
    return n;
  }

  private int leavesIn(int t) {
    int n = 0;
    for (int i = 0; i < size; i++) {
      n += v.plant.subtreeOf(leaf[i]) == t ? 1 : 0;
    }
    return n;
  }

  private boolean isJoined(int t) {
    for (int i = 0; i < joinedCount; i++) {
      if (joined[i] == t) {
        return true;
      }
    }
    return false;
  }

  private boolean lastIn(int t) {
    int wanted = v.units(rest);
    Arrays.fill(common, -1L);
    for (int i = 0; i < size; i++) {
      Bits.and(common, 0, usable, i * v.pw, common, 0, v.pw);
    }
    for (int x = v.plant.firstLeaf(t); x < v.plant.firstLeaf(t + 1); x++) {
      int l = v.byFree[x];
      if (used[l] || v.free[l] < rest) {
        continue;
      }
      if (Bits.countBoth(common, 0, v.ups, l * v.pw, v.pw) >= wanted) {
        Bits.and(allowed, 0, v.ups, l * v.pw, usable, size * v.pw, v.pw);
        push(l, rest);
        return true;
      }
      if (take(l, rest)) {
        return true;
      }
    }
    return false;
  }

  // ---- links

  private boolean chooseSets() {
    if (!v.step(1 + size * size / 8) || !positions.choose(units, size, usable)) {
      return false;
    }
    System.arraycopy(positions.sets(), 0, ups, 0, size * v.pw);
    Arrays.fill(rootSets, 0);
    int[] members = new int[joinedCount];
    int[] links = new int[joinedCount];
    long[] from = new long[joinedCount * v.rw];
    for (int q = 0; q < v.planes; q++) {
      int count = members(q, members, links);
      for (int i = 0; i < count; i++) {
        System.arraycopy(v.roots, (members[i] * v.planes + q) * v.rw, from, i * v.rw, v.rw);
      }
      if (!v.step(count + 1) || !roots.choose(links, count, from)) {
        return false;
      }
      for (int i = 0; i < count; i++) {
        int to = (members[i] * v.planes + q) * v.rw;
        System.arraycopy(roots.sets(), i * v.rw, rootSets, to, v.rw);
      }
    }
    return true;
  }

  /** The sub-trees with links in a plane, those with most first; returns their number. */
  private int members(int q, int[] members, int[] links) {
    int count = 0;
    for (int i = 0; i < joinedCount; i++) {
      int n = linksIn(joined[i], q);
      if (n > 0) {
        int at = count++;
        while (at > 0 && n > links[at - 1]) {
          links[at] = links[at - 1];
          members[at] = members[at - 1];
          at--;
        }
        links[at] = n;
        members[at] = joined[i];
      }
    }
    return count;
  }

  private int linksIn(int t, int q) {
    int n = 0;
    for (int i = 0; i < size; i++) {
      if (v.plant.subtreeOf(leaf[i]) != t) {
        continue;
      }
      for (int p = Bits.next(ups, i * v.pw, v.pw, 0);
          p >= 0;
          p = Bits.next(ups, i * v.pw, v.pw, p + 1)) {
        n += v.plant.planeOf(p) == q ? 1 : 0;
      }
    }
    return n;
  }

  private AllocationBuilder book() {
    AllocationBuilder to = new AllocationBuilder(v.plant, v.request);
    for (int i = 0; i < size; i++) {
      v.slots.pick(leaf[i], hosts[i], to);
      to.ups(leaf[i], ups, i * v.pw);
    }
    for (int i = 0; i < joinedCount; i++) {
      for (int q = 0; q < v.planes; q++) {
        to.roots(joined[i], q, rootSets, (joined[i] * v.planes + q) * v.rw);
      }
    }
    return to;
  }
}
