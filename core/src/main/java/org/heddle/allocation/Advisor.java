package org.heddle.allocation;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Says what would make a rejected request fit. Runs the allocator again and again, so it is for
 * answering an operator, not for a scheduler's inner loop.
 */
public final class Advisor {
  private final Allocator allocator;

  /** Advice for requests to that allocator. */
  public Advisor(Allocator allocator) {
    this.allocator = allocator;
  }

  /**
   * Why the request was rejected, more precisely than the allocator says: whether other tenants'
   * links or only the arrangement of the free hosts stand in the way.
   */
  public AllocationResult.Reason reason(AllocationRequest request, Occupancy occupancy) {
    if (occupancy.freeHosts() < request.hosts()) {
      return AllocationResult.Reason.NOT_ENOUGH_HOSTS;
    }
    AllocationResult result = allocator.place(request, occupancy.withAllLinks());
    if (result instanceof AllocationResult.Rejected rejected) {
      return rejected.reason();
    }
    return result instanceof AllocationResult.Placed
        ? AllocationResult.Reason.NO_LINKS
        : AllocationResult.Reason.NO_CONFORMING_PLACEMENT;
  }

  /**
   * The largest number of hosts up to the request's that would be placed now. Tries sizes downward
   * from what is free, since a larger size may fit where a smaller one does not.
   *
   * @return empty if not even one host fits
   */
  public OptionalInt largestThatFits(AllocationRequest request, Occupancy occupancy) {
    for (int n = Math.min(request.hosts(), occupancy.freeHosts()); n >= 1; n--) {
      if (allocator.place(request.withHosts(n), occupancy) instanceof AllocationResult.Placed) {
        return OptionalInt.of(n);
      }
    }
    return OptionalInt.empty();
  }

  /**
   * The tenant whose departure would make the request fit: of those that do, the one with fewest
   * hosts, the first in the list if there are several.
   *
   * @return index in the list, or empty
   */
  public OptionalInt departureThatHelps(
      AllocationRequest request, Occupancy occupancy, List<Allocation> tenants) {
    int best = -1;
    for (int i = 0; i < tenants.size(); i++) {
      Allocation tenant = tenants.get(i);
      if (best >= 0 && tenant.hostCount() >= tenants.get(best).hostCount()) {
        continue;
      }
      Occupancy without = occupancy.copy();
      without.release(tenant);
      if (allocator.place(request, without) instanceof AllocationResult.Placed) {
        best = i;
      }
    }
    return best < 0 ? OptionalInt.empty() : OptionalInt.of(best);
  }

  /**
   * The tenant whose move to another place would make the request fit: it is placed again in what
   * is left once the request has got its place. The tenant with fewest hosts, the first in the list
   * if there are several.
   *
   * @return index of the tenant, its new place and the request's; empty if no single move helps
   */
  public Optional<Move> moveThatHelps(
      AllocationRequest request, Occupancy occupancy, List<Allocation> tenants) {
    Move best = null;
    for (int i = 0; i < tenants.size(); i++) {
      Allocation tenant = tenants.get(i);
      if (best == null || tenant.hostCount() < tenants.get(best.tenant()).hostCount()) {
        Move move = tryMove(request, occupancy, tenant, i);
        best = move == null ? best : move;
      }
    }
    return Optional.ofNullable(best);
  }

  private Move tryMove(AllocationRequest request, Occupancy occupancy, Allocation tenant, int i) {
    Occupancy without = occupancy.copy();
    without.release(tenant);
    if (!(allocator.place(request, without) instanceof AllocationResult.Placed placed)) {
      return null;
    }
    without.take(placed.allocation());
    AllocationRequest again =
        request
            .withHosts(tenant.requested())
            .withOversubscription(tenant.oversubscription())
            .withChoice(HostChoice.ANY);
    return allocator.place(again, without) instanceof AllocationResult.Placed moved
        ? new Move(i, moved.allocation(), placed.allocation())
        : null;
  }

  /**
   * One tenant moves, and the request fits.
   *
   * @param tenant index in the list given
   * @param to the tenant's new place
   * @param request the request's place
   */
  public record Move(int tenant, Allocation to, Allocation request) {}
}
