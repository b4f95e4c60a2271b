package org.heddle.allocation.allocator;

import org.heddle.allocation.AllocationBuilder;
import org.heddle.allocation.AllocationRequest;
import org.heddle.allocation.AllocationResult;
import org.heddle.allocation.Plant;

/** Hosts without links: cheapest, then fullest (or emptiest) leaves first. */
final class HostsOnly {
  private HostsOnly() {}

  static AllocationResult place(AllocationRequest request, FreeSlots free, Plant plant) {
    if (free.total() < request.hosts()) {
      return new AllocationResult.Rejected(AllocationResult.Reason.NOT_ENOUGH_HOSTS);
    }
    AllocationBuilder builder =
        new AllocationBuilder(plant, request.hosts(), request.oversubscription(), false);
    int rest = request.hosts();
    for (int leaf : free.leavesByPreference()) {
      int n = Math.min(rest, free.on(leaf));
      free.pick(leaf, n, builder);
      rest -= n;
      if (rest == 0) {
        break;
      }
    }
    return new AllocationResult.Placed(builder.build());
  }
}
