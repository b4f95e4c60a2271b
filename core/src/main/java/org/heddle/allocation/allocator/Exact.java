package org.heddle.allocation.allocator;

import com.google.auto.service.AutoService;
import org.heddle.allocation.AllocationRequest;
import org.heddle.allocation.AllocationResult;
import org.heddle.allocation.Allocator;
import org.heddle.allocation.Occupancy;

/**
 * The corrected exact conditions with nested chains: no rounding to whole leaves, and only the
 * links that are needed.
 */
@AutoService(Allocator.class)
public final class Exact implements Allocator {
  @Override
  public String name() {
    return "exact";
  }

  @Override
  public String description() {
    return "exact conditions on up to three levels, no rounding, only the links needed";
  }

  @Override
  public String source() {
    return "Zahavi et al., LaaS, section 5.4, corrected; nested chains; cf. Jigsaw (HPDC 2021)";
  }

  @Override
  public AllocationResult place(AllocationRequest request, Occupancy occupancy) {
    return new ExactSearch(request, occupancy).run();
  }
}
