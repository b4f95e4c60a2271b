package org.heddle.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;
import org.heddle.topology.FatTree;
import org.heddle.verify.AuditReport.ChannelKind;
import org.heddle.verify.AuditReport.LoadBin;
import org.heddle.verify.AuditReport.LoadSummary;
import org.heddle.verify.AuditReport.PairKind;
import org.junit.jupiter.api.Test;

/** Entries, reachability, loads and hops on a tree small enough to count by hand. */
class AuditTest {
  private static AuditReport audit(Fabric fabric, ForwardingTables tables) {
    return Audit.run(fabric, tables, AuditOptions.defaults());
  }

  private static List<String> codes(AuditReport report) {
    return report.findings().stream().map(AuditFinding::code).toList();
  }

  private static List<String> examples(AuditReport report, AuditCode code) {
    return report.finding(code).orElseThrow().examples();
  }

  // ---- a tree without fault

  /** Leaves L1 (A, B) and L2 (C, D), roots R1 and R2; leaf ports 3 and 4 go up. */
  private static Lab tree() {
    return new Lab()
        .sw("L1", 4, 1)
        .sw("L2", 4, 2)
        .sw("R1", 3, 3)
        .sw("R2", 3, 4)
        .ca("A", 5)
        .ca("B", 6)
        .ca("C", 7)
        .ca("D", 8)
        .cable("L1:1", "A:1")
        .cable("L1:2", "B:1")
        .cable("L2:1", "C:1")
        .cable("L2:2", "D:1")
        .cable("L1:3", "R1:1")
        .cable("L1:4", "R2:1")
        .cable("L2:3", "R1:2")
        .cable("L2:4", "R2:2");
  }

  private static final String[] TREE_TABLES = {
    "1=0 2=3 3=3 4=4 5=1 6=2 7=3 8=4",
    "1=3 2=0 3=3 4=4 5=3 6=4 7=1 8=2",
    "1=1 2=2 3=0 4=1 5=1 6=1 7=2 8=2",
    "1=1 2=2 3=1 4=0 5=1 6=1 7=2 8=2"
  };

  private static final FatTree TREE = new FatTree(2, new int[] {1, 1, 2, 2}, new int[] {0, 1});

  @Test
  void aBalancedTreeIsCleanAndItsNumbersAreThoseOnPaper() {
    Fabric fabric = tree().fabric();
    AuditReport report =
        Audit.run(fabric, Lab.tables(fabric, TREE_TABLES), AuditOptions.defaults().withTree(TREE));

    assertThat(report.findings()).isEmpty();
    assertThat(report.clean()).isTrue();
    assertThat(report.size()).isEqualTo(new AuditReport.Size(4, 4, 0, 4, 4, 4));
    // 4 switches x 8 LIDs
    assertThat(report.entries()).isEqualTo(new AuditReport.Entries(32, 0, 0, 0, 0, 0, 0, 0));
    // 4 CAs x 3 others; 4 switches x 4 CAs; 4 CAs x 4 switches; 4 switches x 3 others
    assertThat(report.reachability())
        .extracting(AuditReport.Reachability::pairs)
        .containsExactly(12L, 16L, 16L, 12L);
    assertThat(report.reachability())
        .extracting(AuditReport.Reachability::unreachable)
        .containsOnly(0L);
    // A-B, B-A, C-D, D-C over one switch, the other 8 over three: (4*1 + 8*3) / 12
    assertThat(report.hops())
        .isEqualTo(new AuditReport.Hops(12, 3, 28.0 / 12, List.of(0L, 4L, 0L, 8L)));
    // every inner channel carries one destination, sent to by the two hosts of the other leaf
    List<LoadBin> one = List.of(new LoadBin(1, 4));
    List<LoadBin> two = List.of(new LoadBin(2, 4));
    assertThat(report.destinationLoad(ChannelKind.UP))
        .contains(new LoadSummary(ChannelKind.UP, 4, 4, 1, 1.0, one));
    assertThat(report.destinationLoad(ChannelKind.DOWN))
        .contains(new LoadSummary(ChannelKind.DOWN, 4, 4, 1, 1.0, one));
    assertThat(report.pairLoad(ChannelKind.UP))
        .contains(new LoadSummary(ChannelKind.UP, 4, 4, 2, 2.0, two));
    assertThat(report.pairLoad(ChannelKind.DOWN))
        .contains(new LoadSummary(ChannelKind.DOWN, 4, 4, 2, 2.0, two));
    assertThat(report.pairLoad(ChannelKind.SWITCH_TO_SWITCH).orElseThrow().channels()).isEqualTo(8);
    // a host sends to 3 LIDs; its own LID is sent to by 3 hosts
    List<LoadBin> three = List.of(new LoadBin(3, 4));
    assertThat(report.destinationLoad(ChannelKind.CA_TO_SWITCH))
        .contains(new LoadSummary(ChannelKind.CA_TO_SWITCH, 4, 4, 3, 3.0, three));
    assertThat(report.destinationLoad(ChannelKind.SWITCH_TO_CA))
        .contains(new LoadSummary(ChannelKind.SWITCH_TO_CA, 4, 4, 1, 1.0, one));
    assertThat(report.pairLoad(ChannelKind.SWITCH_TO_CA))
        .contains(new LoadSummary(ChannelKind.SWITCH_TO_CA, 4, 4, 3, 3.0, three));
    assertThat(report.upDown()).contains(new AuditReport.UpDown(12, 0, 0, 0));
    assertThat(report.links()).isEqualTo(new AuditReport.LinkUse(4, 0, 0));
    // L1:3->R1:2 (C), L1:4->R2:2 (D), L2:3->R1:1 (A), L2:4->R2:1 (B)
    assertThat(report.creditLoops().dependencies()).isEqualTo(4);
    // and root to root through L1: R1:1->L1:4, R2:1->L1:3
    assertThat(report.creditLoopsWithSwitches().dependencies()).isEqualTo(6);
    assertThat(report.creditLoopsWithSwitches().cyclic()).isZero();
  }

