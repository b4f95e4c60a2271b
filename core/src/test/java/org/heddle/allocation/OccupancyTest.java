package org.heddle.allocation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.heddle.catalog.Catalog;
import org.junit.jupiter.api.Test;

class OccupancyTest {
  private static final Plant PLANT = Plants.plant("XGFT(3;3,3,3;1,3,3)");

  private static Allocation some() {
    return new AllocationBuilder(PLANT, 2, 1, true)
        .host(0, 0)
        .host(3, 1)
        .up(0, 1)
        .up(3, 1)
        .root(0, 1, 2)
        .root(1, 1, 2)
        .build();
  }

  @Test
  void whatIsTakenIsNoLongerFreeAndComesBack() {
    Occupancy o = Occupancy.empty(PLANT);
    o.take(some());
    assertThat(o.freeHosts()).isEqualTo(25);
    assertThat(o.freeHosts(0)).isEqualTo(2);
    assertThat(o.freeHostsOfSubtree(1)).isEqualTo(8);
    assertThat(o.freeUps(3)).isEqualTo(2);
    assertThat(o.rootMask(1, 1, 0)).isEqualTo(0b011);
    o.release(some());
    assertThat(o).isEqualTo(Occupancy.empty(PLANT));
  }

  @Test
  void nothingIsTakenOrReleasedTwice() {
    Occupancy o = Occupancy.empty(PLANT);
    assertThatIllegalStateException().isThrownBy(() -> o.release(some()));
    o.take(some());
    Occupancy before = o.copy();
    assertThatIllegalStateException().isThrownBy(() -> o.take(some()));
    assertThat(o).isEqualTo(before);
  }

  @Test
  void anAllocationOfAnotherPlantIsRefused() {
    Occupancy o = Occupancy.empty(Plants.plant("XGFT(3;3,3,3;1,3,3)"));
    assertThatIllegalArgumentException().isThrownBy(() -> o.take(some()));
  }

  @Test
  void aCopyIsIndependent() {
    Occupancy o = Occupancy.empty(PLANT);
    Occupancy copy = o.copy();
    o.take(some());
    assertThat(copy).isEqualTo(Occupancy.empty(PLANT));
  }

  @Test
  void aWithdrawnHostIsNotGivenAway() {
    Occupancy o = Occupancy.empty(PLANT);
    int host = PLANT.host(0, 0);
    assertThat(o.withdrawHost(host)).isTrue();
    assertThat(o.withdrawHost(host)).isFalse();
    assertThat(o.freeHosts()).isEqualTo(26);
    assertThat(o.fits(some())).isFalse();
  }

  @Test
  void aTenantsAllocationIsAPlantForTenantsOfItsOwn() {
    Allocator exact = Catalog.allocator("exact").orElseThrow();
    Allocation big = place(exact, 18, Occupancy.empty(PLANT));
    Occupancy inside = Occupancy.within(big);
    assertThat(inside.freeHosts()).isEqualTo(18);
    Allocation sub = place(exact, 7, inside);
    inside.take(sub);
    assertThat(big.hosts()).contains(sub.hosts());
    assertThat(big.links()).contains(sub.links());
    assertThat(inside.freeHosts()).isEqualTo(11);
  }

  @Test
  void aRegionWithoutGuaranteesHoldsTenantsWithoutLinks() {
    Allocator exact = Catalog.allocator("exact").orElseThrow();
    Occupancy region = Occupancy.within(place(exact, 12, Occupancy.empty(PLANT)));
    AllocationResult r = exact.place(AllocationRequest.of(5).withoutLinks(), region);
    region.take(((AllocationResult.Placed) r).allocation());
    assertThat(region.freeHosts()).isEqualTo(7);
  }

  private static Allocation place(Allocator allocator, int hosts, Occupancy occupancy) {
    return ((AllocationResult.Placed) allocator.place(AllocationRequest.of(hosts), occupancy))
        .allocation();
  }
}
