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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * How much the conditions of {@code exact} lose: requests it refuses although some free hosts could
 * exchange every permutation over free links. Every placement and every permutation is tried
 * ({@link NonBlocking}), so tenants are small. What {@code exact} does place is checked in the same
 * way, for every permutation instead of samples. {@code -Dheddle.allocation.trees=N} for another
 * number of trees.
 */
class OutsideTheConditionsTest {
  private static final int TREES = Integer.getInteger("heddle.allocation.trees", 120);
  private static final int MOST = 7;

  private final Allocator exact = Catalog.allocator("exact").orElseThrow();
  private int placed;
  private int refused;
  private int outside;

  @ParameterizedTest
  @CsvSource({"2,false", "3,false", "2,true", "3,true"})
  void fewRequestsAreRefusedThatSomePlacementCouldServe(int levels, boolean damaged) {
    SplittableRandom random = new SplittableRandom(24L + levels);
    for (int i = 0; i < TREES; i++) {
      String spec = spec(random, levels);
      long seed = random.nextLong();
      fill(
          damaged ? Plants.damaged(spec, 0.15, seed) : Plants.shuffled(spec, seed), random.split());
    }
    System.out.printf(
        "%d levels, %s: %d placed, %d refused, %d of these outside the conditions only%n",
        levels, damaged ? "damaged" : "whole", placed, refused, outside);
    assertThat(placed).isGreaterThan(TREES);
    assertThat(refused).isGreaterThan(TREES / 2);
    assertThat(outside).isLessThanOrEqualTo(refused / 20);
  }

  private static String spec(SplittableRandom random, int levels) {
    int m1 = 2 + random.nextInt(2);
    int m2 = 2 + random.nextInt(levels == 2 ? 4 : 2);
    int m3 = 2 + random.nextInt(3);
    int w2 = 2 + random.nextInt(2);
    int w3 = 1 + random.nextInt(3);
    return levels == 2
        ? "XGFT(2;%d,%d;1,%d)".formatted(m1, m2, w2)
        : "XGFT(3;%d,%d,%d;1,%d,%d)".formatted(m1, m2, m3, w2, w3);
  }

  private void fill(Plant plant, SplittableRandom random) {
    Occupancy occupancy = Occupancy.empty(plant);
    List<Allocation> held = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      int n = 2 + random.nextInt(MOST - 1);
      if (occupancy.freeHosts() >= n) {
        ask(n, occupancy, held);
      }
      if (held.size() > 2 && random.nextInt(3) == 0) {
        occupancy.release(held.remove(random.nextInt(held.size())));
      }
    }
  }

  private void ask(int n, Occupancy occupancy, List<Allocation> held) {
    AllocationRequest request =
        AllocationRequest.of(n)
            .withExtraSubtrees(occupancy.plant().subtreeCount())
            .withBudget(100_000_000);
    if (exact.place(request, occupancy) instanceof AllocationResult.Placed(Allocation a)) {
      placed++;
      assertThat(NonBlocking.holds(a)).as("%s: %s", occupancy, a).isTrue();
      occupancy.take(a);
      held.add(a);
    } else {
      refused++;
      outside += NonBlocking.possible(occupancy, n) ? 1 : 0;
    }
  }
}
