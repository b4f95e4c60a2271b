package org.heddle.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;
import org.heddle.verify.AuditReport.ChannelKind;
import org.heddle.verify.AuditReport.LoadBin;
import org.heddle.verify.AuditReport.LoadSummary;
import org.heddle.verify.AuditReport.PairKind;
import org.junit.jupiter.api.Test;

/** Endports of every kind, and fabrics in several pieces, small enough to count by hand. */
class AuditEndportTest {
  private static AuditReport audit(Fabric fabric, ForwardingTables tables) {
    return Audit.run(fabric, tables, AuditOptions.defaults());
  }

  private static List<String> codes(AuditReport report) {
    return report.findings().stream().map(AuditFinding::code).toList();
  }

  private static List<String> examples(AuditReport report, AuditCode code) {
    return report.finding(code).orElseThrow().examples();
  }

  @Test
  void eachPortOfATwoPortAdapterIsAnEndportOfItsOwn() {
    Fabric fabric =
        new Lab()
            .sw("S1", 3, 1)
            .sw("S2", 3, 2)
            .ca("X", 3, 4)
            .ca("Y", 5)
            .cable("S1:1", "S2:1")
            .cable("S1:2", "X:1")
            .cable("S2:2", "X:2")
            .cable("S1:3", "Y:1")
            .fabric();
    ForwardingTables tables = Lab.tables(fabric, "1=0 2=1 3=2 4=1 5=3", "1=1 2=0 3=1 4=2 5=1");
    AuditReport report = audit(fabric, tables);
    assertThat(report.findings()).isEmpty();
    assertThat(report.size().caEndports()).isEqualTo(3);
    // X1->X2, X1->Y, X2->X1, X2->Y, Y->X1, Y->X2
    assertThat(report.reachability(PairKind.CA_TO_CA).pairs()).isEqualTo(6);
    // S1->S2 carries LID 4 for X1 and Y; S2->S1 carries LIDs 3 and 5 for X2
    assertThat(report.channels().pairs(Lab.port(fabric, "S1:1"))).isEqualTo(2);
    assertThat(report.channels().destinations(Lab.port(fabric, "S2:1"))).isEqualTo(2);
    // X1<->Y over one switch, the other four over two
    assertThat(report.hops().histogram()).containsExactly(0L, 2L, 4L);

    // port 2 of X does not answer for port 1
    AuditReport wrong = audit(fabric, tables.with(1, 3, 2));
    assertThat(examples(wrong, AuditCode.WRONG_HOST).getFirst())
        .endsWith("which leads to 'X' (0x0000000000000012) port 2");
  }

  @Test
  void everyLidOfALidMaskRangeIsADestination() {
    Fabric fabric =
        new Lab()
            .sw("S1", 2, 1)
            .sw("S2", 2, 2)
            .caWithLmc("X", 1, 4)
            .caWithLmc("Y", 1, 6)
            .cable("S1:1", "S2:1")
            .cable("S1:2", "X:1")
            .cable("S2:2", "Y:1")
            .fabric();
    ForwardingTables tables =
        Lab.tables(fabric, "1=0 2=1 4=2 5=2 6=1 7=1", "1=1 2=0 4=1 5=1 6=2 7=2");
    AuditReport report = audit(fabric, tables);
    assertThat(report.findings()).isEmpty();
    assertThat(report.size().caLids()).isEqualTo(4);
    // X to 6 and 7, Y to 4 and 5
    assertThat(report.reachability(PairKind.CA_TO_CA).pairs()).isEqualTo(4);
    assertThat(report.channels().destinations(Lab.port(fabric, "S1:1"))).isEqualTo(2);
    // X does not send to its own two LIDs
    assertThat(report.channels().destinations(Lab.port(fabric, "X:1"))).isEqualTo(2);
    AuditReport broken = audit(fabric, tables.with(0, 7, 255));
    assertThat(broken.reachability(PairKind.CA_TO_CA).missingEntry()).isEqualTo(1);
  }

  @Test
  void parallelLinksAreChannelsOfTheirOwn() {
    Fabric fabric =
        new Lab()
            .sw("S1", 3, 1)
            .sw("S2", 4, 2)
            .ca("A", 3)
            .ca("B", 4)
            .ca("C", 5)
            .cable("S1:1", "S2:1")
            .cable("S1:2", "S2:2")
            .cable("S1:3", "A:1")
            .cable("S2:3", "B:1")
            .cable("S2:4", "C:1")
            .fabric();
    AuditReport report =
        audit(fabric, Lab.tables(fabric, "1=0 2=1 3=3 4=1 5=2", "1=1 2=0 3=2 4=3 5=4"));
    // S1:1 carries B, S1:2 carries C, S2:2 carries A from B and C, S2:1 nothing
    LoadSummary load = report.pairLoad(ChannelKind.SWITCH_TO_SWITCH).orElseThrow();
    assertThat(load.histogram())
        .containsExactly(new LoadBin(0, 1), new LoadBin(1, 2), new LoadBin(2, 1));
    assertThat(load.mean()).isEqualTo(1.0);
    assertThat(codes(report)).containsExactly("half-used-link");
  }

