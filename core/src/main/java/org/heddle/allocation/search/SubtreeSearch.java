package org.heddle.allocation.search;

import java.util.Arrays;
import org.heddle.allocation.AllocationBuilder;

/**
 * The best placement inside one sub-tree: every sub-tree and every size D of the largest member is
 * tried, and what does least harm is kept. Harm is, above all, to open a sub-tree nobody uses, then
 * to break a leaf nobody uses, then to leave a leaf partly used, then to take more links than
 * hosts.
 */
public final class SubtreeSearch {
  /** Nodes of the search for one sub-tree and one D. */
  private static final int NODES = 300;

  private static final int FRESH_SUBTREE = 10_000;
  private static final int BROKEN_LEAF = 30;
  private static final int PARTIAL_LEAF = 3;
  private static final int EXTRA_LINK = 1;

  /** Nothing but a tie-break: no leaf broken or left partly used, no link too many. */
  private static final long HARMLESS = 29;

  /** Ties go to the sub-tree with fewest free hosts: more than a sub-tree has. */
  private static final int TIE = 1 << 16;

  private final SearchView v;
  private final LeafChain chain;
  private final int[] with;
  private long harm;

  public SubtreeSearch(SearchView view) {
    v = view;
    chain = new LeafChain(v);
    with = new int[v.plant.maxSlots() + 2];
  }

  /**
   * Looks for a place for the request's hosts.
   *
   * @param unequal false if all members but the last must be of one size
   */
  public AllocationBuilder find(boolean unequal) {
    return findBetter(unequal, Long.MAX_VALUE);
  }

  /** The same, of unequal members only if that does less harm. */
  AllocationBuilder findEither() {
    AllocationBuilder equal = find(false);
    AllocationBuilder better = findBetter(true, harm);
    return better != null ? better : equal;
  }

  /** A place that leaves no leaf partly used and takes no more links than hosts, or null. */
  AllocationBuilder findHarmless() {
    AllocationBuilder equal = findBetter(false, HARMLESS);
    return equal != null ? equal : findBetter(true, HARMLESS);
  }

  /** A place whose links share enough two by two without being nested. */
  AllocationBuilder findPairs() {
    chain.allowPairs();
    return findEither();
  }

  private AllocationBuilder findBetter(boolean unequal, long bound) {
    int n = v.request.hosts();
    boolean found = false;
    harm = bound;
    for (int t = 0; t < v.subtrees; t++) {
      if (v.subtreeFree[t] >= n && leastHarm(t, -v.plant.maxSlots()) < harm) {
        found |= searchSubtree(t, n, unequal);
      }
    }
    return found ? chain.kept() : null;
  }

  /** True if the best place found opens a sub-tree nobody used. */
  boolean opensSubtree() {
    return harm >= (long) FRESH_SUBTREE * TIE;
  }

  private boolean searchSubtree(int t, int n, boolean unequal) {
    histogram(t);
    chain.enter(t);
    boolean found = false;
    for (int d = Math.min(n - 1, v.plant.maxSlots()); d >= 1; d--) {
      if (d % v.grain != 0
          || (unequal ? with[d] == 0 : with[d] < n / d)
          || leastHarm(t, leastHarm(n, d, unequal)) >= harm) {
        continue;
      }
      if (chain.find(n, d, unequal, NODES)) {
        long now = harm(t);
        if (now < harm) {
          harm = now;
          chain.keep();
          found = true;
        }
      }
    }
    return found;
  }

  /** What a placement in the sub-tree harms at least, if its leaves and links do so much. */
  private long leastHarm(int t, long sum) {
    if (!v.pack) {
      return TIE - v.subtreeFree[t];
    }
    return (sum + (v.freshSubtree(t) ? FRESH_SUBTREE : 0)) * TIE + v.subtreeFree[t];
  }

  /**
   * What members with d hosts at most harm at least: those for which there is no leaf with exactly
   * as many free hosts leave one partly used. (The first may have fewer links than hosts.)
   */
  private long leastHarm(int n, int d, boolean unequal) {
    long sum = Math.min(0, v.units(Math.min(d, n - d)) - v.units(d));
    if (unequal) {
      return sum + (chain.withExactly(d) == 0 ? PARTIAL_LEAF : 0);
    }
    int rest = n % d;
    sum += (long) PARTIAL_LEAF * Math.max(0, n / d - chain.withExactly(d));
    return sum + (rest > 0 && chain.withExactly(rest) == 0 ? PARTIAL_LEAF : 0);
  }

  /** {@code with[d]}: leaves that have d free hosts and the links for them. */
  private void histogram(int t) {
    Arrays.fill(with, 0);
    for (int l = v.plant.firstLeaf(t); l < v.plant.firstLeaf(t + 1); l++) {
      with[Math.min(v.free[l], v.up[l] * v.p)]++;
    }
    for (int d = with.length - 2; d >= 0; d--) {
      with[d] += with[d + 1];
    }
  }

  private long harm(int t) {
    if (!v.pack) {
      return TIE - v.subtreeFree[t]; // spread: the emptiest sub-tree
    }
    long sum = v.freshSubtree(t) ? FRESH_SUBTREE : 0;
    for (int i = 0; i < chain.size(); i++) {
      int l = chain.leaf(i);
      if (v.free[l] > chain.hosts(i)) {
        sum += v.fresh(l) ? BROKEN_LEAF : PARTIAL_LEAF;
      }
      sum += (long) EXTRA_LINK * (chain.need(i) - v.units(chain.hosts(i)));
      sum += v.request.choice().hasCosts() ? 100 * v.slots.cost(l, chain.hosts(i)) : 0;
    }
    return sum * TIE + v.subtreeFree[t];
  }
}
