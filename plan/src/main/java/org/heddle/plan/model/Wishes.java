package org.heddle.plan.model;

import java.util.Set;
import org.heddle.allocation.AllocationRequest;

/**
 * Where to look for a tenant's place, besides what it asks for. Said once, when it is admitted, and
 * not kept.
 *
 * @param among node GUIDs: if not empty, only these hosts
 * @param preferred node GUIDs of hosts that are taken rather than others
 * @param avoided node GUIDs of hosts that are taken only if there is no other
 * @param spread empty switches rather than full ones
 * @param budget steps that the search may take
 */
public record Wishes(
    Set<Long> among, Set<Long> preferred, Set<Long> avoided, boolean spread, long budget) {
  /** Anywhere. */
  public static final Wishes NONE =
      new Wishes(Set.of(), Set.of(), Set.of(), false, AllocationRequest.DEFAULT_BUDGET);

  public Wishes {
    among = Set.copyOf(among);
    preferred = Set.copyOf(preferred);
    avoided = Set.copyOf(avoided);
  }
}
