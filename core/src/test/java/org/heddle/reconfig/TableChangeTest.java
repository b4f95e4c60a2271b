package org.heddle.reconfig;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.heddle.catalog.Catalog;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.topology.FatTree;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.Recognition;
import org.heddle.verify.TableWrite;
import org.heddle.verify.TransitionAudit;
import org.heddle.verify.TransitionReport;
import org.junit.jupiter.api.Test;

class TableChangeTest {
  private static ForwardingTables route(Fabric fabric, String engine) {
    RoutingRequest request = RoutingRequest.of(fabric, FatTreeRecogniser.recognise(fabric));
    return ((RoutingResult.Routed) Catalog.engine(engine).orElseThrow().route(request)).tables();
  }

  private static Optional<FatTree> tree(Fabric fabric) {
    return FatTreeRecogniser.recognise(fabric) instanceof Recognition.Found found
        ? Optional.of(found.tree())
        : Optional.empty();
  }

  private static TransitionReport check(
      Fabric fabric, ForwardingTables before, TableChange change) {
    List<TableWrite> writes = new ArrayList<>();
    boolean dropping = false;
    for (TableChange.Write w : change.writes()) {
      writes.add(new TableWrite(w.sw(), w.block(), w.entries(), dropping && !w.drop()));
      dropping = w.drop();
    }
    return TransitionAudit.run(
        fabric, before, writes, new TreeMap<>(), new TreeSet<>(change.dropped()));
  }

  /** The tables after all writes. */
  private static void assertReaches(
      Fabric fabric, ForwardingTables before, TableChange change, ForwardingTables after) {
    byte[][] rows = new byte[fabric.switchCount()][(after.topLid() / 64 + 1) * 64];
    for (int s = 0; s < rows.length; s++) {
      before.copy(s, 0, rows[s], 0, before.topLid() + 1);
    }
    for (TableChange.Write w : change.writes()) {
      System.arraycopy(w.entries(), 0, rows[w.sw()], 64 * w.block(), 64);
    }
    for (int s = 0; s < rows.length; s++) {
      for (int lid = 1; lid <= after.topLid(); lid++) {
        assertThat(rows[s][lid] & 0xff).isEqualTo(after.port(s, lid));
      }
    }
  }

  @Test
  void equalTablesNeedNoWrite() {
    Fabric fabric = MoveLab.fabric("XGFT(2;4,8;1,4)", 0, 0);
    ForwardingTables tables = route(fabric, "ftree");
    TableChange change = TableChange.order(fabric, tree(fabric), tables, route(fabric, "ftree"));
    assertThat(change.writes()).isEmpty();
    assertThat(change.dropped()).isEmpty();
  }

  @Test
  void reroutingAWholeTreeIsSafeInEveryState() {
    String[] engines = {"ftree", "dmodk", "updn", "minhop"};
    for (String spec : new String[] {"XGFT(2;4,8;1,4)", "XGFT(3;4,4,4;1,4,4)"}) {
      for (double damage : new double[] {0, 0.03}) {
        Fabric fabric = MoveLab.fabric(spec, damage, 11);
        for (String from : engines) {
          for (String to : engines) {
            ForwardingTables before = route(fabric, from);
            ForwardingTables after = route(fabric, to);
            TableChange change = TableChange.order(fabric, tree(fabric), before, after);
            assertReaches(fabric, before, change, after);
            TransitionReport report = check(fabric, before, change);
            String what = spec + " " + damage + " " + from + " to " + to;
            assertThat(report.faults()).as("%s: %s", what, report.examples()).isZero();
            boolean said =
                change.notes().stream().anyMatch(n -> n.contains("credit loops already"))
                    || change.notes().stream().anyMatch(n -> n.contains("not enough"));
            assertThat(said || report.creditLoops().cyclic() == 0).as(what).isTrue();
            if (change.dropped().isEmpty()) {
              assertThat(change.writes().size())
                  .isEqualTo(TableDiff.of(fabric, before, after).smps());
            }
          }
        }
      }
    }
  }

  @Test
  void aWholeTreeGoesFromOneTreeEngineToAnotherWithoutDroppingAHost() {
    Fabric fabric = MoveLab.fabric("XGFT(3;4,4,4;1,4,4)", 0, 0);
    TableChange change =
        TableChange.order(fabric, tree(fabric), route(fabric, "ftree"), route(fabric, "dmodk"));
    assertThat(change.dropped()).noneMatch(lid -> !fabric.isSwitch(owner(fabric, lid)));
  }

  private static int owner(Fabric fabric, int lid) {
    return fabric.nodeOf(fabric.portOfLid(lid));
  }

  @Test
  void lidsWhoseBlockHasNoCommonOrderAreDroppedAndNamed() {
    // Two hosts of one leaf change places: what one needs first, the other needs last.
    Fabric fabric = MoveLab.fabric("XGFT(2;4,8;1,4)", 0, 0);
    ForwardingTables before = route(fabric, "ftree");
    int a = fabric.lid(fabric.port(fabric.switchCount(), 1));
    int b = fabric.lid(fabric.port(fabric.nodeCount() - 1, 1));
    int[] lids = new int[fabric.portIdLimit()];
    byte[] lmcs = new byte[lids.length];
    for (int p = 0; p < lids.length; p++) {
      lids[p] = fabric.lid(p) == a ? b : fabric.lid(p) == b ? a : fabric.lid(p);
    }
    Fabric swapped = fabric.withLids(lids, lmcs);
    ForwardingTables after = route(swapped, "ftree");
    TableChange change = TableChange.order(swapped, tree(swapped), before, after);
    assertThat(change.dropped()).isNotEmpty();
    assertThat(change.notes()).isNotEmpty();
    assertReaches(swapped, before, change, after);
  }
}
