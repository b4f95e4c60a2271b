package org.heddle.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;
import org.heddle.topology.FatTree;
import org.heddle.verify.AuditReport.ChannelKind;
import org.heddle.verify.AuditReport.PairKind;
import org.junit.jupiter.api.Test;

/** Forwarding loops, credit loops and turns from down to up. */
class AuditLoopTest {
  private static AuditReport audit(Fabric fabric, ForwardingTables tables) {
    return Audit.run(fabric, tables, AuditOptions.defaults());
  }

  /** Switches S1 .. Sn in a ring (port 1 to the next, port 2 to the one before), a host on each. */
  private static Fabric ring(int n, boolean hosts) {
    Lab lab = new Lab();
    for (int i = 1; i <= n; i++) {
      lab.sw("S" + i, 3, i);
    }
    for (int i = 1; i <= n; i++) {
      lab.cable("S" + i + ":1", "S" + (i % n + 1) + ":2");
      if (hosts) {
        lab.ca("H" + i, n + i).cable("S" + i + ":3", "H" + i + ":1");
      }
    }
    return lab.fabric();
  }

  @Test
  void aRingRoutedOneWayRoundCanDeadlock() {
    Fabric fabric = ring(3, true);
    AuditReport report =
        audit(
            fabric,
            Lab.tables(
                fabric,
                "1=0 2=1 3=1 4=3 5=1 6=1",
                "1=1 2=0 3=1 4=1 5=3 6=1",
                "1=1 2=1 3=0 4=1 5=1 6=3"));
    // H1 to H3 takes S1:1 then S2:1; H2 to H1 S2:1 then S3:1; H3 to H2 S3:1 then S1:1
    String path =
        "'S1' (0x0000000000000010) port 1 -> 'S2' (0x0000000000000011) port 1 ->"
            + " 'S3' (0x0000000000000012) port 1 -> 'S1' (0x0000000000000010)";
    assertThat(report.creditLoops())
        .isEqualTo(new AuditReport.CreditLoops(6, 3, 1, 3, 3, true, path));
    AuditFinding finding = report.finding(AuditCode.CREDIT_LOOP).orElseThrow();
    assertThat(finding.severity()).isEqualTo(Severity.ERROR);
    assertThat(finding.message())
        .isEqualTo(
            "The routes between channel adapters can deadlock: 1 set of channels waits in a"
                + " circle, the largest of 3 channels.");
    assertThat(finding.examples()).containsExactly(path);
    assertThat(report.loopCount()).isZero();
    assertThat(report.reachability(PairKind.CA_TO_CA).unreachable()).isZero();
  }

  @Test
  void aRingOfFourWithShortestPathsCanDeadlockInOneDirectionOnly() {
    Fabric fabric = ring(4, true);
    // to the next and the one opposite by port 1, to the one before by port 2
    AuditReport report =
        audit(
            fabric,
            Lab.tables(
                fabric,
                "1=0 2=1 3=1 4=2 5=3 6=1 7=1 8=2",
                "1=2 2=0 3=1 4=1 5=2 6=3 7=1 8=1",
                "1=1 2=2 3=0 4=1 5=1 6=2 7=3 8=1",
                "1=1 2=1 3=2 4=0 5=1 6=1 7=2 8=3"));
    // only routes to the opposite host take two channels: S1:1->S2:1, S2:1->S3:1, ...
    assertThat(report.creditLoops().dependencies()).isEqualTo(4);
    assertThat(report.creditLoops().cyclic()).isEqualTo(1);
    assertThat(report.creditLoops().cycleLength()).isEqualTo(4);
    assertThat(report.creditLoops().largest()).isEqualTo(4);
  }

  @Test
  void aRingWithOneLinkLeftOutCannot() {
    Fabric fabric = ring(3, true);
    AuditReport report =
        audit(
            fabric,
            Lab.tables(
                fabric,
                "1=0 2=1 3=1 4=3 5=1 6=1",
                "1=2 2=0 3=1 4=2 5=3 6=1",
                "1=2 2=2 3=0 4=2 5=2 6=3"));
    assertThat(report.creditLoops().cyclic()).isZero();
    assertThat(report.creditLoopsWithSwitches().cyclic()).isZero();
    assertThat(report.finding(AuditCode.UNUSED_LINK).orElseThrow().examples())
        .containsExactly("'S1' (0x0000000000000010) port 2 -> 'S3' (0x0000000000000012) port 1");
  }

