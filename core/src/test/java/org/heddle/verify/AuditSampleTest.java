package org.heddle.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.heddle.verify.AuditReport.ChannelKind;
import org.heddle.verify.AuditReport.LoadBin;
import org.heddle.verify.AuditReport.PairKind;
import org.junit.jupiter.api.Test;

/**
 * Tables that OpenSM wrote: x324 is XGFT(2;18,18;1,18), x512 is XGFT(3;8,8,8;1,8,8). The numbers
 * are known from OpenSM itself and from ORCS.
 */
class AuditSampleTest {
  private static AuditReport audit(String name) {
    OpenSmSample sample = OpenSmSample.read(name);
    return Audit.run(sample.fabric(), sample.tables(), AuditOptions.defaults());
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
  void ftreeOf324HostsLeaves306SwitchLidsUnrouted() {
    AuditReport report = audit("x324-ftree");
    assertHostsAreServed(report);
    // 18 roots, each without entry for the 17 others
    assertThat(report.entries().missing()).isEqualTo(306);
    assertThat(unreachable(report, PairKind.SWITCH_TO_SWITCH)).isEqualTo(306);
    AuditFinding finding = report.finding(AuditCode.UNREACHABLE_SWITCH_SWITCH).orElseThrow();
    assertThat(finding.count()).isEqualTo(306);
    assertThat(finding.examples().getFirst())
        .isEqualTo(
            "'S2_0_1' (0x0000000000200013) to LID 46 of 'S2_0_0' (0x0000000000200012):"
                + " no entry at 'S2_0_1' (0x0000000000200013)");
  }

  @Test
  void ftreeOf512HostsLeaves14784SwitchLidsUnrouted() {
    AuditReport report = audit("x512-ftree");
    assertHostsAreServed(report);
    assertThat(report.entries().missing()).isEqualTo(14_784);
    assertThat(report.finding(AuditCode.UNREACHABLE_SWITCH_SWITCH).orElseThrow().count())
        .isEqualTo(14_784);
    assertThat(report.creditLoopsWithSwitches().cyclic()).isZero();
  }

  @Test
  void minhopOf512HostsHasOneCreditLoopOnceSwitchesSend() {
    AuditReport report = audit("x512-minhop");
    assertHostsAreServed(report);
    assertThat(report.entries().missing()).isZero();
    assertThat(report.creditLoopsWithSwitches().cyclic()).isEqualTo(1);
    assertThat(report.creditLoopsWithSwitches().cycle()).contains(" -> ");
    assertThat(report.finding(AuditCode.CREDIT_LOOP_SWITCHES).orElseThrow().count()).isEqualTo(1);
    assertThat(report.warnings()).isEqualTo(1);
  }

  @Test
  void everyInnerChannelOf324HostsCarries306PairsAsOrcsCounts() {
    for (String name : List.of("x324-ftree", "x324-minhop")) {
      AuditReport report = audit(name);
      assertHostsAreServed(report);
      // 18 leaves x 18 hosts x 306 hosts elsewhere, 2 channels each, over 648 channels
      assertThat(report.pairLoad(ChannelKind.SWITCH_TO_SWITCH).orElseThrow().histogram())
          .containsExactly(new LoadBin(306, 648));
      // downwards one destination a channel, upwards 306 others over 18 up ports
      assertThat(report.destinationLoad(ChannelKind.SWITCH_TO_SWITCH).orElseThrow().histogram())
          .containsExactly(new LoadBin(1, 324), new LoadBin(17, 324));
    }
  }
}
