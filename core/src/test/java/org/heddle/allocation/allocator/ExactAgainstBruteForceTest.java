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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** On small, partly occupied trees {@code exact} places exactly what its conditions allow. */
class ExactAgainstBruteForceTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "XGFT(2;4,6;1,4)",
        "XGFT(2;3,7;1,3)",
        "XGFT(2;4,5;1,2)",
        "PGFT(2;4,4;1,2;1,2)",
        "XGFT(3;2,2,6;1,2,2)",
        "XGFT(3;3,2,4;1,3,2)",
        "XGFT(3;2,3,4;1,2,3)",
        "XGFT(3;3,3,2;1,3,3)",
        "PGFT(3;2,2,3;1,2,2;1,1,2)",
        "PGFT(3;4,2,3;1,2,2;1,2,2)"
      })
  void placesExactlyWhenBruteForceFindsAPlace(String spec) {
    Allocator exact = Catalog.allocator("exact").orElseThrow();
    SplittableRandom random = new SplittableRandom(spec.hashCode());
    int placed = 0;
    int refused = 0;
    for (int round = 0; round < 6; round++) {
      Plant plant = Plants.damaged(spec, random.nextInt(3) * 0.08, random.nextLong());
      AllocationAudit audit =
          new AllocationAudit(plant.fabric(), Plants.tree(plant.fabric()), random.split(), 20);
      Occupancy occupancy = Occupancy.empty(plant);
      List<Allocation> held = new ArrayList<>();
      for (int i = 0; i < 14; i++) {
        int n = 1 + random.nextInt(Math.max(1, Math.min(occupancy.freeHosts(), 9)));
        AllocationRequest request =
            AllocationRequest.of(n).withExtraSubtrees(plant.subtreeCount()).withBudget(100_000_000);
        AllocationResult result = exact.place(request, occupancy);
        boolean possible = occupancy.freeHosts() >= n && BruteForce.fits(occupancy, n);
        assertThat(result instanceof AllocationResult.Placed)
            .as("%s, %d hosts, %s: %s", spec, n, occupancy, result)
            .isEqualTo(possible);
        if (result instanceof AllocationResult.Placed p) {
          placed++;
          assertThat(audit.audit(List.of(p.allocation()))).isEmpty();
          occupancy.take(p.allocation());
          held.add(p.allocation());
        } else {
          refused++;
          if (!held.isEmpty()) {
            occupancy.release(held.remove(random.nextInt(held.size())));
          }
        }
      }
    }
    assertThat(placed).isPositive();
    assertThat(refused).isPositive();
  }
}
