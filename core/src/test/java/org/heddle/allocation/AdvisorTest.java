package org.heddle.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.heddle.catalog.Catalog;
import org.junit.jupiter.api.Test;

/** Two leaves with two hosts free each, on links that do not meet. */
class AdvisorTest {
  private static final Plant PLANT = Plants.plant("XGFT(2;4,2;1,4)");
  private static final AllocationRequest FOUR = AllocationRequest.of(4);
  private final Allocation left =
      new AllocationBuilder(PLANT, 2, 1, true).host(0, 0).host(0, 1).up(0, 0).up(0, 1).build();
  private final Allocation right =
      new AllocationBuilder(PLANT, 2, 1, true).host(1, 0).host(1, 1).up(1, 2).up(1, 3).build();
  private final Advisor advisor = new Advisor(Catalog.allocator("exact").orElseThrow());
  private final Occupancy occupancy = Occupancy.empty(PLANT);

  AdvisorTest() {
    occupancy.take(left);
    occupancy.take(right);
  }

  @Test
  void saysThatLinksAreLacking() {
    assertThat(advisor.reason(FOUR, occupancy)).isEqualTo(AllocationResult.Reason.NO_LINKS);
  }

  @Test
  void saysWhatWouldFit() {
    assertThat(advisor.largestThatFits(FOUR, occupancy)).hasValue(2);
    assertThat(advisor.departureThatHelps(FOUR, occupancy, List.of(left, right))).hasValue(0);
  }

  @Test
  void saysWhichMoveWouldHelp() {
    Advisor.Move move = advisor.moveThatHelps(FOUR, occupancy, List.of(left, right)).orElseThrow();
    Occupancy after = occupancy.copy();
    after.release(move.tenant() == 0 ? left : right);
    after.take(move.request());
    after.take(move.to());
    assertThat(after.freeHosts()).isZero();
  }
}
