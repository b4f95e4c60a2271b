package org.heddle.reconfig;

import static org.assertj.core.api.Assertions.assertThat;

import org.heddle.catalog.Catalog;
import org.heddle.fabric.Fabric;
import org.heddle.reconfig.TableDiff.LidChange;
import org.heddle.reconfig.TableDiff.SwitchChange;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.generate.DamageSpec;
import org.heddle.topology.generate.FabricDamage;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;
import org.junit.jupiter.api.Test;

class TableDiffTest {
  private static final Fabric FABRIC =
      TreeGenerator.generate(TreeSpec.parse("XGFT(2;18,18;1,18)")).withAssignedLids();
  private static final ForwardingTables TABLES = route(FABRIC);

  private static ForwardingTables route(Fabric fabric) {
    RoutingRequest request = RoutingRequest.of(fabric, FatTreeRecogniser.recognise(fabric));
    return ((RoutingResult.Routed) Catalog.engine("ftree").orElseThrow().route(request)).tables();
  }

  @Test
  void equalTablesNeedNothing() {
    TableDiff diff = TableDiff.of(FABRIC, TABLES, route(FABRIC));
    assertThat(diff.isEmpty()).isTrue();
    assertThat(diff.switches()).isEmpty();
    assertThat(diff.routes()).isZero();
  }

  @Test
  void oneEntryIsOneBlockOfOneSwitch() {
    TableDiff diff = TableDiff.of(FABRIC, TABLES, TABLES.with(3, 70, 35));
    assertThat(diff.switches()).containsExactly(new SwitchChange(3, FABRIC.nodeGuid(3), 1, 1));
    assertThat(diff.smps()).isEqualTo(1);
    assertThat(diff.entries()).isEqualTo(1);
    assertThat(diff.routes()).isEqualTo(1);
  }

  @Test
  void entriesOfOneBlockAreOneSmpAndOfTwoBlocksTwo() {
    int edge = ForwardingTables.BLOCK_SIZE;
    ForwardingTables near = TABLES.with(3, edge, 35).with(3, edge + 1, 35);
    ForwardingTables far = TABLES.with(3, edge - 1, 35).with(3, edge, 35).with(5, 1, 35);
    assertThat(TableDiff.of(FABRIC, TABLES, near).smps()).isEqualTo(1);
    TableDiff diff = TableDiff.of(FABRIC, TABLES, far);
    assertThat(diff.smps()).isEqualTo(3);
    assertThat(diff.switches()).extracting(SwitchChange::blocks).containsExactly(2, 1);
  }

  @Test
  void fromEmptyTablesEveryBlockWithAnEntryIsWritten() {
    ForwardingTables empty = ForwardingTables.empty(FABRIC.switchCount(), 0);
    TableDiff diff = TableDiff.of(FABRIC, empty, TABLES);
    long expected = 0;
    for (int sw = 0; sw < FABRIC.switchCount(); sw++) {
      expected += TABLES.differingBlocks(sw, empty);
    }
    assertThat(diff.smps()).isEqualTo(expected).isEqualTo(36L * TABLES.blockCount());
    assertThat(diff.entries()).isEqualTo(36L * FABRIC.topLid());
  }

  @Test
  void changedLidsAreWrittenButRoutesStay() {
    int a = FABRIC.portOfLid(1);
    int b = FABRIC.portOfLid(300);
    Fabric swapped = withSwapped(a, b);
    ForwardingTables moved = TABLES;
    for (int sw = 0; sw < FABRIC.switchCount(); sw++) {
      moved = moved.with(sw, 1, TABLES.port(sw, 300)).with(sw, 300, TABLES.port(sw, 1));
    }
    TableDiff diff = TableDiff.of(FABRIC, TABLES, swapped, moved);
    assertThat(diff.lidChanges())
        .containsExactlyInAnyOrder(
            new LidChange(a, FABRIC.portGuid(a), 1, 300),
            new LidChange(b, FABRIC.portGuid(b), 300, 1));
    assertThat(diff.routes()).isZero();
    assertThat(diff.smps()).isPositive();
    // The same tables with other addresses write nothing, and send packets elsewhere.
    TableDiff silent = TableDiff.of(FABRIC, TABLES, swapped, TABLES);
    assertThat(silent.smps()).isZero();
    assertThat(silent.routes()).isPositive();
  }

  private static Fabric withSwapped(int a, int b) {
    int[] lids = new int[FABRIC.portIdLimit()];
    byte[] lmcs = new byte[lids.length];
    for (int port = 0; port < lids.length; port++) {
      lids[port] = FABRIC.lid(port);
    }
    lids[a] = FABRIC.lid(b);
    lids[b] = FABRIC.lid(a);
    return FABRIC.withLids(lids, lmcs);
  }

  @Test
  void switchesAreMatchedByGuidWhenOneIsGone() {
    Fabric smaller =
        FabricDamage.apply(FABRIC, DamageSpec.none(5).withSwitches(DamageSpec.Amount.of(1)))
            .fabric();
    ForwardingTables after = route(smaller);
    TableDiff down = TableDiff.of(FABRIC, TABLES, smaller, after);
    assertThat(down.goneSwitches()).isEqualTo(1);
    assertThat(down.newSwitches()).isZero();
    TableDiff up = TableDiff.of(smaller, after, FABRIC, TABLES);
    assertThat(up.newSwitches()).isEqualTo(1);
    assertThat(up.goneSwitches()).isZero();
    assertThat(down.routes()).isPositive().isEqualTo(up.routes());
  }
}
