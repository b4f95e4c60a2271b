package org.heddle.routing.links;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.heddle.allocation.Allocation;
import org.heddle.allocation.AllocationBuilder;
import org.heddle.allocation.AllocationRequest;
import org.heddle.allocation.AllocationResult;
import org.heddle.allocation.Allocator;
import org.heddle.allocation.Occupancy;
import org.heddle.allocation.Plant;
import org.heddle.catalog.Catalog;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Machines;
import org.heddle.routing.ForwardingTables;
import org.heddle.topology.generate.MachineWiring;
import org.heddle.topology.generate.TreeSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LinkRoutingTest {
  private final LinkLab lab = new LinkLab("XGFT(2;4,8;1,4)");
  private final Map<String, Allocation> tenants = new LinkedHashMap<>();

  /** Two full leaves and half a leaf, as in the walk-through of the links-as-a-service paper. */
  private static Allocation ten(Plant plant, int first, int odd, int oddSlot) {
    AllocationBuilder b = new AllocationBuilder(plant, 10, 1, true);
    for (int leaf = first; leaf < first + 2; leaf++) {
      for (int i = 0; i < 4; i++) {
        b.host(leaf, i).up(leaf, i);
      }
    }
    for (int i = oddSlot; i < oddSlot + 2; i++) {
      b.host(odd, i).up(odd, i);
    }
    return b.build();
  }

  private void two() {
    tenants.put("t4", ten(lab.plant, 0, 2, 0));
    tenants.put("t1", ten(lab.plant, 3, 2, 2));
  }

  @Test
  void twoTenantsOnOneLeafShareNoChannel() {
    two();
    lab.assertApart(tenants, lab.route(tenants));
  }

  @Test
  void theIthHostOfALeafIsReachedThroughTheIthLink() {
    two();
    ForwardingTables tables = lab.route(tenants).tables();
    Plant plant = lab.plant;
    Fabric fabric = lab.fabric;
    for (int slot = 0; slot < 4; slot++) {
      int lid = lab.lid(plant.host(0, slot));
      assertThat(tables.port(plant.leafSwitch(1), lid))
          .isEqualTo(fabric.numberOf(plant.upPort(0, 1, slot)));
    }
    // The smaller leaf has two links only: its hosts climb by those.
    int lid = lab.lid(plant.host(0, 3));
    assertThat(tables.port(plant.leafSwitch(2), lid))
        .isEqualTo(fabric.numberOf(plant.upPort(0, 2, 1)));
  }

  @Test
  void aTenantThatLeavesGivesItsEntriesBackAndTouchesNobodyElses() {
    two();
    ForwardingTables both = lab.route(tenants).tables();
    Allocation gone = tenants.remove("t1");
    ForwardingTables one = lab.route(tenants).tables();
    lab.assertSameEntries(tenants.get("t4"), both, one);
    tenants.put("t1", gone);
    assertThat(lab.route(tenants).tables()).isEqualTo(both);
    tenants.clear();
    assertThat(lab.route(tenants).tables()).isEqualTo(lab.base);
  }

  @Test
  void theOrderOfTenantsDoesNotMatter() {
    two();
    Map<String, Allocation> turned = new LinkedHashMap<>();
    turned.put("t1", tenants.get("t1"));
    turned.put("t4", tenants.get("t4"));
    assertThat(lab.route(turned).tables()).isEqualTo(lab.route(tenants).tables());
  }

  /**
   * Machines of two rails send to the next one but shift, on both rails at once: the rails of a
   * unit meet at the level-2 switches, and there are as many root links as flows.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"XGFT(3;4,2,2;1,4,2)|8", "XGFT(3;4,2,2;1,2,2)|6"})
  void railsDoNotMeetOnRootLinks(String spec, int most) {
    LinkLab rails = new LinkLab(MachineWiring.generate(TreeSpec.parse(spec), 2, 1));
    Allocator exact = Catalog.allocator(Allocator.DEFAULT).orElseThrow();
    int tried = 0;
    for (int n = 2; n <= most; n++) {
      AllocationResult result = exact.place(AllocationRequest.of(n), Occupancy.empty(rails.plant));
      if (!(result instanceof AllocationResult.Placed(Allocation a))) {
        continue;
      }
      int[] ports = a.hostPorts();
      Region region = new Region("t", ports, a.railsOf(ports), a.links());
      LinkRouting.Outcome outcome =
          LinkRouting.route(rails.fabric, rails.tree, rails.base, List.of(region));
      ForwardingTables tables = ((LinkRouting.Routed) outcome).tables();
      for (int shift = 1; shift < n; shift++) {
        int[] all = new int[rails.fabric.portIdLimit()];
        for (int rail = 0; rail < 2; rail++) {
          for (int i = 0; i < n; i++) {
            flow(rails, tables, a, rail, i, (i + shift) % n, all);
          }
        }
        int fullest = Arrays.stream(all).max().orElse(0);
        assertThat(fullest).as("%d, shift %d", n, shift).isLessThan(2);
        tried += fullest; // none if all are on one leaf
      }
    }
    assertThat(tried).isGreaterThan(5);
  }

  /** Counts the channels that a flow between two machines' adapters of one rail takes. */
  private static void flow(
      LinkLab lab, ForwardingTables tables, Allocation a, int rail, int from, int to, int[] load) {
    Machines machines = lab.fabric.machines();
    int source = machines.adapter(machines.of(a.hosts()[from]), rail);
    int target = machines.adapter(machines.of(a.hosts()[to]), rail);
    int sw = lab.fabric.attachedSwitch(lab.fabric.port(source, 1));
    while (lab.fabric.attachedSwitch(lab.fabric.port(target, 1)) != sw) {
      int port = lab.fabric.port(sw, tables.port(sw, lab.lid(target)));
      load[port]++;
      sw = lab.fabric.peerNode(port);
    }
  }

  @Test
  void rowsWithoutAChangeAreShared() {
    tenants.put("t4", ten(lab.plant, 0, 2, 0));
    LinkRouting.Routed routed = lab.route(tenants);
    int same = 0;
    for (int sw = 0; sw < lab.fabric.switchCount(); sw++) {
      same += routed.tables().sameRow(sw, lab.base) ? 1 : 0;
    }
    assertThat(same).isPositive();
    assertThat(routed.changedEntries()).isPositive();
  }

  @Test
  void hostsOfNobodyKeepOffTheTenantsLinksWhereTheyCan() {
    tenants.put("t4", ten(lab.plant, 0, 2, 0));
    LinkRouting.Routed routed = lab.route(tenants);
    // The two other hosts of leaf 2 and those of leaves 3..7 have links of nobody everywhere.
    assertThat(routed.sharedEntries()).isZero();
    assertThat(routed.sharedHosts()).isZero();
    assertThat(lab.othersOn(tenants, routed.tables())).isZero();
  }

  @Test
  void hostsOfNobodyBehindATenantsLinksOnlyAreReachedOverThem() {
    AllocationBuilder b = new AllocationBuilder(lab.plant, 6, 1, true);
    for (int leaf = 0; leaf < 2; leaf++) {
      for (int i = 0; i < 4; i++) {
        b.up(leaf, i);
        if (i < 3) {
          b.host(leaf, i);
        }
      }
    }
    tenants.put("greedy", b.build());
    LinkRouting.Routed routed = lab.route(tenants);
    lab.assertApart(tenants, routed);
    assertThat(routed.sharedHosts()).isPositive();
    assertThat(lab.othersOn(tenants, routed.tables())).isPositive();
  }

  @Test
  void linksThatDoNotJoinTheLeavesAreRefused() {
    AllocationBuilder b = new AllocationBuilder(lab.plant, 2, 1, true);
    b.host(0, 0).up(0, 0).host(1, 0).up(1, 1);
    tenants.put("torn", b.build());
    LinkRouting.Outcome outcome = lab.outcome(tenants);
    assertThat(outcome).isInstanceOf(LinkRouting.Refused.class);
    assertThat(((LinkRouting.Refused) outcome).region()).isEqualTo("torn");
    assertThat(((LinkRouting.Refused) outcome).reason()).contains("do not join");
  }

  @Test
  void aLinkHasOneOwner() {
    two();
    List<Region> regions = new ArrayList<>(lab.regions(tenants));
    Region first = regions.get(0);
    regions.add(new Region("thief", new int[0], new int[] {first.links()[0]}));
    assertThatThrownBy(() -> LinkRouting.route(lab.fabric, lab.tree, lab.base, regions))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("two regions");
  }

  @Test
  void aTenantOfThreeLevelsUsesItsRootsOnly() {
    LinkLab three = new LinkLab("XGFT(3;3,3,4;1,3,3)");
    Plant plant = three.plant;
    AllocationBuilder b = new AllocationBuilder(plant, 14, 1, true);
    // Three sub-trees of two leaves with two hosts, one smaller one of one leaf, and an odd host.
    for (int t = 0; t < 4; t++) {
      int full = t < 3 ? 2 : 1;
      for (int l = 0; l < full; l++) {
        int leaf = plant.firstLeaf(t) + l;
        b.host(leaf, 0).host(leaf, 1).up(leaf, 0).up(leaf, 2);
      }
      for (int root = 0; root < full; root++) {
        b.root(t, plant.planeOf(0), root + 1).root(t, plant.planeOf(2), root);
      }
    }
    tenants.put("wide", b.build());
    LinkRouting.Routed routed = three.route(tenants);
    three.assertApart(tenants, routed);
    assertThat(routed.sharedEntries()).isZero();
  }

  @Test
  void parallelLinksAreDifferentLinks() {
    LinkLab wide = new LinkLab("PGFT(2;6,4;1,3;1,2)");
    Plant plant = wide.plant;
    AllocationBuilder a = new AllocationBuilder(plant, 6, 1, true);
    AllocationBuilder b = new AllocationBuilder(plant, 6, 1, true);
    for (int leaf = 0; leaf < 2; leaf++) {
      for (int i = 0; i < 3; i++) {
        a.host(leaf, i).up(leaf, i);
        b.host(leaf, i + 3).up(leaf, i + 3);
      }
    }
    tenants.put("a", a.build());
    tenants.put("b", b.build());
    wide.assertApart(tenants, wide.route(tenants));
    assertThat(plant.positions()).isEqualTo(6);
  }
}
