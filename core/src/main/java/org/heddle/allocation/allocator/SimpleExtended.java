package org.heddle.allocation.allocator;

import com.google.auto.service.AutoService;
import java.util.List;
import org.heddle.allocation.AllocationRequest;
import org.heddle.allocation.AllocationResult;
import org.heddle.allocation.Allocator;
import org.heddle.allocation.Occupancy;
import org.heddle.allocation.search.Attempts;
import org.heddle.allocation.search.SimpleSearch;

/**
 * As {@link Simple}, but a leaf or sub-tree need not be empty: one tenant may leave it, with all
 * its up-links, while others stay inside.
 *
 * <p>O(leaves * positions).
 */
@AutoService(Allocator.class)
public final class SimpleExtended implements Allocator {
  @Override
  public String name() {
    return "simple-extended";
  }

  @Override
  public String description() {
    return "one tenant of a leaf or sub-tree gets all its up-links, others stay inside";
  }

  @Override
  public String source() {
    return "Zahavi et al., LaaS, section 5.1 (Extended Simple)";
  }

  @Override
  public AllocationResult place(AllocationRequest request, Occupancy occupancy) {
    return Attempts.place(request, occupancy, v -> new SimpleSearch(v, true).run(), List.of());
  }
}
