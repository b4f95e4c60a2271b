package org.heddle.reconfig;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
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
import org.heddle.verify.transition.TableWrite;
import org.heddle.verify.transition.TransitionAudit;
import org.heddle.verify.transition.TransitionReport;
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

  /** The tables without the entries of some LIDs on all switches, or on a third of them. */
  private static ForwardingTables without(ForwardingTables tables, BitSet lids, boolean some) {
    byte[][] rows = new byte[tables.switchCount()][tables.topLid() + 1];
    for (int s = 0; s < rows.length; s++) {
      tables.copy(s, 0, rows[s], 0, rows[s].length);
      for (int lid = lids.nextSetBit(0); lid >= 0; lid = lids.nextSetBit(lid + 1)) {
        if (!some || (s + lid / 3) % 3 == 0) {
          rows[s][lid] = (byte) ForwardingTables.NO_PORT;
        }
      }
    }
    return ForwardingTables.ofRows(rows, tables.topLid());
  }

  /** Every third LID of a host. */
  private static BitSet someHosts(Fabric fabric) {
    BitSet out = new BitSet();
    for (int lid = 1; lid <= fabric.topLid(); lid++) {
      int port = fabric.portOfLid(lid);
      out.set(lid, lid % 3 == 0 && port >= 0 && !fabric.isSwitch(fabric.nodeOf(port)));
    }
    return out;
  }

  @Test
  void lidsThatOnlyComeAreNeverDroppedAndNoOrderOfWritesHarmsThem() {
    for (double damage : new double[] {0, 0.03}) {
      Fabric fabric = MoveLab.fabric("XGFT(3;4,4,4;1,4,4)", damage, 11);
      ForwardingTables after = route(fabric, "ftree");
      for (boolean some : new boolean[] {false, true}) {
        ForwardingTables before = without(after, someHosts(fabric), some);
        TableChange change = TableChange.order(fabric, tree(fabric), before, after);
        assertThat(change.dropped()).isEmpty();
        assertThat(change.notes()).isEmpty();
        assertThat(change.writes()).noneMatch(TableChange.Write::drop);
        assertThat(change.writes()).hasSize((int) TableDiff.of(fabric, before, after).smps());
        assertReaches(fabric, before, change, after);
        for (int seed = 0; seed < 5; seed++) {
          List<TableChange.Write> shuffled = new ArrayList<>(change.writes());
          Collections.shuffle(shuffled, new Random(seed));
          TransitionReport report =
              check(fabric, before, new TableChange(shuffled, List.of(), List.of()));
          assertThat(report.faults()).as("%s", report.examples()).isZero();
          assertThat(report.droppedStates()).isPositive(); // it was seen half written
          assertThat(report.creditLoops().cyclic()).isZero();
        }
      }
    }
  }

  @Test
  void lidsThatComeWhileOthersAreReroutedStandInNobodysWay() {
    for (double damage : new double[] {0, 0.03}) {
      Fabric fabric = MoveLab.fabric("XGFT(3;4,4,4;1,4,4)", damage, 11);
      BitSet coming = someHosts(fabric);
      ForwardingTables after = route(fabric, "updn");
      ForwardingTables whole = route(fabric, "ftree");
      ForwardingTables before = without(whole, coming, false);
      TableChange change = TableChange.order(fabric, tree(fabric), before, after);
      assertThat(change.dropped()).noneMatch(coming::get);
      // The same change without those that come drops no fewer: they add no demand.
      TableChange rest =
          TableChange.order(fabric, tree(fabric), before, without(after, coming, false));
      assertThat(change.dropped()).containsExactlyElementsOf(rest.dropped());
      assertReaches(fabric, before, change, after);
      TransitionReport report = check(fabric, before, change);
      assertThat(report.faults()).as("%s", report.examples()).isZero();
      assertThat(report.creditLoops().cyclic()).isZero();
    }
  }

  @Test
  void aLidThatHasSomeEntriesAndGetsOthersIsOrderedAsAllOthers() {
    Fabric fabric = MoveLab.fabric("XGFT(3;4,4,4;1,4,4)", 0.03, 11);
    ForwardingTables after = route(fabric, "updn");
    ForwardingTables before = without(route(fabric, "ftree"), someHosts(fabric), true);
    TableChange change = TableChange.order(fabric, tree(fabric), before, after);
    TransitionReport report = check(fabric, before, change);
    assertThat(report.faults()).as("%s", report.examples()).isZero();
    // In a bad order it does harm: old ways run into what is not written yet.
    List<TableChange.Write> backwards = new ArrayList<>(change.writes().reversed());
    assertThat(check(fabric, before, new TableChange(backwards, List.of(), List.of())).faults())
        .isPositive();
  }
}
