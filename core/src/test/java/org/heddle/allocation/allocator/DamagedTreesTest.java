package org.heddle.allocation.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.heddle.allocation.Allocation;
import org.heddle.allocation.AllocationRequest;
import org.heddle.allocation.AllocationResult;
import org.heddle.allocation.Allocator;
import org.heddle.allocation.Occupancy;
import org.heddle.allocation.Plant;
import org.heddle.allocation.Plants;
import org.heddle.catalog.Catalog;
import org.heddle.verify.links.AllocationAudit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code exact} does where many links are dead, with links that are not nested. */
class DamagedTreesTest {
  private final Allocator exact = Catalog.allocator("exact").orElseThrow();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "XGFT(3;8,8,10;1,8,8)|0.02",
        "XGFT(3;8,8,10;1,8,8)|0.1",
        "XGFT(3;8,8,10;1,8,8)|0.3",
        "PGFT(3;6,6,6;1,3,3;1,2,2)|0.2",
        "XGFT(3;12,12,8;1,12,12)|0.1",
        "XGFT(3;12,12,8;1,12,12)|0.3",
        "XGFT(2;12,20;1,12)|0.2"
      })
  void everyPermutationIsRoutedInsideTheLinks(String spec, double share) {
    auditPlacements(spec, share);
  }

  @Test
  void linksNeedNotBeNested() {
    assertThat(auditPlacements("XGFT(3;12,12,8;1,12,12)", 0.3)).isGreaterThan(5);
    assertThat(auditPlacements("XGFT(3;8,8,10;1,8,8)", 0.1)).isPositive();
  }

  /** Audits placements; returns how many have links that are not nested. */
  private int auditPlacements(String spec, double share) {
    SplittableRandom random = new SplittableRandom(3);
    Plant plant = Plants.damaged(spec, share, 7);
    AllocationAudit audit =
        new AllocationAudit(plant.fabric(), Plants.tree(plant.fabric()), random.split(), 3);
    Occupancy occupancy = Occupancy.empty(plant);
    List<Allocation> held = new ArrayList<>();
    int notNested = 0;
    for (int i = 0; i < 100; i++) {
      int n = 2 + random.nextInt(plant.hostCount() / (2 + random.nextInt(12)));
      AllocationResult result = exact.place(AllocationRequest.of(n), occupancy);
      if (result instanceof AllocationResult.Placed(Allocation a)) {
        assertThat(audit.audit(List.of(a))).as("%d hosts: %s", n, a).isEmpty();
        notNested += nested(a) ? 0 : 1;
        occupancy.take(a);
        held.add(a);
      } else if (!held.isEmpty()) {
        occupancy.release(held.remove(random.nextInt(held.size())));
      }
    }
    return notNested;
  }

  /** True if of any two leaves' sets of positions one contains the other. */
  private static boolean nested(Allocation a) {
    for (int i = 0; i < a.leafCount(); i++) {
      for (int j = 0; j < i; j++) {
        long both = a.upMask(i, 0) & a.upMask(j, 0);
        if (both != a.upMask(i, 0) && both != a.upMask(j, 0)) {
          return false;
        }
      }
    }
    return true;
  }

  @Test
  void theLargestTenantShrinksSmoothlyWithTheDamage() {
    int before = largest(0);
    assertThat(before).isEqualTo(512);
    for (double share : new double[] {0.02, 0.05, 0.1, 0.15, 0.2}) {
      int now = largest(share);
      assertThat(now).as("%s of the links dead", share).isBetween(before / 3, before);
      before = now;
    }
  }

  private int largest(double share) {
    Plant plant = Plants.damaged("XGFT(3;8,8,8;1,8,8)", share, 5);
    Occupancy empty = Occupancy.empty(plant);
    for (int n = plant.hostCount(); n > 1; n--) {
      if (exact.place(AllocationRequest.of(n), empty) instanceof AllocationResult.Placed) {
        return n;
      }
    }
    return 1;
  }
}
