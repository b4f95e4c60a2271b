package org.heddle.allocation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Says what would make a rejected request fit. Runs the allocator again and again, so it is for
 * answering an operator, not for a scheduler's inner loop.
 */
public final class Advisor {
  /** Tenants that are tried at most: with thousands, an answer must not take minutes. */
  static final int MOST = 64;

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
   * hosts, the first in the list if there are several. Of many tenants, the {@value #MOST} smallest
   * with which there would be hosts enough are tried.
   *
   * @return index in the list, or empty
   */
  public OptionalInt departureThatHelps(
      AllocationRequest request, Occupancy occupancy, List<Allocation> tenants) {
    for (int i : candidates(request, occupancy, tenants)) {
      Occupancy without = occupancy.copy();
      without.release(tenants.get(i));
      if (allocator.place(request, without) instanceof AllocationResult.Placed) {
        return OptionalInt.of(i);
      }
    }
    return OptionalInt.empty();
  }

  /**
   * The tenant whose move to another place would make the request fit: it is placed again, with the
   * promise that it has, in what is left once the request has got its place. The tenant with fewest
   * hosts, the first in the list if there are several; tried are those of {@link
   * #departureThatHelps}.
   *
   * @return index of the tenant, its new place and the request's; empty if no single move helps
   */
  public Optional<Move> moveThatHelps(
      AllocationRequest request, Occupancy occupancy, List<Allocation> tenants) {
    for (int i : candidates(request, occupancy, tenants)) {
      Move move = tryMove(request, occupancy, tenants.get(i), i);
      if (move != null) {
        return Optional.of(move);
      }
    }
    return Optional.empty();
  }

  /** Tenants by rising number of hosts, then in their order; not those that have too few. */
  private static List<Integer> candidates(
      AllocationRequest request, Occupancy occupancy, List<Allocation> tenants) {
    int lacking = request.hosts() - occupancy.freeHosts();
    List<Integer> out = new ArrayList<>();
    for (int i = 0; i < tenants.size(); i++) {
      int hosts = tenants.get(i).hostCount();
      if (hosts > 0 && hosts >= lacking) {
        out.add(i);
      }
    }
    out.sort(Comparator.comparingInt(i -> tenants.get(i).hostCount())); // stable
    return out.subList(0, Math.min(MOST, out.size()));
  }

  private Move tryMove(AllocationRequest request, Occupancy occupancy, Allocation tenant, int i) {
    Occupancy without = occupancy.copy();
    without.release(tenant);
    if (!(allocator.place(request, without) instanceof AllocationResult.Placed placed)) {
      return null;
    }
    without.take(placed.allocation());
    AllocationRequest again =
        AllocationRequest.of(tenant.requested())
            .withOversubscription(tenant.oversubscription())
            .withRails(tenant.rails())
            .withPreference(request.preference())
            .withBudget(request.budget());
    again = tenant.guaranteed() ? again : again.withoutLinks();
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
