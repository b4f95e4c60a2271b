package org.heddle.allocation.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
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
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What every allocator promises, checked by the independent verifier. The test of an allocator
 * extends this class; {@code heddle-core}'s test jar has it for allocators of others ({@code
 * docs/plugins.md}).
 */
public abstract class AllocatorContract {
  /** Name of the allocator under test. */
  protected abstract String name();

  protected final Allocator allocator() {
    return Catalog.allocator(name()).orElseThrow();
  }

  /**
   * Trees of two and three levels, odd radices, tapered, parallel links; with damage. Each as
   * generated, and with its ports shuffled where the third argument is odd.
   */
  static Stream<Arguments> plants() {
    List<Arguments> out = new ArrayList<>();
    for (String spec :
        List.of(
            "XGFT(2;4,8;1,4)",
            "PGFT(2;6,3;1,2;1,3)",
            "XGFT(2;5,7;1,5)",
            "XGFT(3;6,6,6;1,6,6)",
            "XGFT(3;5,3,4;1,3,2)",
            "PGFT(3;4,4,4;1,2,2;1,2,2)",
            "XGFT(3;4,4,6;1,6,4)",
            "2-ary-4-tree")) {
      int seed = spec.length() % 2;
      for (double damage : new double[] {0, 0, 0.01, 0.05, 0.2}) {
        out.add(Arguments.of(spec, damage, 10L + seed++));
      }
    }
    return out.stream();
  }

  @ParameterizedTest
  @MethodSource("plants")
  void whatIsPlacedIsExclusiveAndRoutesEveryPermutation(String spec, double damage, long seed) {
    fillAndDrain(Plants.damaged(spec, damage, seed), AllocationRequest.of(1), 120);
  }

  @ParameterizedTest
  @MethodSource("plants")
  void twoHostsMayShareALink(String spec, double damage, long seed) {
    Plant plant = Plants.damaged(spec, damage, seed);
    fillAndDrain(plant, AllocationRequest.of(1).withOversubscription(2), 60);
  }

  @Test
  void aTreeOfALeafWithMoreThan64PortsWorks() {
    fillAndDrain(Plants.plant("XGFT(2;72,6;1,72)"), AllocationRequest.of(1), 40);
    fillAndDrain(Plants.shuffled("XGFT(2;72,6;1,72)", 2), AllocationRequest.of(1), 40);
    fillAndDrain(Plants.shuffled("XGFT(3;70,2,3;1,70,66)", 3), AllocationRequest.of(1), 25);
  }

  @Test
  void hostsWithTwoPortsGetTheSameShapeInBothRails() {
    String spec = "XGFT(3;4,4,4;2,4,4)";
    for (Plant plant : List.of(Plants.plant(spec), Plants.shuffled(spec, 4))) {
      assertThat(plant.rails()).isEqualTo(2);
      assertThat(plant.hostCount()).isEqualTo(64);
      fillAndDrain(plant, AllocationRequest.of(1), 60);
    }
  }

  @Test
  void spreadingIsAllowedToo() {
    AllocationRequest request =
        AllocationRequest.of(1).withPreference(AllocationRequest.Preference.SPREAD);
    fillAndDrain(Plants.plant("XGFT(3;6,6,6;1,6,6)"), request, 80);
    fillAndDrain(Plants.shuffled("XGFT(3;6,6,6;1,6,6)", 5), request, 80);
  }

  @Test
  void moreHostsThanAreFreeAreRefusedForThatReason() {
    Plant plant = Plants.plant("XGFT(2;4,8;1,4)");
    assertThat(allocator().place(AllocationRequest.of(33), Occupancy.empty(plant)))
        .isEqualTo(new AllocationResult.Rejected(AllocationResult.Reason.NOT_ENOUGH_HOSTS));
  }

  @Test
  void withoutLinksAnyFreeHostsDo() {
    Plant plant = Plants.plant("XGFT(3;4,4,4;1,4,4)");
    AllocationResult result =
        allocator().place(AllocationRequest.of(63).withoutLinks(), Occupancy.empty(plant));
    Allocation a = ((AllocationResult.Placed) result).allocation();
    assertThat(a.hostCount()).isEqualTo(63);
    assertThat(a.linkCount()).isZero();
    assertThat(a.guaranteed()).isFalse();
  }

  /** Places and releases at random; every placement is audited, and nothing leaks. */
  private void fillAndDrain(Plant plant, AllocationRequest base, int attempts) {
    SplittableRandom random = new SplittableRandom(attempts);
    AllocationAudit audit =
        new AllocationAudit(plant.fabric(), Plants.tree(plant.fabric()), random.split(), 3);
    Occupancy occupancy = Occupancy.empty(plant);
    List<Allocation> held = new ArrayList<>();
    int placed = 0;
    for (int i = 0; i < attempts; i++) {
      int bound = 1 + plant.hostCount() / (1 + random.nextInt(8));
      AllocationRequest request = base.withHosts(1 + random.nextInt(bound));
      Occupancy before = occupancy.copy();
      AllocationResult result = allocator().place(request, occupancy);
      assertThat(occupancy).isEqualTo(before);
      assertThat(allocator().place(request, occupancy)).isEqualTo(result);
      if (result instanceof AllocationResult.Placed p) {
        placed++;
        occupancy.take(p.allocation());
        held.add(p.allocation());
        assertThat(p.allocation().hostCount()).isGreaterThanOrEqualTo(request.hosts());
        assertThat(p.allocation().guaranteed()).isEqualTo(allocator().givesLinks());
        assertThat(audit.audit(List.of(p.allocation())))
            .as("%d hosts: %s", request.hosts(), p.allocation())
            .isEmpty();
      } else if (!held.isEmpty()) {
        occupancy.release(held.remove(random.nextInt(held.size())));
      }
      assertThat(audit.exclusive(held)).isEmpty();
    }
    assertThat(placed).isGreaterThan(attempts / 4);
    held.forEach(occupancy::release);
    assertThat(occupancy).isEqualTo(Occupancy.empty(plant));
  }
}
