package org.heddle.allocation;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;

/**
 * Other links for a tenant that stays on its hosts: the allocator is asked for exactly these hosts.
 * Nobody's job moves, only forwarding tables change.
 */
public final class Relinking {
  private Relinking() {}

  /**
   * Links for the same hosts, from those that are free.
   *
   * @param tenant its hosts count, its links do not; they need not be there any more
   * @param without what is free when the tenant is gone, its hosts included
   * @param budget steps the search may take
   * @return empty if the allocator finds no such links on these hosts
   */
  public static Optional<Allocation> onSameHosts(
      Allocator allocator, Allocation tenant, Occupancy without, long budget) {
    int[] hosts = tenant.hosts();
    BitSet own = new BitSet();
    for (int host : hosts) {
      own.set(host);
    }
    AllocationRequest base = AllocationRequest.of(tenant.requested());
    AllocationRequest request =
        (tenant.guaranteed() ? base : base.withoutLinks())
            .withOversubscription(tenant.oversubscription())
            .withRails(tenant.rails())
            .withChoice(HostChoice.only(own))
            .withBudget(budget);
    return allocator.place(request, without) instanceof AllocationResult.Placed(Allocation a)
            && Arrays.equals(a.hosts(), hosts)
        ? Optional.of(a)
        : Optional.empty();
  }

  /** The tenant's hosts alone, to hold them while its links are looked for. */
  public static Allocation hostsOnly(Allocation tenant) {
    Plant plant = tenant.plant();
    AllocationBuilder out =
        new AllocationBuilder(plant, tenant.requested(), tenant.oversubscription(), false);
    for (int host : tenant.hosts()) {
      out.host(plant.leafOfHost(host), plant.slotOfHost(host));
    }
    return out.build();
  }
}
