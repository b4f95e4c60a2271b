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
 * Whole empty sub-trees: N hosts of one leaf, or empty leaves of one sub-tree with all their
 * up-links, or empty sub-trees with all their links. Wastes what is left in the last one.
 *
 * <p>O(leaves * positions).
 */
@AutoService(Allocator.class)
public final class Simple implements Allocator {
  @Override
  public String name() {
    return "simple";
  }

  @Override
  public String description() {
    return "whole empty leaves or sub-trees with all their links; the paper's baseline";
  }

  @Override
  public String source() {
    return "Zahavi et al., LaaS, section 5.1 (Simple), corrected";
  }

  @Override
  public AllocationResult place(AllocationRequest request, Occupancy occupancy) {
    return Attempts.place(request, occupancy, v -> new SimpleSearch(v, false).run(), List.of());
  }
}