  @Test
  void withoutATreeThereIsNoDirection() {
    Fabric fabric = tree().fabric();
    AuditReport report = audit(fabric, Lab.tables(fabric, TREE_TABLES));
    assertThat(report.upDown()).isEmpty();
    assertThat(report.destinationLoad(ChannelKind.UP)).isEmpty();
    assertThat(report.destinationLoad(ChannelKind.SWITCH_TO_SWITCH).orElseThrow().max())
        .isEqualTo(1);
  }

  @Test
  void theLoadOfASingleChannelCanBeAskedFor() {
    Fabric fabric = tree().fabric();
    // everything from L1 to L2 through R1: destinations C and D, sources A and B
    ForwardingTables tables = Lab.tables(fabric, TREE_TABLES).with(0, 8, 3);
    ChannelLoad load = audit(fabric, tables).channels();
    assertThat(load.destinations(Lab.port(fabric, "L1:3"))).isEqualTo(2);
    assertThat(load.pairs(Lab.port(fabric, "L1:3"))).isEqualTo(4);
    assertThat(load.destinations(Lab.port(fabric, "L1:4"))).isZero();
    assertThat(load.pairs(Lab.port(fabric, "R1:2"))).isEqualTo(4);
    assertThat(load.pairs(Lab.port(fabric, "A:1"))).isEqualTo(3);
  }

  @Test
  void unusedAndHalfUsedLinksAreNamed() {
    Fabric fabric = tree().fabric();
    // as above: L1-R2 then carries B downwards only, L2-R2 B upwards only
    ForwardingTables tables = Lab.tables(fabric, TREE_TABLES).with(0, 8, 3);
    AuditReport report = audit(fabric, tables);
    assertThat(report.links()).isEqualTo(new AuditReport.LinkUse(4, 0, 2));
    assertThat(examples(report, AuditCode.HALF_USED_LINK))
        .containsExactly(
            "'L1' (0x0000000000000010) port 4 -> 'R2' (0x0000000000000013) port 1",
            "'R2' (0x0000000000000013) port 2 -> 'L2' (0x0000000000000011) port 4");
    // with B through R1 too nothing uses R2
    report = audit(fabric, tables.with(1, 6, 3));
    assertThat(report.links()).isEqualTo(new AuditReport.LinkUse(4, 2, 0));
    assertThat(report.finding(AuditCode.UNUSED_LINK).orElseThrow().count()).isEqualTo(2);
    assertThat(report.clean()).isTrue();
  }

  // ---- entries that cannot be right

