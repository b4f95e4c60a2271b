package org.heddle.allocation.allocator;

import com.google.auto.service.AutoService;
import org.heddle.allocation.AllocationRequest;
import org.heddle.allocation.AllocationResult;
import org.heddle.allocation.Allocator;
import org.heddle.allocation.Occupancy;
import org.heddle.allocation.search.FreeSlots;
import org.heddle.allocation.search.HostsOnly;

/**
 * Free hosts anywhere, no links: the ceiling of utilisation, and interference without bound.
 *
 * <p>Packs the fullest leaves first, or spreads over the emptiest ones. O(leaves * log leaves).
 */
@AutoService(Allocator.class)
public final class Unconstrained implements Allocator {
  @Override
  public String name() {
    return "unconstrained";
  }

  @Override
  public String description() {
    return "free hosts anywhere, no links; the ceiling of utilisation";
  }

  @Override
  public String source() {
    return "Zahavi et al., LaaS, section 6 (Unconstrained)";
  }

  @Override
  public boolean givesLinks() {
    return false;
  }

  @Override
  public AllocationResult place(AllocationRequest request, Occupancy occupancy) {
    FreeSlots free = new FreeSlots(request, occupancy);
    return HostsOnly.place(request, free, occupancy.plant());
  }
}
