package org.heddle.allocation.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.heddle.allocation.Allocation;
import org.heddle.allocation.AllocationBuilder;
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

/**
 * {@code exact} takes the links of its formula and no more: leaf i needs min(cap, d_i + d_(i+1) +
 * ..) of them, cap = min(d_1, N - d_1), a p-th of it (rounded up) with p hosts a link; and with p
 * it places whatever brute force finds a place for under these conditions.
 */
class ExactLinksTest {
  private final Allocator exact = Catalog.allocator("exact").orElseThrow();

  @ParameterizedTest
  @CsvSource({"19,2", "20,4", "27,18", "35,34", "36,36", "37,37", "40,40"})
  void oneFullLeafAndASmallerOneTakeTheSmallerOnesLinks(int hosts, int links) {
    Plant plant = Plants.plant("XGFT(3;18,18,36;1,18,18)");
    AllocationResult result = exact.place(AllocationRequest.of(hosts), Occupancy.empty(plant));
    Allocation a = ((AllocationResult.Placed) result).allocation();
    assertThat(a.linkCount()).isEqualTo(links);
  }

  @Test
  void noPlacementHasMoreLinksThanTheFormulaAndWithFewerTwoLeavesBlock() {
    SplittableRandom random = new SplittableRandom(6);
    int dropped = 0;
    for (int tree = 0; tree < 80; tree++) {
      String spec =
          "XGFT(3;%d,%d,%d;1,%d,%d)"
              .formatted(
                  2 + random.nextInt(2),
                  1 + random.nextInt(3),
                  1 + random.nextInt(3),
                  2 + random.nextInt(2),
                  1 + random.nextInt(3));
      Plant plant = Plants.plant(spec);
      Occupancy occupancy = Occupancy.empty(plant);
      for (int i = 0; i < 5 && occupancy.freeHosts() > 1; i++) {
        int n = 2 + random.nextInt(Math.min(6, occupancy.freeHosts() - 1));
        int p = 1 + random.nextInt(3);
        AllocationRequest request = AllocationRequest.of(n).withOversubscription(p);
        if (exact.place(request, occupancy) instanceof AllocationResult.Placed(Allocation a)) {
          occupancy.take(a);
          assertThat(ups(a)).as("%s, %d hosts, %d a link: %s", spec, n, p, a).isEqualTo(formula(a));
          dropped += p == 1 && a.leafCount() == 2 ? dropEach(a) : 0;
        }
      }
    }
    assertThat(dropped).isGreaterThan(20);
  }

  private static int ups(Allocation a) {
    int sum = 0;
    for (int i = 0; i < a.leafCount(); i++) {
      sum += a.upsOn(i);
    }
    return sum;
  }

  private static int formula(Allocation a) {
    int[] hosts = new int[a.leafCount()];
    for (int i = 0; i < hosts.length; i++) {
      hosts[i] = -a.hostsOn(i);
    }
    Arrays.sort(hosts);
    int cap = Math.min(-hosts[0], a.hostCount() + hosts[0]);
    int rest = a.hostCount();
    int sum = 0;
    for (int h : hosts) {
      sum += Math.ceilDiv(Math.min(cap, rest), a.oversubscription());
      rest += h;
    }
    return sum;
  }

  /** Of two leaves every link is needed: without it some permutation has no routes. */
  private static int dropEach(Allocation a) {
    int n = 0;
    for (int i = 0; i < a.leafCount(); i++) {
      for (int pos = 0; pos < a.plant().positions(); pos++) {
        if ((a.upMask(i, 0) >>> pos & 1) != 0) {
          assertThat(NonBlocking.holds(without(a, i, pos))).as("%s", a).isFalse();
          n++;
        }
      }
    }
    assertThat(NonBlocking.holds(a)).isTrue();
    return n;
  }

  private static Allocation without(Allocation a, int leaf, int position) {
    Plant plant = a.plant();
    AllocationBuilder out =
        new AllocationBuilder(plant, a.requested(), a.oversubscription(), true).roots(a);
    for (int i = 0; i < a.leafCount(); i++) {
      for (int s = 0; s < plant.maxSlots(); s++) {
        if ((a.hostMask(i, 0) >>> s & 1) != 0) {
          out.host(a.leaf(i), s);
        }
      }
      for (int pos = 0; pos < plant.positions(); pos++) {
        if ((a.upMask(i, 0) >>> pos & 1) != 0 && (i != leaf || pos != position)) {
          out.up(a.leaf(i), pos);
        }
      }
    }
    return out.build();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "XGFT(2;4,5;1,2)|2",
        "XGFT(2;6,4;1,1)|3",
        "XGFT(3;3,2,3;1,2,2)|2",
        "XGFT(3;3,3,2;1,1,2)|3",
        "PGFT(3;4,2,2;1,1,2;1,2,1)|2"
      })
  void withSeveralHostsALinkItPlacesWhatBruteForceFindsAPlaceFor(String spec, int p) {
    SplittableRandom random = new SplittableRandom(spec.hashCode());
    int placed = 0;
    int refused = 0;
    for (int round = 0; round < 8; round++) {
      Plant plant = Plants.damaged(spec, random.nextInt(2) * 0.1, random.nextLong());
      AllocationAudit audit =
          new AllocationAudit(plant.fabric(), Plants.tree(plant.fabric()), random.split(), 10);
      Occupancy occupancy = Occupancy.empty(plant);
      for (int i = 0; i < 8 && occupancy.freeHosts() > 0; i++) {
        int n = 1 + random.nextInt(Math.min(9, occupancy.freeHosts()));
        AllocationRequest request = AllocationRequest.of(n).withOversubscription(p);
        AllocationResult result = exact.place(request, occupancy);
        boolean possible = BruteForce.fits(occupancy, n, p);
        boolean found = result instanceof AllocationResult.Placed;
        assertThat(found || !possible).as("%s, %d hosts, %s", spec, n, occupancy).isTrue();
        assertThat(possible || !found || plant.damaged()).as("%s, %d hosts", spec, n).isTrue();
        if (result instanceof AllocationResult.Placed(Allocation a)) {
          placed++;
          assertThat(audit.audit(List.of(a))).as("%s, %d hosts: %s", spec, n, a).isEmpty();
          occupancy.take(a);
        } else {
          refused++;
        }
      }
    }
    assertThat(placed).isPositive();
    assertThat(refused).isPositive();
  }
}
