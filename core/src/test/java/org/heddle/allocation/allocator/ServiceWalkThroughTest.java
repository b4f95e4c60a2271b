package org.heddle.allocation.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.heddle.allocation.Advisor;
import org.heddle.allocation.Allocation;
import org.heddle.allocation.AllocationRequest;
import org.heddle.allocation.AllocationResult;
import org.heddle.allocation.Allocator;
import org.heddle.allocation.Occupancy;
import org.heddle.allocation.Plants;
import org.heddle.catalog.Catalog;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The service walk-through of the LaaS paper, appendix A.5, on XGFT(2;4,8;1,4). */
class ServiceWalkThroughTest {
  @ParameterizedTest
  @ValueSource(strings = {"laas", "exact"})
  void tenAndTenFitThirteenWaitsUntilOneHasLeft(String name) {
    Allocator allocator = Catalog.allocator(name).orElseThrow();
    Occupancy occupancy = Occupancy.empty(Plants.plant("XGFT(2;4,8;1,4)"));
    Allocation four = placed(allocator, 10, occupancy);
    assertThat(four.linkCount()).isEqualTo(10);
    assertThat(four.leafCount()).isEqualTo(3);
    for (int i = 0; i < 3; i++) {
      // In the example's mapping a leaf's ports 1 to 4 go up: position p is bit p + 1.
      long ports = four.upMask(i, 0) << 1;
      assertThat(four.hostsOn(i)).isIn(2, 4);
      assertThat(ports).isEqualTo(four.hostsOn(i) == 4 ? 0x1e : 0x6);
    }
    occupancy.take(four);
    Allocation one = placed(allocator, 10, occupancy);
    occupancy.take(one);
    assertThat(occupancy.freeHosts()).isEqualTo(12);
    AllocationRequest thirteen = AllocationRequest.of(13);
    assertThat(allocator.place(thirteen, occupancy))
        .isEqualTo(new AllocationResult.Rejected(AllocationResult.Reason.NOT_ENOUGH_HOSTS));
    Advisor advisor = new Advisor(allocator);
    assertThat(advisor.departureThatHelps(thirteen, occupancy, List.of(four, one))).hasValue(0);
    assertThat(advisor.largestThatFits(thirteen, occupancy)).isPresent();
    assertThat(advisor.reason(thirteen, occupancy))
        .isEqualTo(AllocationResult.Reason.NOT_ENOUGH_HOSTS);
    occupancy.release(one);
    assertThat(placed(allocator, 13, occupancy).hostCount()).isEqualTo(13);
  }

  private static Allocation placed(Allocator allocator, int hosts, Occupancy occupancy) {
    AllocationResult result = allocator.place(AllocationRequest.of(hosts), occupancy);
    assertThat(result).isInstanceOf(AllocationResult.Placed.class);
    return ((AllocationResult.Placed) result).allocation();
  }
}
