package org.heddle.mad;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Performance management. Expected bytes are written down from the tables in chapter 16. */
class PerformanceMadTest {
  private final PerformanceMad mad = new PerformanceMad().wrap(new byte[256], 0);

  @Test
  void port_counters() {
    mad.toRequest(MadMethod.SET, AttributeId.PORT_COUNTERS);
    PortCounters counters = new PortCounters().wrap(mad);
    counters.portSelect(36);
    counters.select(PortCounter.SYMBOL_ERRORS);
    counters.select(PortCounter.VL15_DROPPED);
    counters.select(PortCounter.TRANSMIT_WAIT);
    int value = 1;
    for (PortCounter counter : PortCounter.values()) {
      counters.value(counter, value++);
    }
    byte[] expected =
        Bytes.of(256, "01 04 01 02 0000 0000", "0000000000000000", "0012 0000 00000000");
    Bytes.with(
        expected,
        64,
        "00 24 0801" // port, bits 11 and 0
            + "0001 02 03 0004 0005 0006 0007 08 09"
            + "01 ab" // CounterSelect2; two of four bits
            + "0000 000c"
            + "0000000d 0000000e 0000000f 00000010 00000011");
    assertThat(mad.buffer()).isEqualTo(expected);
    assertThat(counters.portSelect()).isEqualTo(36);
    value = 1;
    for (PortCounter counter : PortCounter.values()) {
      assertThat(counters.value(counter)).isEqualTo(value++);
    }
    assertThat(counters.selects(PortCounter.VL15_DROPPED)).isTrue();
    assertThat(counters.selects(PortCounter.TRANSMIT_WAIT)).isTrue();
    assertThat(counters.selects(PortCounter.LINK_DOWNED)).isFalse();
  }

  @Test
  void port_counters_show_their_limit_instead_of_more() {
    PortCounters counters = new PortCounters().wrap(mad);
    for (PortCounter counter : PortCounter.values()) {
      counters.value(counter, Long.MAX_VALUE);
      assertThat(counters.value(counter)).isEqualTo((1L << counter.width()) - 1);
    }
  }

  @Test
  void port_counters_extended() {
    PortCountersExtended counters = new PortCountersExtended().wrap(mad);
    counters.portSelect(255);
    counters.counterSelect(0x00ff);
    for (int i = 0; i < PortCountersExtended.COUNTERS; i++) {
      counters.value(i, 0x0102_0304_0506_0700L + i);
    }
    byte[] expected = new byte[256];
    Bytes.with(expected, 64, "00 ff 00ff 00000000");
    for (int i = 0; i < PortCountersExtended.COUNTERS; i++) {
      Bytes.with(expected, 72 + 8 * i, "010203040506070" + i);
    }
    assertThat(mad.buffer()).isEqualTo(expected);
    assertThat(counters.portSelect()).isEqualTo(255);
    assertThat(counters.counterSelect()).isEqualTo(0xff);
    assertThat(counters.value(7)).isEqualTo(0x0102_0304_0506_0707L);
  }

  @Test
  void class_port_info() {
    ClassPortInfo info = new ClassPortInfo().wrap(mad);
    info.versions(1, 1);
    info.capabilityMask(ClassPortInfo.ALL_PORT_SELECT | ClassPortInfo.TRANSMIT_WAIT);
    info.respTimeValue(18);
    assertThat(mad.buffer()).isEqualTo(Bytes.with(new byte[256], 64, "01 01 1100 00000012"));
    assertThat(info.classVersion()).isEqualTo(1);
    assertThat(info.capabilityMask()).isEqualTo(0x1100);
    assertThat(info.respTimeValue()).isEqualTo(18);
  }
}
