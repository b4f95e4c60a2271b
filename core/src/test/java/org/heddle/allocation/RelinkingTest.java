package org.heddle.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.heddle.catalog.Catalog;
import org.junit.jupiter.api.Test;

/** Four leaves of two hosts and two up-links: the same hosts, joined by other links. */
class RelinkingTest {
  private static final long BUDGET = 100_000;

  private final Plant plant = Plants.plant("XGFT(2;2,4;1,2)");
  private final Allocator exact = Catalog.allocator("exact").orElseThrow();

  private Allocation tenant(int leafA, int slotA, int leafB, int slotB, int position) {
    return new AllocationBuilder(plant, 2, 1, true)
        .host(leafA, slotA)
        .host(leafB, slotB)
        .up(leafA, position)
        .up(leafB, position)
        .build();
  }

  @Test
  void aTenantGetsTheLinksThatAreLeft() {
    // Another one holds position 0 of leaf 1, so of the two positions only 1 joins leaves 0 and 1.
    Occupancy without = Occupancy.empty(plant);
    without.take(tenant(1, 1, 2, 0, 0));
    Allocation before = tenant(0, 0, 1, 0, 0);
    Allocation after = Relinking.onSameHosts(exact, before, without, BUDGET).orElseThrow();
    assertThat(after.hosts()).isEqualTo(before.hosts());
    assertThat(after.upMask(0, 0)).isEqualTo(0b10);
    assertThat(after.upMask(1, 0)).isEqualTo(0b10);
  }

  @Test
  void whereTheLeavesShareNoFreePositionThereIsNone() {
    Occupancy without = Occupancy.empty(plant);
    without.take(tenant(1, 1, 2, 0, 0));
    without.take(tenant(0, 1, 3, 0, 1));
    assertThat(Relinking.onSameHosts(exact, tenant(0, 0, 1, 0, 0), without, BUDGET))
        .isEqualTo(Optional.empty());
  }

  @Test
  void otherFreeHostsAreNoReplacementForItsOwn() {
    Occupancy without = Occupancy.empty(plant);
    without.withdrawHost(plant.host(1, 0));
    assertThat(Relinking.onSameHosts(exact, tenant(0, 0, 1, 0, 0), without, BUDGET)).isEmpty();
  }

  @Test
  void itsHostsAloneHoldNoLinks() {
    Allocation hosts = Relinking.hostsOnly(tenant(0, 0, 1, 0, 0));
    assertThat(hosts.hosts()).isEqualTo(tenant(0, 0, 1, 0, 1).hosts());
    assertThat(hosts.linkCount()).isZero();
  }
}
