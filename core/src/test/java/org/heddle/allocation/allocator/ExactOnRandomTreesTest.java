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

/**
 * Random trees of two and three levels with up to 24 hosts, partly occupied, half of them damaged:
 * {@code exact} places whatever brute force finds a place for under the nested conditions, and
 * nothing else unless links are dead, where they need not be nested. {@code
 * -Dheddle.allocation.trees=N} for another number of trees.
 */
class ExactOnRandomTreesTest {
  private static final int TREES = Integer.getInteger("heddle.allocation.trees", 200);
  private static final int HOSTS = 24;

  private final Allocator exact = Catalog.allocator("exact").orElseThrow();
  private final SplittableRandom random = new SplittableRandom(24);
  private int placed;
  private int refused;
  private int notNested;

  @Test
  void placesWhateverBruteForceFindsAPlaceFor() {
    for (int i = 0; i < TREES; i++) {
      String spec = spec();
      boolean damaged = random.nextBoolean();
      Plant plant =
          damaged
              ? Plants.damaged(spec, 0.05 + 0.15 * random.nextDouble(), random.nextLong())
              : Plants.shuffled(spec, i);
      fill(spec, plant);
    }
    assertThat(placed).isGreaterThan(TREES);
    assertThat(refused).isGreaterThan(TREES / 2);
    System.out.printf(
        "%d trees: %d placed, %d refused, %d placed with links that are not nested%n",
        TREES, placed, refused, notNested);
  }

  private String spec() {
    while (true) {
      int m1 = 2 + random.nextInt(3);
      int m2 = 2 + random.nextInt(5);
      int m3 = 2 + random.nextInt(3);
      int w2 = 1 + random.nextInt(4);
      int w3 = 1 + random.nextInt(3);
      if (random.nextBoolean() && m1 * m2 <= HOSTS) {
        return "XGFT(2;%d,%d;1,%d)".formatted(m1, m2, w2);
      }
      if (m1 * m2 * m3 <= HOSTS) {
        return "XGFT(3;%d,%d,%d;1,%d,%d)".formatted(m1, m2, m3, w2, w3);
      }
    }
  }

  private void fill(String spec, Plant plant) {
    AllocationAudit audit =
        new AllocationAudit(plant.fabric(), Plants.tree(plant.fabric()), random.split(), 20);
    Occupancy occupancy = Occupancy.empty(plant);
    List<Allocation> held = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      int most = Math.min(occupancy.freeHosts(), plant.leafCount() <= 6 ? HOSTS : 8);
      int n = 1 + random.nextInt(Math.max(1, most));
      AllocationRequest request =
          AllocationRequest.of(n).withExtraSubtrees(plant.subtreeCount()).withBudget(100_000_000);
      AllocationResult result = exact.place(request, occupancy);
      boolean possible = occupancy.freeHosts() >= n && BruteForce.fits(occupancy, n);
      boolean found = result instanceof AllocationResult.Placed;
      assertThat(found || !possible).as("%s, %d hosts, %s", spec, n, occupancy).isTrue();
      assertThat(possible || !found || plant.damaged()).as("%s, %d hosts", spec, n).isTrue();
      notNested += found && !possible ? 1 : 0;
      if (result instanceof AllocationResult.Placed(Allocation a)) {
        placed++;
        assertThat(audit.audit(List.of(a))).as("%s, %d hosts: %s", spec, n, a).isEmpty();
        occupancy.take(a);
        held.add(a);
      } else {
        refused++;
        if (!held.isEmpty()) {
          occupancy.release(held.remove(random.nextInt(held.size())));
        }
      }
    }
  }
}
