package org.heddle.allocation;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.heddle.fabric.Counted;

/**
 * Why there is no place for a tenant, and what would help: the same words in every door. Nothing is
 * said that was not tried with the allocator.
 *
 * @param reason why there is no place, a sentence without its full stop
 * @param freeHosts hosts that nobody holds
 * @param largestThatFits largest size up to the request's for which there is a place, 0 for none
 * @param departureThatHelps tenant without which it would fit, or empty
 * @param moveThatHelps tenant that could be placed elsewhere so that it would fit, or empty
 * @param lines the same in sentences; those about other tenants are the last ones
 */
public record Refusal(
    String reason,
    int freeHosts,
    int largestThatFits,
    Optional<String> departureThatHelps,
    Optional<String> moveThatHelps,
    List<String> lines) {
  public Refusal {
    lines = List.copyOf(lines);
  }

  /**
   * Of a request that the allocator has rejected. Runs the allocator again and again ({@link
   * Advisor}).
   *
   * @param holders who holds what in the occupancy, in the order of admission
   */
  static Refusal of(
      Allocator allocator, AllocationRequest request, Occupancy occupancy, List<Holder> holders) {
    Advisor advisor = new Advisor(allocator);
    List<Allocation> tenants = holders.stream().map(Holder::allocation).toList();
    int free = occupancy.freeHosts();
    int largest = advisor.largestThatFits(request, occupancy).orElse(0);
    OptionalInt departure = advisor.departureThatHelps(request, occupancy, tenants);
    Optional<Advisor.Move> move = advisor.moveThatHelps(request, occupancy, tenants);
    List<String> lines = new ArrayList<>();
    lines.add("free hosts: " + free);
    lines.add(
        largest == 0
            ? "no smaller tenant fits either"
            : "largest tenant that fits now: " + Counted.of(largest, "host", "hosts"));
    int slow = request.links() ? occupancy.plant().slowLinks() : 0;
    if (slow > 0 && free >= request.hosts()) {
      lines.add(Plant.slower(slow) + ": 'heddle fabric check' names slow cables");
    }
    lines.addAll(occupancy.plant().leftOut());
    Optional<String> leaving = Optional.empty();
    if (departure.isPresent()) {
      Holder holder = holders.get(departure.getAsInt());
      leaving = Optional.of(holder.name());
      lines.add("it would fit without tenant " + holder.name() + " (" + holder.allocation() + ")");
    }
    Optional<String> moving = move.map(m -> holders.get(m.tenant()).name());
    moving.ifPresent(
        name -> lines.add("it would fit if tenant " + name + " moved to other hosts or links"));
    return new Refusal(
        advisor.reason(request, occupancy).text(), free, largest, leaving, moving, lines);
  }

  /** Of a search that was given up: there may or may not be a place. */
  static Refusal givenUp(long steps, Occupancy occupancy) {
    return new Refusal(
        "no place was found within " + Counted.of(steps, "step", "steps"),
        occupancy.freeHosts(),
        0,
        Optional.empty(),
        Optional.empty(),
        List.of());
  }

  /** The lines that name no other tenant: for those who must not learn of them. */
  public List<String> linesOfItself() {
    return lines.subList(0, lines.size() - linesOfOthers().size());
  }

  /** The lines about other tenants. */
  public List<String> linesOfOthers() {
    int n = (departureThatHelps.isPresent() ? 1 : 0) + (moveThatHelps.isPresent() ? 1 : 0);
    return lines.subList(lines.size() - n, lines.size());
  }
}
