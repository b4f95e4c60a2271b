package org.heddle.allocation.search;

import java.util.Arrays;
import org.heddle.allocation.AllocationBuilder;
import org.heddle.allocation.Bits;

/**
 * The tail of a placement over several sub-trees: no leaf, one, or two with fewer hosts than the
 * full leaves. The last has as many up-links as hosts, the one before as many as both together (but
 * not more than a full leaf), both inside S, the smaller set inside the larger.
 */
final class PartialLeaves {
  /** First tails tried; more have never been of use. */
  private static final int PAIRS = 4;

  private final SearchView v;
  private final RootChains chains;
  private long[] set;
  private int setSize;
  private int hosts;
  private int full;
  private final int[] leaf = new int[2];
  private final int[] share = new int[2];
  private int size;

  /** Positions of the tails: the k-th at {@code k * pw}. */
  private final long[] taken;

  private final long[] fit;
  private final long[] scratch;

  /** Links added by plane while trying; -1 if the plane takes no more. */
  private final int[] added;

  PartialLeaves(SearchView view, RootChains rootChains) {
    v = view;
    chains = rootChains;
    taken = new long[2 * v.pw];
    fit = new long[v.pw];
    scratch = new long[v.pw];
    added = new int[v.planes];
  }

  void start(long[] positions, int positionCount, int tailHosts, int hostsOfFullLeaf) {
    set = positions;
    setSize = positionCount;
    hosts = tailHosts;
    full = hostsOfFullLeaf;
    size = 0;
  }

  /**
   * Finds places for the tails and enters their links in the chains.
   *
   * @param k sub-trees the tenant may use
   */
  boolean place(MultiSubtreeSearch chain, int k) {
    size = 0;
    if (!chains.fit()) {
      return false;
    }
    if (hosts == 0) {
      return true;
    }
    if (hosts < full && single(chain, k)) {
      return true;
    }
    return pair(chain);
  }

  // ---- one tail

  private boolean single(MultiSubtreeSearch chain, int k) {
    for (int i = 0; i < chain.size(); i++) {
      if (singleIn(chain, chain.member(i))) {
        return true;
      }
    }
    return chain.size() < k && (singleElsewhere(chain, false) || singleElsewhere(chain, true));
  }