  @Test
  void aCircleThatOnlySwitchesCloseIsAWarning() {
    Fabric fabric = ring(3, false);
    AuditReport report =
        audit(fabric, Lab.tables(fabric, "1=0 2=1 3=1", "1=1 2=0 3=1", "1=1 2=1 3=0"));
    assertThat(report.creditLoops().cyclic()).isZero();
    assertThat(report.creditLoopsWithSwitches().cyclic()).isEqualTo(1);
    assertThat(report.finding(AuditCode.CREDIT_LOOP)).isEmpty();
    assertThat(report.finding(AuditCode.CREDIT_LOOP_SWITCHES).orElseThrow().severity())
        .isEqualTo(Severity.WARNING);
    assertThat(report.clean()).isTrue();
  }

  @Test
  void aSpentBudgetStillGivesACycleButDoesNotCallItTheShortest() {
    Fabric fabric = ring(3, false);
    Network net = new Network(fabric, Optional.empty());
    ForwardingTables tables = Lab.tables(fabric, "1=0 2=1 3=1", "1=1 2=0 3=1", "1=1 2=1 3=0");
    Sweep sweep = new Sweep(net, tables, 0);
    sweep.block(0);
    var loops = new ChannelGraph(net, sweep.dependencies, Dependencies.ALL, 0).result();
    assertThat(loops.cycleLength()).isEqualTo(3);
    assertThat(loops.shortest()).isFalse();
  }

  @Test
  void aForwardingLoopIsPrintedAndItsChannelsCanDeadlock() {
    Fabric fabric = ring(3, true);
    // H3 (LID 6): S1 -> S2 -> S1, S3 delivers; LID 3 likewise
    AuditReport report =
        audit(
            fabric,
            Lab.tables(
                fabric,
                "1=0 2=1 3=1 4=3 5=1 6=1",
                "1=2 2=0 3=2 4=2 5=3 6=2",
                "1=2 2=2 3=0 4=2 5=2 6=3"));
    String path =
        "'S1' (0x0000000000000010) port 1 -> 'S2' (0x0000000000000011) port 2 ->"
            + " 'S1' (0x0000000000000010)";
    assertThat(report.loopCount()).isEqualTo(2);
    assertThat(report.loops()).containsExactly(new AuditReport.ForwardingLoop(3, 2, 2, path));
    AuditFinding finding = report.finding(AuditCode.FORWARDING_LOOP).orElseThrow();
    assertThat(finding.severity()).isEqualTo(Severity.ERROR);
    assertThat(finding.examples()).containsExactly("LID 3: " + path);
    // H1 and H2 do not reach H3
    assertThat(report.reachability(PairKind.CA_TO_CA).loop()).isEqualTo(2);
    // S1:1 -> S2:2 -> S1:1
    assertThat(report.creditLoops().cycleLength()).isEqualTo(2);
    // routes that do not arrive are no load: S1:1 carries LID 5 from H1 only
    assertThat(report.channels().pairs(Lab.port(fabric, "S1:1"))).isEqualTo(1);
  }

  @Test
  void aCableBackIntoTheSameSwitchIsALoopOfOneSwitch() {
    Fabric fabric =
        new Lab()
            .sw("S", 4, 1)
            .ca("A", 2)
            .ca("B", 3)
            .cable("S:1", "A:1")
            .cable("S:2", "B:1")
            .cable("S:3", "S:4")
            .fabric();
    AuditReport report = audit(fabric, Lab.tables(fabric, "1=0 2=1 3=3"));
    assertThat(report.loops())
        .containsExactly(
            new AuditReport.ForwardingLoop(
                3, 1, 1, "'S' (0x0000000000000010) port 3 -> 'S' (0x0000000000000010)"));
    assertThat(report.creditLoops().cycleLength()).isEqualTo(1);
    // the cable is one link, unused by routes that arrive
    assertThat(report.links()).isEqualTo(new AuditReport.LinkUse(1, 1, 0));
  }

