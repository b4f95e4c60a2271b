package org.heddle.text.opensm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.heddle.text.Parsed;
import org.heddle.text.Source;
import org.heddle.text.opensm.QosPolicy.Group;
import org.heddle.text.opensm.QosPolicy.Level;
import org.heddle.text.opensm.QosPolicy.Rule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QosPolicyTest {
  private static final QosPolicy POLICY =
      new QosPolicy(
          List.of(new Group("g0101", 0x101)),
          List.of(new Level(QosPolicy.DEFAULT, 0), new Level("sl3", 3)),
          List.of(Rule.ofKey(0x101, "sl3"), Rule.ofGroup("g0101", "sl3")));

  private static Parsed<QosPolicy> read(String text) {
    return QosPolicyReader.read(Source.of("qos-policy.conf", text));
  }

  @Test
  void whatIsWrittenIsReadBack() {
    byte[] text = QosPolicyWriter.write(POLICY);
    assertThat(QosPolicyReader.read(new Source("q", text)).get()).isEqualTo(POLICY);
    assertThat(new String(text, java.nio.charset.StandardCharsets.US_ASCII))
        .startsWith("port-groups\n  port-group\n    name: g0101\n    pkey: 0x0101\n")
        .contains("  qos-match-rule\n    pkey: 0x0101\n    qos-level-name: sl3\n")
        .contains("    source: g0101\n    destination: g0101\n    qos-level-name: sl3\n");
  }

  @Test
  void aPolicyWithoutDefaultLevelIsNotWritten() {
    QosPolicy policy = new QosPolicy(List.of(), List.of(new Level("sl3", 3)), List.of());
    assertThatThrownBy(() -> QosPolicyWriter.write(policy))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("DEFAULT");
  }

  @Test
  void commentsAndBlankLinesDoNotCount() {
    assertThat(
            read("# a\n\nqos-levels # b\n qos-level\n  name: default\n  sl: 0\n end-qos-level\n"
                    + "end-qos-levels\n")
                .get()
                .levels())
        .containsExactly(new Level("default", 0));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "qos-level",
        "qos-levels",
        "qos-levels\nqos-level\nname: DEFAULT\nend-qos-level\nend-qos-levels",
        "qos-levels\nqos-level\nname: DEFAULT\nsl: 16\nend-qos-level\nend-qos-levels",
        "qos-levels\nqos-level\nname: DEFAULT\nname: a\nsl: 1\nend-qos-level\nend-qos-levels",
        "qos-levels\nqos-level\nname: DE FAULT\nsl: 1\nend-qos-level\nend-qos-levels",
        "qos-levels\nqos-level\nname: DEFAULT\nsl: 1\nmtu-limit: 4\nend-qos-level\nend-qos-levels",
        "port-groups\nport-group\nname: a\npkey: 0x8101\nend-port-group\nend-port-groups",
        "qos-levels\nqos-level\nname: DEFAULT\nsl: 1\nend-qos-level\nend-qos-levels\n"
            + "qos-match-rules\nqos-match-rule\npkey: 5\nqos-level-name: x\nend-qos-match-rule\n"
            + "end-qos-match-rules"
      })
  void everythingElseIsAnError(String text) {
    Parsed<QosPolicy> parsed = read(text);
    assertThat(parsed.ok()).isFalse();
    assertThat(parsed.problems()).isNotEmpty();
  }

  @Test
  void anErrorNamesItsLine() {
    assertThat(read("qos-levels\n  qos-lefel\nend-qos-levels\n").problems().getFirst().toString())
        .isEqualTo("qos-policy.conf:2: expected qos-level or end-qos-levels, got 'qos-lefel'");
  }
}
