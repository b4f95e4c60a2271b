package org.heddle.allocation.search;

import java.util.Arrays;
import org.heddle.allocation.AllocationBuilder;
import org.heddle.allocation.Bits;

/**
 * Finds a placement over several sub-trees: leaves of D hosts that all use one set S of positions,
 * and up to two smaller tail leaves with subsets of S.
 *
 * <p>Since a flow keeps its position, the leaves of all sub-trees are one chain over positions. In
 * every plane by itself the sub-trees are a chain over roots, a sub-tree counting as many as the
 * tenant's leaves in it that use the plane. The number of those leaves is chosen depth first over
 * sub-trees, best fit first, with the running intersection of free root links of every plane.
 */
public final class MultiSubtreeSearch {
  private final SearchView v;
  final RootChains chains;

  /** S, its size, and how many of its positions lie in each plane. */
  private final long[] set;

  private int setSize;
  private final int[] mult;
  private int d;

  /** Leaves by sub-tree that could be full members. */
  final int[] whole;

  private int mostWhole;

  private final int[] order;
  private int count;
  private final long[] running;
  private int cap;
  private boolean unequal = true;
  private int most;
  private int nodes;

  // members found: sub-tree, full leaves in it
  private final int[] member;
  private final int[] share;
  private int size;

  private final PartialLeaves tails;

  public MultiSubtreeSearch(SearchView view) {
    v = view;
    set = new long[v.pw];
    mult = new int[v.planes];
    whole = new int[v.subtrees];
    order = new int[v.subtrees];
    running = new long[(v.subtrees + 2) * v.planes * v.rw];
    member = new int[v.subtrees + 3];
    share = new int[v.subtrees + 3];
    chains = new RootChains(v);
    tails = new PartialLeaves(v, chains);
  }

  /**
   * Chooses S for full leaves of d hosts: the positions that most leaves with d free hosts have
   * free. Returns the number of leaves that have d hosts and all of S.
   *
   * @param links the size of S: that of d hosts, less if all others are fewer
   */
  public int prepare(int hostsPerLeaf, int links) {
    d = hostsPerLeaf;
    setSize = links;
    Arrays.fill(set, 0);
    Arrays.fill(mult, 0);
    Arrays.fill(whole, 0);
    mostWhole = 0;
    if (setSize > v.positions) {
      return 0; // no leaf has so many
    }
    choosePositions();
    for (int q = Bits.next(set, 0, v.pw, 0); q >= 0; q = Bits.next(set, 0, v.pw, q + 1)) {
      mult[v.plant.planeOf(q)]++;
    }
    int total = 0;
    for (int l = 0; l < v.leaves; l++) {
      if (isWhole(l)) {
        mostWhole = Math.max(mostWhole, ++whole[v.plant.subtreeOf(l)]);
        total++;
      }
    }
    return total;
  }

  private void choosePositions() {
    if (setSize >= v.positions) {
      for (int q = 0; q < v.positions; q++) {
        Bits.set(set, 0, q);
      }
      return;
    }
    int[] votes = new int[v.positions];
    for (int l = 0; l < v.leaves; l++) {
      if (v.free[l] >= d && v.up[l] >= setSize) {
        for (int q = Bits.next(v.ups, l * v.pw, v.pw, 0);
            q >= 0;
            q = Bits.next(v.ups, l * v.pw, v.pw, q + 1)) {
          votes[q]++;
        }
      }
    }
    for (int i = 0; i < setSize; i++) {
      int best = -1;
      for (int q = 0; q < votes.length; q++) {
        if (!Bits.get(set, 0, q) && (best < 0 || votes[q] > votes[best])) {
          best = q;
        }
      }
      if (best >= 0) {
        Bits.set(set, 0, best);
      }
    }
  }

  /** Every member but the last must have c leaves. */
  public void equalMembersOnly() {
    unequal = false;
  }

  boolean isWhole(int l) {
    return v.free[l] >= d && Bits.subset(set, 0, v.ups, l * v.pw, v.pw);
  }

  /**
   * Looks for n hosts: {@code n - tail} on full leaves, the others on tail leaves.
   *
   * @param c full leaves of the largest member
   * @param k sub-trees at most
   * @param limit nodes to visit at most
   */
  public boolean find(int leaves, int tail, int c, int k, int limit) {
    cap = Math.min(c, leaves - c);
    most = k;
    nodes = limit;
    size = 0;
    tails.start(set, setSize, tail, d);
    collect(c);
    Arrays.fill(running, 0, v.planes * v.rw, -1L);
    return descend(0, leaves, c);
  }

  private void collect(int c) {
    count = 0;
    for (int t = 0; t < v.subtrees; t++) {
      if (whole[t] > 0) {
        int at = count++;
        while (at > 0 && before(t, order[at - 1], c)) {
          order[at] = order[at - 1];
          at--;
        }
        order[at] = t;
      }
    }
  }

