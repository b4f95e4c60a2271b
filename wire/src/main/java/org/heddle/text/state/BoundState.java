package org.heddle.text.state;

import java.util.List;
import java.util.Optional;
import org.heddle.allocation.Allocation;
import org.heddle.allocation.Occupancy;

/**
 * A state file found again in a fabric.
 *
 * @param state what the file says
 * @param held what every tenant holds here, in the order of the file
 * @param occupancy of the plant with all that taken
 * @param sameFabric the cabling is that for which the file was written
 */
public record BoundState(
    StateFile state, List<Held> held, Occupancy occupancy, boolean sameFabric) {
  public BoundState {
    held = List.copyOf(held);
  }

  /**
   * What a tenant holds.
   *
   * @param allocation what is there of its hosts and links
   * @param lost hosts and links that are in the file and not in the fabric, one sentence each
   */
  public record Held(StateFile.Tenant tenant, Allocation allocation, List<String> lost) {
    public Held {
      lost = List.copyOf(lost);
    }

    /** True if everything is there. */
    public boolean whole() {
      return lost.isEmpty();
    }
  }

  /** The tenant of that name, or empty. */
  public Optional<Held> find(String name) {
    return held.stream().filter(h -> h.tenant().name().equals(name)).findFirst();
  }

  /** What the tenants hold, in order. */
  public List<Allocation> allocations() {
    return held.stream().map(Held::allocation).toList();
  }
}
