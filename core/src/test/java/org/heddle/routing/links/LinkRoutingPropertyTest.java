package org.heddle.routing.links;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.heddle.allocation.Allocation;
import org.heddle.allocation.AllocationRequest;
import org.heddle.allocation.AllocationResult;
import org.heddle.allocation.Allocator;
import org.heddle.allocation.Occupancy;
import org.heddle.catalog.Catalog;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;
import org.heddle.topology.generate.DamageSpec;
import org.heddle.topology.generate.FabricDamage;
import org.heddle.topology.generate.FabricShuffle;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tenants of every shape come and go; after every step the tables are audited. */
class LinkRoutingPropertyTest {
  private static final int STEPS = 20;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "exact | XGFT(2;4,8;1,4) | 0",
        "exact | XGFT(3;4,4,4;1,4,4) | 0",
        "exact | XGFT(3;3,4,5;1,3,4) | 0",
        "exact | PGFT(3;4,3,3;1,2,3;1,2,1) | 0",
        "exact | PGFT(2;6,6;1,3;1,2) | 0",
        "exact | XGFT(3;4,4,4;1,4,4) | 5",
        "exact | XGFT(3;6,4,3;1,6,4) | 15",
        "exact | XGFT(2;8,8;1,8) | 10",
        "laas | XGFT(3;4,4,4;1,4,4) | 0",
        "simple | XGFT(3;4,4,4;1,4,4) | 0",
        "exact | XGFT(3;6,4,4;1,3,2) | 0",
        "exact | XGFT(3;4,4,4;2,4,4) | 0",
        "exact | XGFT(2;6,6;2,6) | 8"
      })
  void tenantsComeAndGoAndNeverMeet(String allocator, String spec, int deadPercent) {
    comeAndGo(allocator, spec, deadPercent, damaged(spec, deadPercent));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "exact | XGFT(3;4,4,4;1,4,4) | 0",
        "exact | XGFT(3;3,4,5;1,3,4) | 0",
        "exact | PGFT(3;4,3,3;1,2,3;1,2,1) | 0",
        "exact | PGFT(2;6,6;1,3;1,2) | 0",
        "exact | PGFT(3;4,4,4;1,2,2;1,2,2) | 8",
        "exact | XGFT(3;4,4,4;1,4,4) | 5",
        "exact | XGFT(3;6,4,3;1,6,4) | 15",
        "laas | XGFT(3;4,4,4;1,4,4) | 0",
        "simple | XGFT(3;4,4,4;1,4,4) | 0",
        "exact | XGFT(3;6,4,4;1,3,2) | 0",
        "exact | XGFT(3;4,4,4;2,4,4) | 0",
        "exact | XGFT(2;6,6;2,6) | 8"
      })
  void thePortsOfSwitchesMayBeNumberedInAnyOrder(String allocator, String spec, int deadPercent) {
    for (long seed = 1; seed <= 3; seed++) {
      Fabric fabric = FabricShuffle.ports(damaged(spec, deadPercent), seed);
      comeAndGo(allocator, spec, deadPercent, fabric);
    }
  }

  private static Fabric damaged(String spec, int deadPercent) {
    Fabric fabric = TreeGenerator.generate(TreeSpec.parse(spec));
    if (deadPercent == 0) {
      return fabric;
    }
    DamageSpec damage =
        DamageSpec.none(deadPercent)
            .withLinks(DamageSpec.Amount.share(deadPercent / 100.0))
            .keepingConnected();
    return FabricDamage.apply(fabric, damage).fabric();
  }

  private static void comeAndGo(String allocator, String spec, int deadPercent, Fabric fabric) {
    LinkLab lab = new LinkLab(fabric);
    Allocator chosen = Catalog.allocator(allocator).orElseThrow();
    Occupancy occupancy = Occupancy.empty(lab.plant);
    Map<String, Allocation> tenants = new LinkedHashMap<>();
    SplittableRandom random = new SplittableRandom(spec.hashCode() + deadPercent);
    ForwardingTables before = lab.base;
    int placed = 0;
    int wide = 0;
    for (int step = 0; step < STEPS; step++) {
      String gone = null;
      if (random.nextInt(3) == 0 && !tenants.isEmpty()) {
        List<String> names = new ArrayList<>(tenants.keySet());
        gone = names.get(random.nextInt(names.size()));
        occupancy.release(tenants.remove(gone));
      }
      int size = 1 + random.nextInt(1 + lab.plant.hostCount() / 3);
      int share = random.nextInt(4) == 0 ? 2 : 1;
      AllocationRequest request = AllocationRequest.of(size).withOversubscription(share);
      String name = "t" + step;
      if (chosen.place(request, occupancy) instanceof AllocationResult.Placed p) {
        occupancy.take(p.allocation());
        tenants.put(name, p.allocation());
        placed++;
        wide += p.allocation().leafCount() > 1 ? 1 : 0;
      }
      LinkRouting.Routed routed = lab.route(tenants);
      if (!tenants.isEmpty()) {
        lab.assertApart(tenants, routed);
      }
      for (Map.Entry<String, Allocation> t : tenants.entrySet()) {
        if (!t.getKey().equals(name)) {
          lab.assertSameEntries(t.getValue(), before, routed.tables());
        }
      }
      before = routed.tables();
    }
    assertThat(placed).isGreaterThan(3);
    assertThat(wide).isPositive();
  }
}