  @Test
  void routersAreEndportsLikeAdapters() {
    Fabric fabric =
        new Lab()
            .sw("S", 2, 1)
            .ca("A", 2)
            .router("R", 3)
            .cable("S:1", "A:1")
            .cable("S:2", "R:1")
            .fabric();
    AuditReport report = audit(fabric, Lab.tables(fabric, "1=0 2=1"));
    assertThat(report.size()).isEqualTo(new AuditReport.Size(1, 1, 1, 2, 2, 1));
    assertThat(report.reachability(PairKind.CA_TO_CA))
        .isEqualTo(new AuditReport.Reachability(PairKind.CA_TO_CA, 2, 1, 1, 0, 0));
  }

  @Test
  void twoAdaptersCabledToEachOtherNeedNoTable() {
    Fabric fabric = new Lab().ca("A", 1).ca("B", 2).cable("A:1", "B:1").fabric();
    AuditReport report = audit(fabric, ForwardingTables.empty(0, 2));
    assertThat(report.findings()).isEmpty();
    assertThat(report.hops()).isEqualTo(new AuditReport.Hops(2, 0, 0.0, List.of(2L)));
    assertThat(report.channels().pairs(Lab.port(fabric, "A:1"))).isEqualTo(1);
    assertThat(report.components()).hasSize(1);
  }

  @Test
  void portsWithoutCableAreNoEndportsAndLinkedOnesWithoutLidAreReported() {
    Fabric fabric =
        new Lab()
            .sw("S", 3, 1)
            .ca("A", 2, 9)
            .ca("B", 0)
            .cable("S:1", "A:1")
            .cable("S:2", "B:1")
            .fabric();
    AuditReport report = audit(fabric, Lab.tables(fabric, "1=0 2=1"));
    assertThat(report.size().caEndports()).isEqualTo(1);
    assertThat(codes(report)).containsExactly("endport-without-lid");
    assertThat(examples(report, AuditCode.ENDPORT_WITHOUT_LID))
        .containsExactly("'B' (0x0000000000000012) port 1");
  }

  @Test
  void aFabricWithNothingInItIsClean() {
    AuditReport report = audit(new Lab().fabric(), ForwardingTables.empty(0, 0));
    assertThat(report.clean()).isTrue();
    assertThat(report.hops().routes()).isZero();
  }

  @Test
  void planesDoNotReachEachOtherAndNeedNot() {
    Fabric fabric =
        new Lab()
            .sw("P1", 2, 1)
            .sw("P2", 2, 2)
            .ca("X", 3, 4)
            .ca("Y", 5, 6)
            .cable("P1:1", "X:1")
            .cable("P2:1", "X:2")
            .cable("P1:2", "Y:1")
            .cable("P2:2", "Y:2")
            .fabric();
    AuditReport report = audit(fabric, Lab.tables(fabric, "1=0 3=1 5=2", "2=0 4=1 6=2"));
    assertThat(codes(report)).containsExactly("several-components");
    assertThat(report.components())
        .containsExactly(
            new AuditReport.Component(1, 2, "'P1' (0x0000000000000010)"),
            new AuditReport.Component(1, 2, "'P2' (0x0000000000000011)"));
    // two pairs in each plane
    assertThat(report.reachability(PairKind.CA_TO_CA).pairs()).isEqualTo(4);
    assertThat(report.reachability(PairKind.SWITCH_TO_SWITCH).pairs()).isZero();
  }

  @Test
  void aFabricInTwoHalvesIsAWarning() {
    Fabric fabric =
        new Lab()
            .sw("S1", 2, 1)
            .sw("S2", 2, 2)
            .ca("X", 3)
            .ca("Y", 4)
            .ca("Z", 5)
            .cable("S1:1", "X:1")
            .cable("S2:1", "Y:1")
            .cable("S2:2", "Z:1")
            .fabric();
    AuditReport report = audit(fabric, Lab.tables(fabric, "1=0 3=1", "2=0 4=1 5=2"));
    // X has nothing in common with Y and Z
    AuditFinding split = report.finding(AuditCode.SPLIT_FABRIC).orElseThrow();
    assertThat(split.count()).isEqualTo(2);
    assertThat(split.severity()).isEqualTo(Severity.WARNING);
  }
}