  @Test
  void aPortTheSwitchDoesNotHaveIsAnError() {
    Fabric fabric = tree().fabric();
    AuditReport report = audit(fabric, Lab.tables(fabric, TREE_TABLES).with(0, 8, 5));
    assertThat(report.entries().portOutOfRange()).isEqualTo(1);
    assertThat(examples(report, AuditCode.PORT_OUT_OF_RANGE))
        .containsExactly(
            "'L1' (0x0000000000000010) sends LID 8 of 'D' (0x0000000000000017) port 1 to port 5,"
                + " but its ports are 1 to 4");
    // D lost from A and B; from L1 and, on its table, from nowhere else
    assertThat(report.reachability(PairKind.CA_TO_CA))
        .isEqualTo(new AuditReport.Reachability(PairKind.CA_TO_CA, 12, 2, 0, 2, 0));
    assertThat(report.reachability(PairKind.SWITCH_TO_CA).unreachable()).isEqualTo(1);
    assertThat(report.clean()).isFalse();
    assertThat(report.errors()).isEqualTo(2);
    assertThat(report.warnings()).isEqualTo(1);
  }

  @Test
  void aPortWithoutCableIsAnError() {
    Fabric fabric = tree().fabric();
    AuditReport report = audit(fabric, Lab.tables(fabric, TREE_TABLES).with(3, 8, 3));
    assertThat(examples(report, AuditCode.DANGLING_PORT))
        .containsExactly(
            "'R2' (0x0000000000000013) sends LID 8 of 'D' (0x0000000000000017) port 1 to port 3,"
                + " which has no cable");
    assertThat(examples(report, AuditCode.UNREACHABLE_CA_CA))
        .containsExactly(
            "'A' (0x0000000000000014) port 1 to LID 8 of 'D' (0x0000000000000017) port 1:"
                + " port without cable at 'R2' (0x0000000000000013)",
            "'B' (0x0000000000000015) port 1 to LID 8 of 'D' (0x0000000000000017) port 1:"
                + " port without cable at 'R2' (0x0000000000000013)");
  }

  @Test
  void portZeroForAForeignLidIsAnError() {
    Fabric fabric = tree().fabric();
    AuditReport report = audit(fabric, Lab.tables(fabric, TREE_TABLES).with(2, 7, 0));
    assertThat(report.entries().portZero()).isEqualTo(1);
    assertThat(examples(report, AuditCode.PORT_ZERO).getFirst())
        .endsWith("its own management port");
  }

  @Test
  void aSwitchThatDoesNotKeepItsOwnLidIsAnError() {
    Fabric fabric = tree().fabric();
    AuditReport report = audit(fabric, Lab.tables(fabric, TREE_TABLES).with(2, 3, 255));
    assertThat(examples(report, AuditCode.OWN_LID))
        .containsExactly("'R1' (0x0000000000000012) has no entry for its own LID 3");
    assertThat(report.entries().missing()).isZero();
    // nobody reaches R1: 4 CAs, 3 other switches
    assertThat(report.reachability(PairKind.CA_TO_SWITCH).missingEntry()).isEqualTo(4);
    assertThat(report.reachability(PairKind.SWITCH_TO_SWITCH).missingEntry()).isEqualTo(3);
  }

  @Test
  void anOwnLidSentAwayComesBackInACircle() {
    Fabric fabric = tree().fabric();
    AuditReport report = audit(fabric, Lab.tables(fabric, TREE_TABLES).with(2, 3, 1));
    assertThat(report.entries().ownLid()).isEqualTo(1);
    assertThat(report.loopCount()).isEqualTo(1);
    assertThat(report.loops().getFirst().path())
        .isEqualTo(
            "'L1' (0x0000000000000010) port 3 -> 'R1' (0x0000000000000012) port 1 ->"
                + " 'L1' (0x0000000000000010)");
  }

  @Test
  void anEntryThatLeadsToAnotherHostIsAnError() {
    Fabric fabric = tree().fabric();
    AuditReport report = audit(fabric, Lab.tables(fabric, TREE_TABLES).with(1, 8, 1));
    assertThat(examples(report, AuditCode.WRONG_HOST).getFirst())
        .endsWith("which leads to 'C' (0x0000000000000016) port 1");
    // D is lost for A, B and C
    assertThat(report.reachability(PairKind.CA_TO_CA).badEntry()).isEqualTo(3);
  }