  @Test
  void circlesBeyondTheLimitAreCountedButNotKept() {
    // 40 cables between S1 and S2 give 1,600 different circles of two
    Lab lab = new Lab().sw("S1", 54, 0).sw("S2", 40, 0);
    for (int i = 1; i <= 40; i++) {
      lab.cable("S1:" + i, "S2:" + i);
    }
    for (int h = 0; h < 13; h++) {
      lab.caWithLmc("H" + h, 7, 1792 + 128 * h).cable("S1:" + (41 + h), "H" + h + ":1");
    }
    Fabric fabric = lab.fabric();
    byte[][] rows = new byte[2][fabric.topLid() + 1];
    for (int lid = 1792; lid <= fabric.topLid(); lid++) {
      rows[0][lid] = (byte) (1 + (lid - 1792) % 40);
      rows[1][lid] = (byte) (1 + (lid - 1792) / 40 % 40);
    }
    ForwardingTables tables = ForwardingTables.ofRows(rows, fabric.topLid());
    AuditReport one = Audit.run(fabric, tables, AuditOptions.defaults().withThreads(1));
    // the first of two workers sees no circle and the second all; of four, two see some
    AuditReport two = Audit.run(fabric, tables, AuditOptions.defaults().withThreads(2));
    AuditReport four = Audit.run(fabric, tables, AuditOptions.defaults().withThreads(4));
    // 13 hosts x 128 LIDs
    assertThat(one.loopCount()).isEqualTo(1664);
    assertThat(one.loops()).hasSize(Audit.MAX_LOOPS).allSatisfy(l -> assertThat(l.lids()).isZero());
    assertThat(one.loops().getLast().lid()).isEqualTo(1792 + Audit.MAX_LOOPS - 1);
    assertThat(two).isEqualTo(one);
    assertThat(four).isEqualTo(one);
  }

  // ---- up and down

  @Test
  void hostsOnUpperSwitchesMakeRoutesTurnFromDownToUp() {
    // leaf L with host A, roots R1 and R2 with hosts X and Y
    Fabric fabric =
        new Lab()
            .sw("L", 3, 1)
            .sw("R1", 2, 2)
            .sw("R2", 2, 3)
            .ca("A", 4)
            .ca("X", 5)
            .ca("Y", 6)
            .cable("L:1", "A:1")
            .cable("L:2", "R1:1")
            .cable("L:3", "R2:1")
            .cable("R1:2", "X:1")
            .cable("R2:2", "Y:1")
            .fabric();
    FatTree tree = new FatTree(2, new int[] {1, 2, 2}, new int[] {0});
    ForwardingTables tables =
        Lab.tables(
            fabric,
            "1=0 2=2 3=3 4=1 5=2 6=3",
            "1=1 2=0 3=1 4=1 5=2 6=1",
            "1=1 2=1 3=0 4=1 5=1 6=2");
    AuditReport report = Audit.run(fabric, tables, AuditOptions.defaults().withTree(tree));
    // X to Y and Y to X turn at L; A's four routes do not
    assertThat(report.upDown()).contains(new AuditReport.UpDown(6, 2, 0, 2));
    AuditFinding finding = report.finding(AuditCode.DOWN_UP_ROUTE).orElseThrow();
    assertThat(finding.count()).isEqualTo(2);
    assertThat(finding.severity()).isEqualTo(Severity.WARNING);
    assertThat(finding.examples().getFirst())
        .isEqualTo(
            "LID 5: 'Y' (0x0000000000000015) port 1 -> 'R2' (0x0000000000000012) port 1 ->"
                + " 'L' (0x0000000000000010) port 2 -> 'R1' (0x0000000000000011) port 2 ->"
                + " 'X' (0x0000000000000014)");
    assertThat(report.creditLoops().cyclic()).isZero();
    assertThat(report.clean()).isTrue();
  }

  @Test
  void routesAlongALevelAreNeitherUpNorDown() {
    // two leaves cabled to each other
    Fabric fabric =
        new Lab()
            .sw("L1", 2, 1)
            .sw("L2", 2, 2)
            .ca("A", 3)
            .ca("B", 4)
            .cable("L1:1", "A:1")
            .cable("L2:1", "B:1")
            .cable("L1:2", "L2:2")
            .fabric();
    FatTree tree = new FatTree(1, new int[] {1, 1}, new int[] {0, 1});
    ForwardingTables tables = Lab.tables(fabric, "1=0 2=2 3=1 4=2", "1=2 2=0 3=2 4=1");
    AuditReport report = Audit.run(fabric, tables, AuditOptions.defaults().withTree(tree));
    assertThat(report.upDown()).contains(new AuditReport.UpDown(2, 0, 2, 0));
    assertThat(report.finding(AuditCode.SAME_LEVEL_ROUTE).orElseThrow().count()).isEqualTo(2);
    assertThat(report.destinationLoad(ChannelKind.UP)).isEmpty();
  }
}