  /** Those with c leaves in best-fit order, then the others by falling number. */
  private boolean before(int a, int b, int c) {
    boolean x = whole[a] >= c;
    boolean y = whole[b] >= c;
    if (x != y) {
      return x;
    }
    if (whole[a] != whole[b]) {
      return x && v.pack ? whole[a] < whole[b] : whole[a] > whole[b];
    }
    return v.subtreeFree[a] < v.subtreeFree[b];
  }

  private boolean descend(int start, int rest, int limit) {
    int need = Math.min(cap, rest);
    if (rest <= limit && finish(rest, need)) {
      return true;
    }
    if (size + 1 >= most) {
      return false;
    }
    int sum = 0;
    for (int i = start; i < count; i++) {
      sum += Math.min(limit, whole[order[i]]);
    }
    for (int i = start; i < count && nodes > 0; i++) {
      int t = order[i];
      int a = Math.min(limit, whole[t]);
      if (sum < rest
          || a * (most - size) < rest && whole[t] < limit
          || (size == 0 || !unequal) && a < limit) {
        return false;
      }
      sum -= a;
      if (a >= rest || isMember(t) || !intersect(t, need)) {
        continue;
      }
      nodes--;
      push(t, a);
      if (descend(i + 1, rest - a, a)) {
        return true;
      }
      size--;
    }
    return false;
  }

  /** Running intersection for one more member; false if a plane has too few roots left. */
  private boolean intersect(int t, int need) {
    if (!v.step(v.planes)) {
      nodes = 0;
      return false;
    }
    int from = size * v.planes * v.rw;
    int to = from + v.planes * v.rw;
    for (int q = 0; q < v.planes; q++) {
      int n =
          Bits.and(
              running,
              from + q * v.rw,
              v.roots,
              (t * v.planes + q) * v.rw,
              running,
              to + q * v.rw,
              v.rw);
      if (n < need * mult[q]) {
        return false;
      }
    }
    return true;
  }

  private void push(int t, int a) {
    member[size] = t;
    share[size++] = a;
  }

  private boolean isMember(int t) {
    for (int i = 0; i < size; i++) {
      if (member[i] == t) {
        return true;
      }
    }
    return false;
  }

  /** One sub-tree takes all full leaves that are left, and the tails find their places. */
  private boolean finish(int rest, int need) {
    long tried = 0;
    for (int fit = rest; fit <= maxWhole(); fit++) {
      for (int t = 0; t < v.subtrees && nodes > 0; t++) {
        if (whole[t] != fit || isMember(t) || !intersect(t, need)) {
          continue;
        }
        push(t, rest);
        if (placeTails()) {
          return true;
        }
        size--;
        if (++tried > 4) {
          return false;
        }
      }
    }
    return false;
  }

  public int maxWhole() {
    return mostWhole;
  }

  private boolean placeTails() {
    if (!v.step(v.planes * size)) {
      return false;
    }
    chains.reset();
    for (int i = 0; i < size; i++) {
      for (int q = 0; q < v.planes; q++) {
        chains.add(member[i], q, share[i] * mult[q]);
      }
    }
    return tails.place(this, most);
  }

  /** Full leaves a sub-tree keeps for the members already chosen. */
  boolean spare(int l) {
    if (!isWhole(l)) {
      return true;
    }
    int t = v.plant.subtreeOf(l);
    for (int i = 0; i < size; i++) {
      if (member[i] == t) {
        return whole[t] > share[i];
      }
    }
    return true;
  }

  int size() {
    return size;
  }

  int member(int i) {
    return member[i];
  }

  int share(int i) {
    return share[i];
  }

  /** Full leaves (tails excluded) in best-fit order, tails, links and roots. */
  public void addTo(AllocationBuilder to) {
    long[] links = needed();
    for (int i = 0; i < size; i++) {
      int t = member[i];
      int left = share[i];
      for (int x = v.plant.firstLeaf(t); x < v.plant.firstLeaf(t + 1) && left > 0; x++) {
        int l = v.byFree[x];
        if (isWhole(l) && !tails.uses(l)) {
          to.ups(l, links, 0);
          v.slots.pick(l, d, to);
          left--;
        }
      }
    }
    tails.addTo(to);
    chains.addTo(to);
  }

  /**
   * The links of a full leaf: S, unless there is one full leaf and a smaller one. Neither can send
   * more than the other takes (cap = min(d_1, N - d_1)), and both get the links of the smaller.
   */
  private long[] needed() {
    if (size != 1 || share[0] != 1 || tails.size() != 1) {
      return set;
    }
    long[] links = new long[v.pw];
    tails.addLinks(0, links);
    for (int pos = Bits.next(set, 0, v.pw, 0); pos >= 0; pos = Bits.next(set, 0, v.pw, pos + 1)) {
      if (!Bits.get(links, 0, pos)) {
        chains.add(member[0], v.plant.planeOf(pos), -1);
      }
    }
    return links;
  }

  PartialLeaves tails() {
    return tails;
  }
}
