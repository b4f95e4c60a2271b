package org.heddle.allocation.allocator;

import com.google.auto.service.AutoService;
import java.util.List;
import org.heddle.allocation.AllocationBuilder;
import org.heddle.allocation.AllocationRequest;
import org.heddle.allocation.AllocationResult;
import org.heddle.allocation.AllocationResult.Reason;
import org.heddle.allocation.Allocator;
import org.heddle.allocation.Occupancy;
import org.heddle.allocation.search.Attempts;
import org.heddle.allocation.search.HostsOnly;
import org.heddle.allocation.search.MultiSubtreeSearch;
import org.heddle.allocation.search.OneLeaf;
import org.heddle.allocation.search.SearchView;
import org.heddle.allocation.search.SubtreeSearch;

/**
 * The approximated scheme of the LaaS paper, its errata corrected: inside a sub-tree Q leaves of D
 * hosts and one of R on common positions; a tenant that finds no such place is rounded up to whole
 * leaves, and the same problem is solved with leaves as hosts and sub-trees as leaves.
 *
 * <p>D from large to small, the most used leaves and sub-trees first, depth first with a bounded
 * number of nodes for each D; O(D * nodes * leaves of a sub-tree).
 */
@AutoService(Allocator.class)
public final class Laas implements Allocator {
  private static final int NODES = 1000;

  /**
   * Smaller tenants are not rounded up if a sub-tree could hold them and they may wait: that wastes
   * more hosts than it fills (2 to 3 points of utilisation for mean sizes of 8 and 36).
   */
  private static final int LEAST_LEAVES = 4;

  @Override
  public String name() {
    return "laas";
  }

  @Override
  public String description() {
    return "the approximated scheme: N = Q*D + R in a sub-tree, whole leaves over several";
  }

  @Override
  public String source() {
    return "Zahavi et al., LaaS, section 5.4 and algorithm FLAP, corrected";
  }

  @Override
  public AllocationResult place(AllocationRequest request, Occupancy occupancy) {
    return Attempts.place(request, occupancy, Laas::attempt, List.of());
  }

  static AllocationResult attempt(SearchView v) {
    if (v.slots.total() < v.request.hosts()) {
      return new AllocationResult.Rejected(Reason.NOT_ENOUGH_HOSTS);
    }
    if (!v.request.links()) {
      return HostsOnly.place(v.request, v.slots, v.plant);
    }
    AllocationBuilder found = OneLeaf.find(v);
    if (found == null) {
      SubtreeSearch inside = new SubtreeSearch(v);
      found = inside.find(false);
      found = found != null ? found : severalSubtrees(v);
    }
    if (found != null) {
      return new AllocationResult.Placed(found.build());
    }
    return v.exhausted()
        ? new AllocationResult.Aborted(v.steps())
        : new AllocationResult.Rejected(Reason.NO_CONFORMING_PLACEMENT);
  }

  private static AllocationBuilder severalSubtrees(SearchView v) {
    if (!v.plant.threeLevels()) {
      return null;
    }
    MultiSubtreeSearch tree = new MultiSubtreeSearch(v);
    tree.equalMembersOnly();
    int d = Math.min(v.plant.maxSlots(), v.positions * v.p);
    d -= d % v.grain;
    int n = v.request.hosts();
    int leaves = d == 0 ? 0 : (n + d - 1) / d;
    boolean waits = v.together && n < LEAST_LEAVES * d && n <= largestSubtree(v);
    if (d == 0 || waits || tree.prepare(d, v.units(d)) < leaves) {
      return null;
    }
    for (int c = Math.min(leaves, tree.maxWhole()); c >= 1; c--) {
      if ((leaves + c - 1) / c <= v.subtrees && tree.find(leaves, 0, c, v.subtrees, NODES)) {
        AllocationBuilder to = new AllocationBuilder(v.plant, v.request);
        tree.addTo(to);
        return to;
      }
    }
    return null;
  }

  private static int largestSubtree(SearchView v) {
    int most = 0;
    for (int t = 0; t < v.subtrees; t++) {
      most = Math.max(most, v.plant.slotsOfSubtree(t));
    }
    return most;
  }
}
