package org.heddle.allocation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.heddle.catalog.Catalog;
import org.heddle.fabric.Fabric;
import org.junit.jupiter.api.Test;

class PlacingTest {
  private static final Allocator EXACT = Catalog.allocator("exact").orElseThrow();

  private static Allocation placed(AllocationRequest r, Occupancy o) {
    return ((Placing.Outcome.Placed) Placing.place(EXACT, r, o, List.of())).allocation();
  }

  @Test
  void hostsWithoutLinksAreOnTheLeafThatLeavesFewestOver() {
    Plant plant = Plants.plant("XGFT(2;4,4;1,4)");
    Occupancy o = Occupancy.empty(plant);
    o.take(new AllocationBuilder(plant, 3, 1, false).host(0, 0).host(0, 1).host(0, 2).build());
    o.take(new AllocationBuilder(plant, 2, 1, false).host(2, 1).host(2, 3).build());
    // an allocator would begin with the one host that is left at the first leaf
    Allocation two = placed(AllocationRequest.of(2).withoutLinks(), o);
    assertThat(two.leafCount()).isEqualTo(1);
    assertThat(two.leaf(0)).isEqualTo(2);
  }

  @Test
  void whoSaysWhichHostsItWouldRatherHaveGetsThese() {
    Plant plant = Plants.plant("XGFT(2;4,4;1,4)");
    Occupancy o = Occupancy.empty(plant);
    int[] cost = new int[plant.fabric().nodeCount()];
    java.util.Arrays.fill(cost, 1);
    cost[plant.host(3, 2)] = 0;
    Allocation one =
        placed(AllocationRequest.of(1).withoutLinks().withChoice(HostChoice.ANY.withCost(cost)), o);
    assertThat(one.host(0)).isEqualTo(plant.host(3, 2));
  }

  /** Every hint is tried: what it says would help does help, with the promises there are. */
  @Test
  void hintsAreTrue() {
    Random random = new Random(7);
    int departures = 0;
    int moves = 0;
    for (int i = 0; i < 300; i++) {
      Plant plant = Plants.plant(i % 2 == 0 ? "XGFT(2;4,6;1,4)" : "XGFT(2;4,6;1,2)");
      Occupancy o = Occupancy.empty(plant);
      List<Holder> holders = new ArrayList<>();
      AllocationRequest r = null;
      while (r == null) {
        AllocationRequest next = AllocationRequest.of(1 + random.nextInt(9));
        next = random.nextInt(3) == 0 ? next.withoutLinks() : next;
        if (Placing.place(EXACT, next, o, holders) instanceof Placing.Outcome.Placed p) {
          o.take(p.allocation());
          holders.add(new Holder("t" + holders.size(), p.allocation()));
        } else {
          r = next;
        }
      }
      Refusal no = ((Placing.Outcome.Refused) Placing.place(EXACT, r, o, holders)).refusal();
      assertThat(no.freeHosts()).isEqualTo(o.freeHosts());
      assertThat(fits(r, o)).isFalse();
      if (no.largestThatFits() > 0) {
        assertThat(fits(r.withHosts(no.largestThatFits()), o)).isTrue();
      }
      if (no.departureThatHelps().isPresent()) {
        departures++;
        assertThat(fits(r, without(o, of(holders, no.departureThatHelps().get())))).isTrue();
      }
      if (no.moveThatHelps().isPresent()) {
        moves++;
        Allocation moved = of(holders, no.moveThatHelps().get());
        Occupancy after = without(o, moved);
        after.take(placed(r, after));
        AllocationRequest again = AllocationRequest.of(moved.requested());
        assertThat(fits(moved.guaranteed() ? again : again.withoutLinks(), after)).isTrue();
      }
      assertThat(no.linesOfItself()).hasSize(2);
      assertThat(no.linesOfOthers())
          .hasSize(
              (int) no.departureThatHelps().stream().count()
                  + (int) no.moveThatHelps().stream().count());
    }
    assertThat(departures).isPositive();
    assertThat(moves).isPositive();
  }

  private static boolean fits(AllocationRequest r, Occupancy o) {
    return Placing.place(EXACT, r, o, List.of()) instanceof Placing.Outcome.Placed;
  }

  private static Allocation of(List<Holder> holders, String name) {
    return holders.stream().filter(h -> h.name().equals(name)).findFirst().get().allocation();
  }

  private static Occupancy without(Occupancy o, Allocation a) {
    Occupancy out = o.copy();
    out.release(a);
    return out;
  }

  @Test
  void linksAreFoundByEitherEnd() {
    for (String tree : List.of("XGFT(2;4,6;1,4)", "XGFT(3;3,3,3;1,3,3)", "PGFT(2;4,4;1,2;1,2)")) {
      Plant plant = Plants.plant(tree);
      AllocationBinder binder = new AllocationBinder(plant);
      for (int n = 1; n <= plant.hostCount() / 2; n++) {
        if (EXACT.place(AllocationRequest.of(n), Occupancy.empty(plant))
            instanceof AllocationResult.Placed(Allocation a)) {
          Occupancy taken = Occupancy.empty(plant);
          taken.take(a);
          AllocationBuilder again = new AllocationBuilder(plant, n, 1, true);
          for (int host : a.hosts()) {
            again.host(plant.leafOfHost(host), plant.slotOfHost(host));
          }
          List<AllocationBinder.Link> links = AllocationBinder.links(a);
          for (int i = 0; i < links.size(); i++) {
            AllocationBinder.Link l = links.get(i);
            int port = binder.port(l);
            assertThat(port).isEqualTo(a.links()[i]);
            assertThat(
                    binder.port(new AllocationBinder.Link(l.to(), l.toPort(), l.from(), l.port())))
                .isEqualTo(port);
            assertThat(binder.isFree(taken, port)).isFalse();
            assertThat(binder.isFree(Occupancy.empty(plant), port)).isTrue();
            assertThat(AllocationBinder.link(plant.fabric(), l.from(), l.port())).isEqualTo(l);
            binder.add(again, port);
          }
          assertThat(again.build()).isEqualTo(a);
        }
      }
    }
  }

  @Test
  void whatIsNoLinkOfThePlantIsNotFound() {
    Plant plant = Plants.plant("XGFT(2;4,6;1,4)");
    AllocationBinder binder = new AllocationBinder(plant);
    long host = plant.fabric().nodeGuid(plant.host(0, 0));
    long leaf = plant.fabric().nodeGuid(plant.leafSwitch(0));
    AllocationBinder.Link cable = AllocationBinder.link(plant.fabric(), host, 1);
    for (AllocationBinder.Link l :
        List.of(
            new AllocationBinder.Link(9, 1, leaf, 1),
            new AllocationBinder.Link(leaf, 0, 9, 1),
            new AllocationBinder.Link(leaf, 255, 9, 1),
            new AllocationBinder.Link(host, 1, leaf, 1),
            cable)) {
      assertThat(binder.port(l)).isEqualTo(Fabric.NONE);
    }
    assertThat(NearbyHosts.among(Occupancy.empty(plant), HostChoice.only(new BitSet()), 1))
        .isEqualTo(new BitSet());
  }
}