  /** In a sub-tree without full leaves of the tenant: one in use, or, as the last resort, not. */
  private boolean singleElsewhere(MultiSubtreeSearch chain, boolean fresh) {
    for (int t = 0; t < v.subtrees; t++) {
      if (v.freshSubtree(t) == fresh && !isMember(chain, t) && singleIn(chain, t)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isMember(MultiSubtreeSearch chain, int t) {
    for (int i = 0; i < chain.size(); i++) {
      if (chain.member(i) == t) {
        return true;
      }
    }
    return false;
  }

  private boolean singleIn(MultiSubtreeSearch chain, int t) {
    int need = v.units(hosts);
    if (v.subtreeFree[t] < hosts || !v.step(v.planes * (chain.size() + 1)) || feasible(t) < need) {
      return false;
    }
    int l = bestLeaf(chain, t, hosts, need);
    if (l < 0) {
      return false;
    }
    Arrays.fill(taken, 0, v.pw, 0);
    Bits.and(fit, 0, v.ups, l * v.pw, scratch, 0, v.pw);
    NestedSets.grow(taken, 0, scratch, 0, need, v.pw);
    enter(0, l, hosts);
    size = 1;
    return true;
  }

  /** The leaf with fewest free hosts that has enough of them and of the feasible positions. */
  private int bestLeaf(MultiSubtreeSearch chain, int t, int n, int need) {
    for (int i = v.plant.firstLeaf(t); i < v.plant.firstLeaf(t + 1); i++) {
      int l = v.byFree[i];
      if (v.free[l] >= n
          && Bits.countBoth(fit, 0, v.ups, l * v.pw, v.pw) >= need
          && chain.spare(l)) {
        return l;
      }
    }
    return -1;
  }

  /**
   * Positions of S at which one more leaf of that sub-tree can be added, into {@code fit}; with
   * parallel links the first few of a plane. Returns their number.
   */
  private int feasible(int t) {
    Arrays.fill(fit, 0);
    Arrays.fill(added, 0);
    int n = 0;
    for (int pos = Bits.next(set, 0, v.pw, 0); pos >= 0; pos = Bits.next(set, 0, v.pw, pos + 1)) {
      int q = v.plant.planeOf(pos);
      if (added[q] < 0) {
        continue; // one position less of the plane was too many already
      }
      chains.add(t, q, 1);
      added[q]++;
      if (chains.fits(q)) {
        Bits.set(fit, 0, pos);
        n++;
      } else {
        chains.add(t, q, -added[q]);
        added[q] = -1;
      }
    }
    for (int q = 0; q < v.planes; q++) {
      if (added[q] > 0) {
        chains.add(t, q, -added[q]);
      }
    }
    return n;
  }

  private void enter(int i, int l, int n) {
    leaf[i] = l;
    share[i] = n;
    change(i, 1);
  }

  private void change(int i, int sign) {
    int at = i * v.pw;
    for (int pos = Bits.next(taken, at, v.pw, 0);
        pos >= 0;
        pos = Bits.next(taken, at, v.pw, pos + 1)) {
      chains.add(v.plant.subtreeOf(leaf[i]), v.plant.planeOf(pos), sign);
    }
  }

  // ---- two tails

  private boolean pair(MultiSubtreeSearch chain) {
    int tried = 0;
    int half = (hosts + 1) / 2;
    int least = Math.min(setSize, v.units(hosts));
    for (int i = 0; i < chain.size(); i++) {
      int t = chain.member(i);
      for (int x = v.plant.firstLeaf(t); x < v.plant.firstLeaf(t + 1); x++) {
        int l = v.byFree[x];
        if (v.free[l] < half || v.up[l] < least) {
          continue; // most leaves, most of the time
        }
        int d = Math.min(Math.min(v.free[l], full), hosts - 1);
        d -= d % v.grain;
        int rest = hosts - d;
        if (d < rest || !chain.spare(l)) {
          continue;
        }
        if (++tried > PAIRS) {
          return false;
        }
        if (secondFor(chain, l, d, rest)) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean secondFor(MultiSubtreeSearch chain, int first, int d, int rest) {
    int need = Math.min(setSize, v.units(hosts));
    int t = v.plant.subtreeOf(first);
    if (v.up[first] < need || !v.step(v.planes * (chain.size() + 1)) || feasible(t) < need) {
      return false;
    }
    Bits.and(fit, 0, v.ups, first * v.pw, fit, 0, v.pw);
    if (Bits.count(fit, 0, v.pw) < need) {
      return false;
    }
    for (int i = 0; i < chain.size(); i++) {
      int o = chain.member(i);
      if (!v.step(v.plant.firstLeaf(o + 1) - v.plant.firstLeaf(o))) {
        return false;
      }
      for (int x = v.plant.firstLeaf(o); x < v.plant.firstLeaf(o + 1); x++) {
        int l = v.byFree[x];
        if (l != first
            && v.free[l] >= rest
            && Bits.countBoth(fit, 0, v.ups, l * v.pw, v.pw) >= v.units(rest)
            && chain.spare(l)
            && enough(chain, first, l)
            && enterPair(first, d, l, rest, need)) {
          return true;
        }
      }
    }
    return false;
  }

  /** False if both tails are full leaves of a sub-tree that can spare only one. */
  private boolean enough(MultiSubtreeSearch chain, int a, int b) {
    int t = v.plant.subtreeOf(a);
    if (t != v.plant.subtreeOf(b) || !chain.isWhole(a) || !chain.isWhole(b)) {
      return true;
    }
    for (int i = 0; i < chain.size(); i++) {
      if (chain.member(i) == t) {
        return chain.whole[t] > chain.share(i) + 1;
      }
    }
    return chain.whole[t] > 1;
  }

  private boolean enterPair(int first, int d, int second, int rest, int need) {
    Arrays.fill(taken, 0);
    Bits.and(fit, 0, v.ups, second * v.pw, scratch, 0, v.pw);
    long[] inner = new long[v.pw];
    int have = NestedSets.grow(inner, 0, scratch, 0, v.units(rest), v.pw);
    System.arraycopy(inner, 0, taken, v.pw, v.pw);
    NestedSets.grow(inner, have, fit, 0, need, v.pw);
    System.arraycopy(inner, 0, taken, 0, v.pw);
    enter(0, first, d);
    enter(1, second, rest);
    if (chains.fit()) {
      size = 2;
      return true;
    }
    change(0, -1);
    change(1, -1);
    return false;
  }

  // ---- what was found

  boolean uses(int l) {
    return size > 0 && leaf[0] == l || size > 1 && leaf[1] == l;
  }

  int size() {
    return size;
  }

  int leaf(int i) {
    return leaf[i];
  }

  int hosts(int i) {
    return share[i];
  }

  /** Adds the positions of the i-th tail to a mask. */
  void addLinks(int i, long[] to) {
    for (int w = 0; w < v.pw; w++) {
      to[w] |= taken[i * v.pw + w];
    }
  }

  void addTo(AllocationBuilder to) {
    for (int i = 0; i < size; i++) {
      to.ups(leaf[i], taken, i * v.pw);
      v.slots.pick(leaf[i], share[i], to);
    }
  }
}
