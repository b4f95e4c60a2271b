package org.heddle.allocation;

import java.util.BitSet;
import java.util.List;
import org.heddle.allocation.AllocationRequest.Preference;

/**
 * Looks for a tenant's place, the same way for a tenants file, a state file and a controller.
 *
 * <p>A tenant with links of its own is the allocator's. One without, of which nobody said which
 * hosts it would rather have, gets hosts close together ({@link NearbyHosts}): its traffic crosses
 * links that are everybody's, and the fewer the better. Deterministic; the occupancy is not
 * changed.
 */
public final class Placing {
  private Placing() {}

  /** A place, or why there is none. */
  public sealed interface Outcome {
    /** It is free. */
    record Placed(Allocation allocation) implements Outcome {}

    /**
     * None.
     *
     * @param givenUp the search ended before it was known whether there is one
     */
    record Refused(Refusal refusal, boolean givenUp) implements Outcome {}
  }

  /**
   * Looks for one.
   *
   * @param holders who holds what in the occupancy, in the order of admission
   */
  public static Outcome place(
      Allocator allocator, AllocationRequest request, Occupancy occupancy, List<Holder> holders) {
    if (!request.links()
        && request.preference() == Preference.PACK
        && !request.choice().hasCosts()) {
      BitSet nodes = NearbyHosts.among(occupancy, request.choice(), request.hosts());
      if (nodes.cardinality() == request.hosts()) {
        return new Outcome.Placed(onHosts(request, occupancy.plant(), nodes));
      }
    }
    return switch (allocator.place(request, occupancy)) {
      case AllocationResult.Placed placed -> new Outcome.Placed(placed.allocation());
      case AllocationResult.Rejected _ ->
          new Outcome.Refused(Refusal.of(allocator, request, occupancy, holders), false);
      case AllocationResult.Aborted stopped ->
          new Outcome.Refused(Refusal.givenUp(stopped.steps(), occupancy), true);
    };
  }

  private static Allocation onHosts(AllocationRequest request, Plant plant, BitSet nodes) {
    AllocationBuilder out = new AllocationBuilder(plant, request);
    nodes.stream().forEach(n -> out.host(plant.leafOfHost(n), plant.slotOfHost(n)));
    return out.build();
  }
}
