package org.heddle.allocation;

/**
 * Finds hosts and links for one tenant.
 *
 * <p>Allocators are stateless and may be used by several threads (each with an occupancy of its
 * own): input as arguments, scratch as locals. They are deterministic, and they never change the
 * occupancy. What they promise: everything in a {@link AllocationResult.Placed} is free, and if
 * links were asked for and the allocator {@link #givesLinks gives them}, every permutation of the
 * tenant's hosts can be routed inside them with at most {@code oversubscription} flows a link.
 * Implementations are final, have a public constructor without parameters and carry
 * {@code @AutoService(Allocator.class)}; nobody names them outside the catalog.
 */
public interface Allocator {
  /** The allocator to use unless the operator names one. */
  String DEFAULT = "exact";

  /** The name users type, lower case. */
  String name();

  /** One line: what it does. */
  String description();

  /** Where it comes from: paper and section. */
  String source();

  /** False if it gives hosts only. */
  default boolean givesLinks() {
    return true;
  }

  /** Looks for a place. Never throws for a request it cannot serve. */
  AllocationResult place(AllocationRequest request, Occupancy occupancy);
}
