package org.heddle.allocation.search;

import java.util.Arrays;
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
  // By rank in a sub-tree's leaves by free hosts: leaf, and free hosts of all before it.
  private final int[] rank;
  private final int[] before;

  /** By number of hosts: leaves of the sub-tree that have fewer free. */
  private final int[] fewer;

  private int leavesHere;
  private final int[] member;
  private final int[] hosts;
  private final int[] need;
  private final long[] mask;
  private final boolean[] used;

  // Candidates in the order in which they are tried: first those with d hosts, then the others.
  private int less;
  private int enough;
  private int count;
  private int othersSum;
  private int size;
  private int first;
  private int cap;
  private int nodes;
  private boolean pairs;
  private final PairSets sets;

  // what was kept
  private final int[] keptMember;
  private final int[] keptHosts;
  private final int[] keptNeed;
  private final long[] keptMask;
  private int kept;
  private boolean keptPairs;

  LeafChain(SearchView view) {
    v = view;
    int most = 0;
    for (int t = 0; t < v.subtrees; t++) {
      most = Math.max(most, v.plant.firstLeaf(t + 1) - v.plant.firstLeaf(t));
    }
    rank = new int[most];
    before = new int[most + 1];
    fewer = new int[v.plant.maxSlots() + 2];
    member = new int[most + 1];
    hosts = new int[most + 1];
    need = new int[most + 1];
    mask = new long[(most + 2) * v.pw];
    used = new boolean[v.leaves];
    sets = new PairSets(v.pw);
    keptMember = new int[most + 1];
    keptHosts = new int[most + 1];
    keptNeed = new int[most + 1];
    keptMask = new long[(most + 2) * v.pw];
  }

  /** Turns to a sub-tree. O(its leaves). */
  void enter(int t) {
    int from = v.plant.firstLeaf(t);
    leavesHere = v.plant.firstLeaf(t + 1) - from;
    Arrays.fill(fewer, 0);
    for (int i = 0; i < leavesHere; i++) {
      int l = v.byFree[v.pack ? from + i : from + leavesHere - 1 - i];
      rank[i] = l;
      before[i + 1] = before[i] + v.free[l];
      fewer[v.free[l] + 1]++;
    }
    for (int d = 1; d < fewer.length; d++) {
      fewer[d] += fewer[d - 1];
    }
  }

  /** Leaves of the sub-tree entered that have exactly so many free hosts. */
  int withExactly(int d) {
    return fewer[d + 1] - fewer[d];
  }

  /** From now on links need not be nested: every two leaves must share enough of them. */
  void allowPairs() {
    pairs = true;
  }

  /**
   * Looks for a placement of n hosts in the sub-tree entered whose largest member has exactly
   * {@code d}.
   *
   * @param unequal false if all members but the last must have d hosts
   * @param limit nodes to visit at most
   */
  boolean find(int n, int d, boolean unequal, int limit) {
    while (size > 0) {
      pop();
    }
    less = fewer[d];
    enough = leavesHere - less;
    count = unequal ? leavesHere : enough;
    othersSum = unequal ? before[less] : 0;
    first = d;
    cap = v.units(Math.min(d, n - d));
    nodes = limit;
    for (int w = 0; w < v.pw; w++) {
      mask[w] = -1L;
    }
    return sumFrom(0) >= n && descend(0, n, d) && (!pairs || chooseSets());
  }

  /**
   * The i-th candidate: leaves with d hosts, those that fit best (or, if spread, worst) first; then
   * the others by falling free hosts.
   */
  private int candidate(int i) {
    if (i >= enough) {
      return rank[leavesHere - 1 - i];
    }
    return rank[v.pack ? less + i : leavesHere - 1 - i];
  }

  /** Hosts that candidates from the i-th on can have, d each at most. */
  private int sumFrom(int i) {
    return i < enough ? (enough - i) * first + othersSum : before[leavesHere - i];
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
      if (sumFrom(i) < rest || nodes <= 0) {
        return false;
      }
      int l = candidate(i);
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
    return d >= rest ? rest : d - d % v.grain;
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
    for (int i = v.pack ? fewer[rest] : 0; i < leavesHere; i++) {
      int l = rank[v.pack ? i : leavesHere - 1 - i];
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

  /** Keeps what was found, in place of what was kept before. */
  void keep() {
    kept = size;
    keptPairs = pairs;
    System.arraycopy(member, 0, keptMember, 0, size);
    System.arraycopy(hosts, 0, keptHosts, 0, size);
    System.arraycopy(need, 0, keptNeed, 0, size);
    if (pairs) {
      System.arraycopy(sets.sets(), 0, keptMask, 0, size * v.pw);
    } else {
      System.arraycopy(mask, 0, keptMask, 0, (size + 1) * v.pw);
    }
  }

  /** Books hosts and link sets of what was kept, of nested ones the lowest positions first. */
  AllocationBuilder kept() {
    AllocationBuilder to = new AllocationBuilder(v.plant, v.request);
    long[] set = new long[v.pw];
    int have = 0;
    for (int i = kept - 1; i >= 0; i--) {
      if (keptPairs) {
        to.ups(keptMember[i], keptMask, i * v.pw);
      } else {
        have = NestedSets.grow(set, have, keptMask, (i + 1) * v.pw, keptNeed[i], v.pw);
        to.ups(keptMember[i], set, 0);
      }
      v.slots.pick(keptMember[i], keptHosts[i], to);
    }
    return to;
  }
}
