package org.heddle.allocation.allocator;

import com.google.auto.service.AutoService;
import java.util.List;
import org.heddle.allocation.AllocationRequest;
import org.heddle.allocation.AllocationResult;
import org.heddle.allocation.Allocator;
import org.heddle.allocation.Occupancy;
import org.heddle.allocation.search.Attempts;
import org.heddle.allocation.search.ExactSearch;
import org.heddle.allocation.search.Exhaustive;
import org.heddle.allocation.search.MultiSubtreeSearch;
import org.heddle.allocation.search.PairSets;
import org.heddle.allocation.search.SimpleSearch;
import org.heddle.allocation.search.SubtreeSearch;

/**
 * The corrected exact conditions with nested chains: no rounding to whole leaves, and only the
 * links that are needed.
 *
 * <p>The search goes from little harm to much ({@link SubtreeSearch}, {@link MultiSubtreeSearch})
 * with a bounded number of nodes each; a request it finds no place for may have one that no
 * heuristic reaches, except on trees of up to 16 leaves, which are then searched completely ({@link
 * Exhaustive}). Where links are dead, placements whose links are not nested are tried as well
 * ({@link PairSets}). O(sub-trees * D * nodes) steps, each a few masks; 4 to 14 microseconds on
 * average at 11,664 hosts.
 */
@AutoService(Allocator.class)
public final class Exact implements Allocator {
  /** Schemes that round: they find places the bounded search has missed. */
  private static final List<Attempts.Scheme> OTHERS =
      List.of(
          Laas::attempt,
          v -> new SimpleSearch(v, true).run(),
          v -> new SimpleSearch(v, false).run());

  @Override
  public String name() {
    return Allocator.DEFAULT;
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
    return Attempts.place(request, occupancy, v -> new ExactSearch(v).run(), OTHERS);
  }
}
