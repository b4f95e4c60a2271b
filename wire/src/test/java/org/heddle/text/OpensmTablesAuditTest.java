package org.heddle.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.heddle.fabric.Fabric;
import org.heddle.text.lft.BoundTables;
import org.heddle.text.lft.TableFormats;
import org.heddle.verify.Audit;
import org.heddle.verify.AuditCode;
import org.heddle.verify.AuditFinding;
import org.heddle.verify.AuditOptions;
import org.heddle.verify.AuditReport;
import org.heddle.verify.AuditReport.ChannelKind;
import org.heddle.verify.AuditReport.LoadBin;
import org.heddle.verify.AuditReport.PairKind;
import org.junit.jupiter.api.Test;

/** Tables that OpenSM 3.3.23 wrote: x16 is XGFT(2;4,4;1,4), x27 is XGFT(3;3,3,3;1,3,3). */
class OpensmTablesAuditTest {
  private static AuditReport audit(String set) throws IOException {
    Fabric fabric = Fixtures.fabric("opensm/" + set.formatted("ibnetdiscover.txt"));
    Source dump = Fixtures.source("opensm/" + set.formatted("opensm-lfts.dump"));
    BoundTables bound = TableFormats.read(dump, fabric).get();
    return Audit.run(bound.fabric(), bound.tables(), AuditOptions.defaults());
  }

  private static long unreachable(AuditReport report, PairKind kind) {
    return report.reachability(kind).unreachable();
  }

  private static void assertHostsAreServed(AuditReport report) {
    assertThat(unreachable(report, PairKind.CA_TO_CA)).isZero();
    assertThat(unreachable(report, PairKind.SWITCH_TO_CA)).isZero();
    assertThat(unreachable(report, PairKind.CA_TO_SWITCH)).isZero();
    assertThat(report.loopCount()).isZero();
    assertThat(report.creditLoops().cyclic()).isZero();
    assertThat(report.clean()).isTrue();
  }

  @Test
  void ftreeLeavesTheLidsOfRootsUnroutedAtTheOtherRoots() throws IOException {
    AuditReport report = audit("x16-ftree/%s");
    assertHostsAreServed(report);
    // 4 roots, each without entry for the 3 others
    assertThat(report.entries().missing()).isEqualTo(12);
    assertThat(unreachable(report, PairKind.SWITCH_TO_SWITCH)).isEqualTo(12);
    AuditFinding finding = report.finding(AuditCode.UNREACHABLE_SWITCH_SWITCH).orElseThrow();
    assertThat(finding.count()).isEqualTo(12);
    assertThat(finding.examples().getFirst())
        .isEqualTo(
            "'S2_1' (0x0000000000200005) to LID 7 of 'S2_0' (0x0000000000200004):"
                + " no entry at 'S2_1' (0x0000000000200005)");
  }

  @Test
  void ftreeOfThreeLevelsLeavesMoreOfThem() throws IOException {
    AuditReport report = audit("x27-ftree/%s.gz");
    assertHostsAreServed(report);
    assertThat(report.entries().missing()).isEqualTo(234);
    assertThat(report.finding(AuditCode.UNREACHABLE_SWITCH_SWITCH).orElseThrow().count())
        .isEqualTo(234);
    assertThat(report.creditLoopsWithSwitches().cyclic()).isZero();
  }

  @Test
  void minhopHasCreditLoopsOnceSwitchesSend() throws IOException {
    AuditReport report = audit("x27-minhop/%s.gz");
    assertHostsAreServed(report);
    assertThat(report.entries().missing()).isZero();
    assertThat(report.creditLoopsWithSwitches().cyclic()).isEqualTo(1);
    assertThat(report.creditLoopsWithSwitches().cycle()).contains(" -> ");
    assertThat(report.finding(AuditCode.CREDIT_LOOP_SWITCHES).orElseThrow().count()).isEqualTo(1);
    assertThat(report.warnings()).isEqualTo(1);
  }

  @Test
  void everyInnerChannelCarriesTwelvePairs() throws IOException {
    AuditReport report = audit("x16-ftree/%s");
    // 4 leaves x 4 hosts x 12 hosts elsewhere, 2 channels each, over 32 channels
    assertThat(report.pairLoad(ChannelKind.SWITCH_TO_SWITCH).orElseThrow().histogram())
        .containsExactly(new LoadBin(12, 32));
    // downwards one destination a channel, upwards 12 others over 4 up ports
    assertThat(report.destinationLoad(ChannelKind.SWITCH_TO_SWITCH).orElseThrow().histogram())
        .containsExactly(new LoadBin(1, 16), new LoadBin(3, 16));
  }
}
