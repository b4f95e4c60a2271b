package org.heddle.allocation.search;

import java.util.Arrays;
import org.heddle.allocation.Allocation;
import org.heddle.allocation.AllocationBuilder;
import org.heddle.allocation.AllocationRequest;
import org.heddle.allocation.AllocationResult;

/** One attempt of {@code Exact}. */
public final class ExactSearch {
  /** Sub-trees more than needed, for tenants of many leaves and of few. */
  private static final int SCATTER = 1;

  private static final int SCATTER_SMALL = 3;

  private static final int SMALL_LEAVES = 18;

  /** Trees of so many leaves are searched completely. */
  private static final int EXHAUSTIVE_LEAVES = 16;

  /** Nodes of one search over sub-trees. */
  private static final int NODES = 300;

  private final AllocationRequest request;
  private final SearchView v;
  private final SubtreeSearch inside;
  private final int n;

  public ExactSearch(SearchView view) {
    v = view;
    request = v.request;
    inside = new SubtreeSearch(v);
    n = request.hosts();
  }

  public AllocationResult run() {
    if (v.slots.total() < n) {
      return new AllocationResult.Rejected(AllocationResult.Reason.NOT_ENOUGH_HOSTS);
    }
    if (!request.links()) {
      return HostsOnly.place(request, v.slots, v.plant);
    }
    AllocationBuilder found = OneLeaf.find(v);
    if (found != null) {
      return new AllocationResult.Placed(withoutBreaking(found.build()));
    }
    found = inside.findEither();
    if (found == null || v.plant.threeLevels() && v.pack && inside.opensSubtree()) {
      AllocationBuilder across = severalSubtrees();
      found = across != null ? across : found;
    }
    if (found == null && v.plant.damaged()) {
      found = inside.findPairs();
      found = found == null && v.plant.threeLevels() ? new PairwiseLinkSearch(v).find() : found;
    }
    if (found == null && v.leaves <= EXHAUSTIVE_LEAVES) {
      found = exhaustive();
    }
    if (found != null) {
      return new AllocationResult.Placed(found.build());
    }
    return v.exhausted()
        ? new AllocationResult.Aborted(v.steps())
        : new AllocationResult.Rejected(AllocationResult.Reason.NO_CONFORMING_PLACEMENT);
  }

  /** Rather than breaking a leaf nobody uses, takes several leaves that are in use. */
  private Allocation withoutBreaking(Allocation single) {
    if (n == 1 || !v.pack || !v.fresh(single.leaf(0))) {
      return single;
    }
    AllocationBuilder better = inside.findHarmless();
    return better == null ? single : better.build();
  }

  /** Looks at everything the conditions allow. */
  private AllocationBuilder exhaustive() {
    int least = Math.max(1, fewest(v.subtreeFree, n));
    int leaves = n / Math.max(1, v.plant.maxSlots());
    return new Exhaustive(v, (int) Math.min(v.subtrees, (long) least + scatter(leaves))).find();
  }

  private int scatter(int leaves) {
    if (request.extraSubtrees() >= 0) {
      return request.extraSubtrees();
    }
    if (!v.together) {
      return v.subtrees;
    }
    return leaves <= SMALL_LEAVES ? SCATTER_SMALL : SCATTER;
  }

  private AllocationBuilder severalSubtrees() {
    if (!v.plant.threeLevels()) {
      return null;
    }
    MultiSubtreeSearch tree = new MultiSubtreeSearch(v);
    int d = Math.min(v.plant.maxSlots(), v.positions * v.p);
    d -= d % v.grain;
    if (d == 0 || n <= d) {
      return null; // leaves too small for a whole link unit; or one leaf would do
    }
    tree.prepare(d, v.units(d));
    AllocationBuilder found = severalSubtrees(tree, d);
    if (found == null && !v.together && n < 2 * d) {
      // One full leaf sends no more than the others take, so that fewer links are enough for it.
      tree.prepare(d, v.units(n - d));
      found = severalSubtrees(tree, d);
    }
    return found;
  }

  private AllocationBuilder severalSubtrees(MultiSubtreeSearch tree, int d) {
    int leaves = n / d;
    int least = fewest(tree, Math.max(0, leaves - 1));
    if (least < 0) {
      return null;
    }
    int most = (int) Math.min(v.subtrees, (long) least + scatter(leaves));
    for (int k = least; k <= most; k++) {
      for (int w = leaves; w >= Math.max(1, leaves - 1); w--) {
        int tail = n - w * d;
        if (tail >= 2 * d) {
          break;
        }
        for (int c = Math.min(w, tree.maxWhole()); c * k >= w && c > 0; c--) {
          if (tree.find(w, tail, c, k, NODES)) {
            AllocationBuilder builder = new AllocationBuilder(v.plant, request);
            tree.addTo(builder);
            return builder;
          }
        }
      }
    }
    return null;
  }

  /** Fewest sub-trees that have so many whole leaves and so many hosts, or -1. */
  private int fewest(MultiSubtreeSearch tree, int leaves) {
    int a = fewest(tree.whole, leaves);
    int b = fewest(v.subtreeFree, n);
    return a < 0 || b < 0 ? -1 : Math.max(a, b);
  }

  private static int fewest(int[] have, int wanted) {
    int[] sorted = have.clone();
    Arrays.sort(sorted);
    int sum = 0;
    for (int i = sorted.length - 1, k = 1; i >= 0; i--, k++) {
      sum += sorted[i];
      if (sum >= wanted) {
        return k;
      }
    }
    return -1;
  }
}
