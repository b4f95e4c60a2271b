package org.heddle.routing.links;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.heddle.allocation.Allocation;
import org.heddle.allocation.AllocationBuilder;
import org.heddle.allocation.Plant;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;
import org.junit.jupiter.api.Test;

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
