package org.heddle.allocation.allocator;

import org.heddle.allocation.AllocationBuilder;
import org.heddle.allocation.Bits;

/**
 * Finds leaves of one sub-tree that can form a nested chain.
 *
 * <p>Members in falling order of hosts d_1 &gt;= d_2 &gt;= ..; with cap = min(d_1, N - d_1), member
 * i needs min(cap, d_i + d_(i+1) + ..) up-links, nested one inside the other. So what a member
 * needs depends on nothing but what was still to be placed before it, and the nested sets exist if
 * and only if the running intersection of the free positions is large enough at every member. For a
 * given d_1 it never pays to give a member fewer hosts than it can have. Depth first, the best
 * fitting leaves first; bounded by a number of nodes.
 */
final class LeafChain {
  private final SearchView v;
  private final int[] order;
  private final int[] member;
  private final int[] hosts;
  private final int[] need;
  private final long[] mask;
  private final boolean[] used;
  private final int[] sumFrom;
  private int count;
  private int size;
  private int first;
  private int cap;
  private int nodes;
  private boolean pairs;
  private final PairSets sets;

  LeafChain(SearchView view) {
    v = view;
    order = new int[v.leaves];
    member = new int[v.leaves + 1];
    hosts = new int[v.leaves + 1];
    need = new int[v.leaves + 1];
    mask = new long[(v.leaves + 2) * v.pw];
    used = new boolean[v.leaves];
    sumFrom = new int[v.leaves + 1];
    sets = new PairSets(v.pw);
  }

  /** From now on links need not be nested: every two leaves must share enough of them. */
  void allowPairs() {
    pairs = true;
  }

  /**
   * Looks for a placement of n hosts whose largest member has exactly {@code d}.
   *
   * @param unequal false if all members but the last must have d hosts
   * @param limit nodes to visit at most
   */
  boolean find(int t, int n, int d, boolean unequal, int limit) {
    collect(t, d, unequal);
    size = 0;
    first = d;
    cap = v.units(Math.min(d, n - d));
    nodes = limit;
    for (int w = 0; w < v.pw; w++) {
      mask[w] = -1L;
    }
    return sumFrom[0] >= n && descend(0, n, d) && (!pairs || chooseSets());
  }

  /** Leaves that can hold d in best-fit order, then, by falling free hosts, those that cannot. */
  private void collect(int t, int d, boolean unequal) {
    int from = v.plant.firstLeaf(t);
    int to = v.plant.firstLeaf(t + 1);
    count = 0;
    for (int i = from; i < to; i++) {
      int l = v.byFree[i];
      if (v.free[l] >= d) {
        order[count++] = l;
      }
    }
    for (int i = to - 1; unequal && i >= from; i--) {
      int l = v.byFree[v.pack ? i : from + to - 1 - i];
      if (v.free[l] < d && v.free[l] > 0) {
        order[count++] = l;
      }
    }
    sumFrom[count] = 0;
    for (int i = count - 1; i >= 0; i--) {
      used[order[i]] = false;
      sumFrom[i] = sumFrom[i + 1] + Math.min(d, v.free[order[i]]);
    }
  }

  private boolean descend(int start, int rest, int most) {
    int needed = Math.min(cap, v.units(rest));
    if (size > 0 && rest <= most && finish(rest, needed)) {
      return true;
    }
    int lastFree = -1;
    long lastMask = 0;
    int at = size * v.pw;
    for (int i = start; i < count; i++) {
      if (sumFrom[i] < rest || nodes <= 0) {
        return false;
      }
      int l = order[i];
      int d = share(l, rest, most);
      if (size == 0 && d < first) {
        return false;
      }
      if (used[l] || d == 0 || d >= rest && size > 0) {
        continue;
      }
      if (!v.step()) {
        nodes = 0;
        return false;
      }
      int both = Bits.and(mask, at, v.ups, l * v.pw, mask, at + v.pw, v.pw);
      if (pairs && needed == cap ? !sharesWithAll(l) : both < needed) {
        continue;
      }
      long told = pairs ? v.ups[l * v.pw] : mask[at + 1];
      if (v.pw == 1 && v.free[l] == lastFree && told == lastMask) {
        continue; // its twin has failed
      }
      lastFree = v.free[l];
      lastMask = told;
      nodes--;
      push(l, d, needed);
      if (d == rest || descend(i + 1, rest - d, d)) {
        return true;
      }
      pop();
    }
    return false;
  }

  private boolean sharesWithAll(int l) {
    boolean shares = v.up[l] >= cap && v.step(size);
    for (int i = 0; i < size && shares; i++) {
      shares = Bits.countBoth(v.ups, member[i] * v.pw, v.ups, l * v.pw, v.pw) >= cap;
    }
    return shares;
  }

  private boolean chooseSets() {
    int[] units = new int[size];
    long[] from = new long[size * v.pw];
    for (int i = 0; i < size; i++) {
      units[i] = v.units(hosts[i]);
      System.arraycopy(v.ups, member[i] * v.pw, from, i * v.pw, v.pw);
    }
    if (!sets.choose(units, size, from)) {
      return false;
    }
    for (int i = 0; i < size; i++) {
      need[i] = sets.size(i);
    }
    return true;
  }

  /** Hosts a leaf contributes: whole link units unless it takes all that is left. */
  private int share(int l, int rest, int most) {
    int d = Math.min(most, v.free[l]);
    return d >= rest ? rest : d - d % v.p;
  }

  private void push(int l, int d, int needed) {
    member[size] = l;
    hosts[size] = d;
    need[size++] = needed;
    used[l] = true;
  }

  private void pop() {
    used[member[--size]] = false;
  }

  /** The leaf that fits best takes all that is left. */
  private boolean finish(int rest, int needed) {
    int at = size * v.pw;
    int from = v.plant.firstLeaf(v.plant.subtreeOf(member[0]));
    int to = v.plant.firstLeaf(v.plant.subtreeOf(member[0]) + 1);
    for (int i = from; i < to; i++) {
      int l = v.byFree[i];
      if (v.free[l] >= rest
          && !isMember(l)
          && (pairs && needed == cap
              ? sharesWithAll(l)
              : Bits.countBoth(mask, at, v.ups, l * v.pw, v.pw) >= needed)) {
        Bits.and(mask, at, v.ups, l * v.pw, mask, at + v.pw, v.pw);
        push(l, rest, needed);
        return true;
      }
    }
    return false;
  }

  private boolean isMember(int l) {
    for (int i = 0; i < size; i++) {
      if (member[i] == l) {
        return true;
      }
    }
    return false;
  }

  // ---- what was found

  int size() {
    return size;
  }

  int leaf(int i) {
    return member[i];
  }

  int hosts(int i) {
    return hosts[i];
  }

  int need(int i) {
    return need[i];
  }

  /** Hosts of the largest member. */
  int first() {
    return first;
  }

  /** Books hosts and nested link sets, lowest positions first. */
  void addTo(AllocationBuilder to) {
    if (pairs) {
      for (int i = 0; i < size; i++) {
        to.ups(member[i], sets.sets(), i * v.pw);
        v.slots.pick(member[i], hosts[i], to);
      }
      return;
    }
    long[] set = new long[v.pw];
    int have = 0;
    for (int i = size - 1; i >= 0; i--) {
      int at = (i + 1) * v.pw;
      have = NestedSets.grow(set, have, mask, at, size > 1 ? need[i] : 0, v.pw);
      to.ups(member[i], set, 0);
      v.slots.pick(member[i], hosts[i], to);
    }
  }
}
