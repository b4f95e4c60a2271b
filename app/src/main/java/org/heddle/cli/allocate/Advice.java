package org.heddle.cli.allocate;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.heddle.allocation.Advisor;
import org.heddle.allocation.Allocation;
import org.heddle.allocation.AllocationRequest;
import org.heddle.allocation.Allocator;
import org.heddle.text.BoundState;

/**
 * What would make a request fit.
 *
 * @param reason why there is no place
 * @param freeHosts hosts that nobody holds
 * @param largestThatFits largest size below the request's for which there is a place, 0 for none
 * @param departureThatHelps tenant without which it would fit, or empty
 * @param moveThatHelps tenant that could be placed elsewhere so that it would fit, or empty
 * @param lines the same in sentences
 */
record Advice(
    String reason,
    int freeHosts,
    int largestThatFits,
    Optional<String> departureThatHelps,
    Optional<String> moveThatHelps,
    List<String> lines) {

  static Advice of(Allocator allocator, AllocationRequest request, BoundState bound) {
    Advisor advisor = new Advisor(allocator);
    List<Allocation> tenants = bound.allocations();
    int free = bound.occupancy().freeHosts();
    int largest = advisor.largestThatFits(request, bound.occupancy()).orElse(0);
    OptionalInt departure = advisor.departureThatHelps(request, bound.occupancy(), tenants);
    Optional<Advisor.Move> move = advisor.moveThatHelps(request, bound.occupancy(), tenants);
    List<String> lines = new ArrayList<>();
    lines.add("free hosts: " + free);
    lines.add(
        largest == 0
            ? "no smaller tenant fits either"
            : "largest tenant that fits now: " + largest + (largest == 1 ? " host" : " hosts"));
    Optional<String> leaving = Optional.empty();
    if (departure.isPresent()) {
      BoundState.Held held = bound.held().get(departure.getAsInt());
      leaving = Optional.of(held.tenant().name());
      lines.add(
          "it would fit without tenant " + held.tenant().name() + " (" + held.allocation() + ")");
    }
    Optional<String> moving = Optional.empty();
    if (move.isPresent()) {
      BoundState.Held held = bound.held().get(move.get().tenant());
      moving = Optional.of(held.tenant().name());
      lines.add(
          "it would fit if tenant " + held.tenant().name() + " moved to other hosts or links");
    }
    String reason = advisor.reason(request, bound.occupancy()).text();
    return new Advice(reason, free, largest, leaving, moving, List.copyOf(lines));
  }

  /** After a search that was given up. */
  static Advice longer(long budget) {
    return new Advice(
        "the search was given up",
        0,
        0,
        Optional.empty(),
        Optional.empty(),
        List.of("search longer: --budget " + Math.multiplyExact(Math.min(budget, 1L << 40), 10)));
  }
}
