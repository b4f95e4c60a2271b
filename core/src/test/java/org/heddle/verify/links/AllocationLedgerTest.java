package org.heddle.verify.links;

import static org.assertj.core.api.Assertions.assertThat;

import org.heddle.allocation.Allocation;
import org.heddle.allocation.AllocationBuilder;
import org.heddle.allocation.Plant;
import org.heddle.allocation.Plants;
import org.junit.jupiter.api.Test;

/** Four leaves of two hosts and two up-links: tenants come, overlap and go. */
class AllocationLedgerTest {
  private final Plant plant = Plants.plant("XGFT(2;2,4;1,2)");
  private final AllocationLedger ledger = new AllocationLedger(plant.fabric());

  /** One host on each of two leaves, joined by the up-links of one position. */
  private Allocation tenant(int leafA, int slotA, int leafB, int slotB, int position) {
    return new AllocationBuilder(plant, 2, 1, true)
        .host(leafA, slotA)
        .host(leafB, slotB)
        .up(leafA, position)
        .up(leafB, position)
        .build();
  }

  @Test
  void tenantsBesideEachOtherAreNoFinding() {
    assertThat(ledger.enter(1, tenant(0, 0, 1, 0, 0))).isEmpty();
    assertThat(ledger.enter(2, tenant(0, 1, 1, 1, 1))).isEmpty();
    assertThat(ledger.enter(3, tenant(2, 0, 3, 0, 0))).isEmpty();
  }

  @Test
  void whatAnotherHoldsIsNamed() {
    assertThat(ledger.enter(1, tenant(0, 0, 1, 0, 0))).isEmpty();
    // Shares the host (0, 0) and the link of leaf 0 at position 0, nothing on leaf 2.
    assertThat(ledger.enter(2, tenant(0, 0, 2, 0, 0)))
        .extracting(AllocationFinding::code)
        .containsExactly(AllocationFinding.Code.HOST_SHARED, AllocationFinding.Code.LINK_SHARED);
  }

  @Test
  void whatATenantLeavesIsFreeForTheNext() {
    Allocation first = tenant(0, 0, 1, 0, 0);
    assertThat(ledger.enter(1, first)).isEmpty();
    ledger.leave(1, first);
    assertThat(ledger.enter(2, first)).isEmpty();
  }

  @Test
  void whatHasAnotherOwnerByNowStaysThatOnes() {
    Allocation first = tenant(0, 0, 1, 0, 0);
    ledger.enter(1, first);
    assertThat(ledger.enter(2, first)).hasSize(4); // two hosts, two links
    ledger.leave(1, first);
    assertThat(ledger.enter(3, first)).hasSize(4);
  }
}
