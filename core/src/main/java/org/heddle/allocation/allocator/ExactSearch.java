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
  static final int L2 = Integer.getInteger("l2", 300);
  private final AllocationRequest request;
  private final SearchView v;
  private final SubtreeSearch inside;
  private final int n;
  private Allocation fallback;

  ExactSearch(AllocationRequest request, Occupancy occupancy) {
    this.request = request;
    v = new SearchView(request, occupancy);
    inside = new SubtreeSearch(v);
    n = request.hosts();
  }

  AllocationResult run() {
    if (v.slots.total() < n) {
      return new AllocationResult.Rejected(AllocationResult.Reason.NOT_ENOUGH_HOSTS);
    }
    if (!request.links()) {
      return HostsOnly.place(request, v.slots, v.plant);
    }
    AllocationBuilder leaf = OneLeaf.find(v);
    Allocation found = leaf == null ? null : leaf.build();
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

  private Allocation oneSubtree(boolean unequal) {
    AllocationBuilder found = inside.find(unequal);
    if (found == null) {
      return null;
    }
    if (inside.opensSubtree() && v.plant.threeLevels()) {
      fallback = fallback == null ? found.build() : fallback;
      return null;
    }
    return found.build();
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
