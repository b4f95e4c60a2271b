package org.heddle.allocation.allocator;

import org.heddle.allocation.Allocation;
import org.heddle.allocation.AllocationBuilder;
import org.heddle.allocation.AllocationRequest;
import org.heddle.allocation.AllocationResult;
import org.heddle.allocation.Occupancy;

/** One attempt of {@link Exact}. */
final class ExactSearch {
  static final int K1 = Integer.getInteger("k1", 1);
  static final int K2 = Integer.getInteger("k2", 3);
  static final int L1 = Integer.getInteger("l1", 300);
  static final int L2 = Integer.getInteger("l2", 300);
  static final int WB = Integer.getInteger("wb", 10);
  static final int WP = Integer.getInteger("wp", 3);
  static final int WX = Integer.getInteger("wx", 1);
  static final int WF = Integer.getInteger("wf", 1000);
  private final AllocationRequest request;
  private final SearchView v;
  private final LeafChain chain;
  private final int n;
  private Allocation fallback;

  ExactSearch(AllocationRequest request, Occupancy occupancy) {
    this.request = request;
    v = new SearchView(request, occupancy);
    chain = new LeafChain(v);
    n = request.hosts();
  }

  AllocationResult run() {
    if (v.slots.total() < n) {
      return new AllocationResult.Rejected(AllocationResult.Reason.NOT_ENOUGH_HOSTS);
    }
    Allocation found = oneLeaf();
    found = found != null ? found : oneSubtree(false);
    found = found != null ? found : oneSubtree(true);
    found = found != null ? found : severalSubtrees();
    found = found != null ? found : fallback;
    if (found != null) {
      return new AllocationResult.Placed(found);
    }
    return v.exhausted()
        ? new AllocationResult.Aborted(v.steps())
        : new AllocationResult.Rejected(AllocationResult.Reason.NO_CONFORMING_PLACEMENT);
  }

  /** The leaf with fewest free hosts that has enough; of those the one with fewest free links. */
  private Allocation oneLeaf() {
    if (n > v.plant.maxSlots()) {
      return null;
    }
    int best = -1;
    for (int l = 0; l < v.leaves; l++) {
      if (v.free[l] >= n && (best < 0 || better(l, best))) {
        best = l;
      }
    }
    if (best < 0) {
      return null;
    }
    AllocationBuilder builder = new AllocationBuilder(v.plant, request);
    v.slots.pick(best, n, builder);
    return builder.build();
  }

  private boolean better(int a, int b) {
    if (v.free[a] != v.free[b]) {
      return v.free[a] < v.free[b];
    }
    if (v.up[a] != v.up[b]) {
      return v.up[a] < v.up[b];
    }
    return v.subtreeFree[v.plant.subtreeOf(a)] < v.subtreeFree[v.plant.subtreeOf(b)];
  }

  private Allocation oneSubtree(boolean unequal) {
    long best = Long.MAX_VALUE;
    AllocationBuilder builder = null;
    int top = Math.min(n - 1, v.plant.maxSlots());
    int[] with = new int[v.plant.maxSlots() + 2];
    for (int t = 0; t < v.subtrees; t++) {
      if (v.subtreeFree[t] < n) {
        continue;
      }
      histogram(t, with);
      for (int d = top; d >= 1; d--) {
        if (d % v.p != 0 || (unequal ? with[d] == 0 : with[d] < n / d)) {
          continue;
        }
        if (chain.find(t, n, d, unequal, unequal ? L2 : L1)) {
          long score = score(t);
          if (score < best) {
            best = score;
            builder = new AllocationBuilder(v.plant, request);
            chain.addTo(builder);
          }
        }
      }
    }
    if (builder == null) {
      return null;
    }
    if (best >= WF) {
      if (fallback == null) {
        fallback = builder.build();
      }
      return null;
    }
    return builder.build();
  }

  private void histogram(int t, int[] with) {
    java.util.Arrays.fill(with, 0);
    for (int l = v.plant.firstLeaf(t); l < v.plant.firstLeaf(t + 1); l++) {
      with[Math.min(v.free[l], v.up[l] * v.p)]++;
    }
    for (int d = with.length - 2; d >= 0; d--) {
      with[d] += with[d + 1];
    }
  }

  private long score(int t) {
    long s = v.freshSubtree(t) ? WF : 0;
    for (int i = 0; i < chain.size(); i++) {
      int l = chain.leaf(i);
      int left = v.free[l] - chain.hosts(i);
      if (left > 0) {
        s += v.fresh(l) ? WB : WP;
      }
      s += (long) WX * (chain.need(i) - v.units(chain.hosts(i)));
    }
    return s;
  }

  private Allocation severalSubtrees() {
    if (!v.plant.threeLevels()) {
      return null;
    }
    TreeChain tree = new TreeChain(v);
    int d = Math.min(v.plant.maxSlots(), v.positions * v.p);
    d -= d % v.p;
    int total = tree.prepare(d);
    int leaves = n / d;
    int least = fewest(tree, leaves);
    if (least < 0) {
      return null;
    }
    int extra = request.extraSubtrees() >= 0 ? request.extraSubtrees() : leaves <= 18 ? K2 : K1;
    for (int k = least; k <= Math.min(v.subtrees, least + extra); k++) {
      for (int w = leaves; w >= Math.max(1, leaves - 1); w--) {
        int tail = n - w * d;
        if (tail >= 2 * d) {
          break;
        }
        for (int c = Math.min(w, tree.maxWhole()); c * k >= w && c > 0; c--) {
          if (tree.find(w, tail, c, k, L2)) {
            AllocationBuilder builder = new AllocationBuilder(v.plant, request);
            tree.addTo(builder);
            return builder.build();
          }
        }
      }
    }
    return null;
  }

  /** Fewest sub-trees that have so many whole leaves, or -1. */
  private int fewest(TreeChain tree, int leaves) {
    int[] w = tree.whole.clone();
    java.util.Arrays.sort(w);
    int sum = 0;
    for (int i = w.length - 1, k = 1; i >= 0; i--, k++) {
      sum += w[i];
      if (sum >= leaves - 1) {
        return k;
      }
    }
    return -1;
  }
}
