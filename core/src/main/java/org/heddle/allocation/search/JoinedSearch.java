package org.heddle.allocation.search;

import java.util.Arrays;
import org.heddle.allocation.Allocation;
import org.heddle.allocation.AllocationBuilder;
import org.heddle.allocation.AllocationRequest;
import org.heddle.allocation.AllocationResult;
import org.heddle.allocation.Bits;
import org.heddle.allocation.Plant;
import org.heddle.allocation.Rails;

/**
 * A place whose links join the machines' adapters across rails: all units of the tenant but the
 * last have D machines, and all leaf switches of all units, also those of the last one, have the
 * same D positions. Since no leaf has more adapters of a lane than there are positions, and every
 * leaf can use every one, the flows of any permutation are coloured with them (König). Root links
 * are those of as many whole units.
 *
 * <p>For traffic across rails, and for units that are not regular, whose machines meet above the
 * leaves even if nothing crosses rails. A tenant on one unit needs links there as well; one machine
 * needs none unless its own adapters are to meet. D from large to small; inside a sub-tree units
 * are added greedily, those first that leave most positions in common. O(D * units^2) steps.
 */
final class JoinedSearch {
  /** Units with which the search inside a sub-tree begins, at most. */
  private static final int SEEDS = 24;

  /** Nodes of one search over sub-trees. */
  private static final int NODES = 60;

  private final SearchView v;
  private final Plant plant;
  private final boolean joined;
  private final int n;
  private final long[] common;
  private final long[] trial;
  private final int[] chosen;
  private final boolean[] used;

  JoinedSearch(SearchView view) {
    v = view;
    plant = v.plant;
    joined = v.request.rails() == Rails.JOINED;
    n = v.request.hosts();
    common = new long[v.pw];
    trial = new long[v.pw];
    chosen = new int[v.leaves];
    used = new boolean[v.leaves];
  }

  /** True if other searches would not keep what the request is promised. */
  static boolean concerns(AllocationRequest request, Plant plant) {
    boolean severalOnLeaf = plant.rails() > plant.blocks().size();
    return request.links()
        && (plant.irregular()
            || request.rails() == Rails.JOINED
                && (plant.severalLeaves() || severalOnLeaf && plant.damaged()));
  }

  AllocationResult run() {
    if (v.slots.total() < n) {
      return new AllocationResult.Rejected(AllocationResult.Reason.NOT_ENOUGH_HOSTS);
    }
    int most = Math.min(n, plant.maxSlots());
    for (int d = most; d >= 1 && !v.exhausted(); d--) {
      for (int t = 0; t < v.subtrees; t++) {
        if (v.subtreeFree[t] >= n && inside(t, d) && (!joined || possible())) {
          return placed();
        }
      }
    }
    boolean meet = !joined || plant.railsMeet();
    for (int d = most; d >= 1 && meet && plant.threeLevels() && !v.exhausted(); d--) {
      Allocation found = across(d);
      if (found != null) {
        return new AllocationResult.Placed(found);
      }
    }
    return v.exhausted()
        ? new AllocationResult.Aborted(v.steps())
        : new AllocationResult.Rejected(AllocationResult.Reason.NO_CONFORMING_PLACEMENT);
  }

  // ---- inside a sub-tree

  private int perUnit;
  private int unitCount;

  private boolean inside(int t, int d) {
    perUnit = d;
    unitCount = (n + d - 1) / d;
    int seeds = 0;
    for (int x = plant.firstLeaf(t); x < plant.firstLeaf(t + 1) && seeds < SEEDS; x++) {
      int l = v.byFree[x];
      if (v.free[l] >= d && v.up[l] >= need(l)) {
        seeds++;
        if (grow(t, l)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Rails that do not meet right above the leaves cannot be joined. */
  private boolean possible() {
    return plant.railsMeet() || need(chosen[0]) == 0;
  }

  /** Positions a unit needs. */
  private int need(int leaf) {
    boolean meets = joined ? plant.switches(leaf).length > 1 : n > 1 && plant.linksInside(leaf);
    return unitCount > 1 || meets ? v.units(perUnit) : 0;
  }

  private boolean grow(int t, int seed) {
    for (int i = 0; i < common.length; i++) {
      common[i] = v.ups[seed * v.pw + i];
    }
    Arrays.fill(used, false);
    chosen[0] = seed;
    used[seed] = true;
    int need = need(seed);
    for (int k = 1; k < unitCount; k++) {
      int wanted = k + 1 < unitCount ? perUnit : n - (unitCount - 1) * perUnit;
      int best = -1;
      int most = need - 1;
      for (int x = plant.firstLeaf(t); x < plant.firstLeaf(t + 1); x++) {
        int l = v.byFree[x];
        if (!used[l] && v.free[l] >= wanted && v.step()) {
          int shared = Bits.and(common, 0, v.ups, l * v.pw, trial, 0, v.pw);
          if (shared > most) {
            most = shared;
            best = l;
          }
        }
      }
      if (best < 0) {
        return false;
      }
      Bits.and(common, 0, v.ups, best * v.pw, common, 0, v.pw);
      chosen[k] = best;
      used[best] = true;
    }
    return true;
  }

  private AllocationResult placed() {
    long[] set = new long[v.pw];
    Bits.addLowest(common, 0, need(chosen[0]), set, 0, v.pw);
    AllocationBuilder to = new AllocationBuilder(plant, v.request);
    int rest = n;
    for (int k = 0; k < unitCount; k++) {
      int here = Math.min(perUnit, rest);
      v.slots.pick(chosen[k], here, to);
      to.ups(chosen[k], set, 0);
      rest -= here;
    }
    return new AllocationResult.Placed(to.build());
  }

  // ---- over several sub-trees

  private Allocation across(int d) {
    int units = (n + d - 1) / d;
    if (units < 2) {
      return null;
    }
    MultiSubtreeSearch tree = new MultiSubtreeSearch(v);
    if (tree.prepare(d, v.units(d)) < units) {
      return null;
    }
    for (int k = 2; k <= v.subtrees && !v.exhausted(); k++) {
      for (int c = Math.min(units, tree.maxWhole()); c >= 1 && c * k >= units; c--) {
        if (tree.find(units, 0, c, k, NODES)) {
          AllocationBuilder to = new AllocationBuilder(plant, v.request);
          tree.addTo(to);
          return Attempts.trimmed(to.build(), v.request, v.occupancy);
        }
      }
    }
    return null;
  }
}