  @Test
  void missingEntriesBetweenSwitchesAreAWarningOnly() {
    Fabric fabric = tree().fabric();
    AuditReport report =
        audit(fabric, Lab.tables(fabric, TREE_TABLES).with(2, 4, 255).with(3, 3, 255));
    assertThat(codes(report)).containsExactly("unreachable-switch-switch");
    assertThat(report.clean()).isTrue();
    assertThat(report.warnings()).isEqualTo(1);
    assertThat(report.entries().missing()).isEqualTo(2);
  }

  @Test
  void tablesThatEndEarlyLackTheirLastEntries() {
    Fabric fabric = tree().fabric();
    ForwardingTables whole = Lab.tables(fabric, TREE_TABLES);
    byte[][] rows = new byte[4][8];
    for (int s = 0; s < 4; s++) {
      whole.copy(s, 0, rows[s], 0, 8);
    }
    AuditReport report = audit(fabric, ForwardingTables.ofRows(rows, 7));
    // LID 8 on four switches
    assertThat(report.entries().missing()).isEqualTo(4);
    assertThat(report.reachability(PairKind.CA_TO_CA).missingEntry()).isEqualTo(3);
  }

  @Test
  void entriesForLidsNobodyOwnsAreOnlyMentioned() {
    Fabric fabric = tree().fabric();
    byte[][] rows = new byte[4][200];
    ForwardingTables whole = Lab.tables(fabric, TREE_TABLES);
    for (int s = 0; s < 4; s++) {
      Arrays.fill(rows[s], (byte) 255);
      whole.copy(s, 0, rows[s], 0, 9);
    }
    rows[3][199] = 1;
    AuditReport report = audit(fabric, ForwardingTables.ofRows(rows, 199));
    assertThat(codes(report)).containsExactly("stale-entry");
    assertThat(report.entries().stale()).isEqualTo(1);
    assertThat(report.warnings()).isZero();
  }

  // ---- options

  @Test
  void examplesAreLimitedAndTheFirstOnesAreKept() {
    Fabric fabric = tree().fabric();
    ForwardingTables none = ForwardingTables.empty(4, 8);
    AuditReport all = Audit.run(fabric, none, AuditOptions.defaults().withExamples(1000));
    AuditReport two = Audit.run(fabric, none, AuditOptions.defaults().withExamples(2));
    AuditReport zero = Audit.run(fabric, none, AuditOptions.defaults().withExamples(0));
    // 4 x 3 pairs of CAs, all lost
    List<String> lost = examples(all, AuditCode.UNREACHABLE_CA_CA);
    assertThat(lost).hasSize(12);
    assertThat(examples(two, AuditCode.UNREACHABLE_CA_CA)).isEqualTo(lost.subList(0, 2));
    assertThat(zero.findings()).allSatisfy(f -> assertThat(f.examples()).isEmpty());
    assertThat(codes(zero)).isEqualTo(codes(all));
  }

  @Test
  void progressRisesToTheNumberOfLids() {
    byte[][] rows = new byte[4][1000];
    for (byte[] row : rows) {
      Arrays.fill(row, (byte) 255);
    }
    List<Integer> seen = new ArrayList<>();
    AuditProgress progress =
        (done, total) -> {
          assertThat(total).isEqualTo(999);
          seen.add(done);
        };
    AuditOptions options = AuditOptions.defaults().withThreads(3).withProgress(progress);
    Audit.run(tree().fabric(), ForwardingTables.ofRows(rows, 999), options);
    assertThat(seen).isSorted().hasSize(16).last().isEqualTo(999);
  }

  @Test
  void aListenerThatFailsStopsTheAudit() {
    Fabric fabric = tree().fabric();
    AuditOptions options =
        AuditOptions.defaults()
            .withProgress(
                (done, total) -> {
                  throw new IllegalStateException("no terminal");
                });
    assertThatThrownBy(() -> Audit.run(fabric, Lab.tables(fabric, TREE_TABLES), options))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("no terminal");
  }

  @Test
  void tablesOfAnotherFabricAreAMistakeOfTheCaller() {
    Fabric fabric = tree().fabric();
    assertThatThrownBy(() -> audit(fabric, ForwardingTables.empty(3, 8)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("tables of 3 switches, fabric of 4 switches");
    assertThatThrownBy(() -> AuditOptions.defaults().withThreads(0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
