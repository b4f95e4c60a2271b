package org.heddle.allocation.search;

import org.heddle.allocation.AllocationBuilder;
import org.heddle.allocation.AllocationRequest;
import org.heddle.allocation.AllocationResult;
import org.heddle.allocation.Plant;

/** Hosts without links, all of one island: cheapest, then fullest (or emptiest) leaves first. */
public final class HostsOnly {
  private HostsOnly() {}

  public static AllocationResult place(AllocationRequest request, FreeSlots free, Plant plant) {
    if (free.total() < request.hosts()) {
      return new AllocationResult.Rejected(AllocationResult.Reason.NOT_ENOUGH_HOSTS);
    }
    int[] leaves = free.leavesByPreference();
    int island = firstThatHolds(request.hosts(), leaves, free, plant);
    if (island < 0) {
      return new AllocationResult.Rejected(AllocationResult.Reason.NOT_JOINED);
    }
    AllocationBuilder builder =
        new AllocationBuilder(plant, request.hosts(), request.oversubscription(), false);
    int rest = request.hosts();
    for (int leaf : leaves) {
      int n = plant.islandOf(leaf) == island ? Math.min(rest, free.on(leaf)) : 0;
      if (n > 0) {
        free.pick(leaf, n, builder);
        rest -= n;
      }
    }
    return new AllocationResult.Placed(builder.build());
  }

  /** The island of the first leaf whose island has so many free hosts, or -1. */
  private static int firstThatHolds(int hosts, int[] leaves, FreeSlots free, Plant plant) {
    int[] sum = new int[plant.islands()];
    for (int leaf : leaves) {
      sum[plant.islandOf(leaf)] += free.on(leaf);
    }
    for (int leaf : leaves) {
      if (sum[plant.islandOf(leaf)] >= hosts) {
        return plant.islandOf(leaf);
      }
    }
    return -1;
  }
}
