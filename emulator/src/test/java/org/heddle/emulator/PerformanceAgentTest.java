package org.heddle.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.heddle.mad.AttributeId;
import org.heddle.mad.ClassPortInfo;
import org.heddle.mad.MadMethod;
import org.heddle.mad.PerformanceMad;
import org.heddle.mad.PortCounter;
import org.heddle.mad.PortCounters;
import org.heddle.mad.PortCountersExtended;
import org.heddle.mad.PortInfo;
import org.junit.jupiter.api.Test;

class PerformanceAgentTest {
  private final Subnet subnet = Subnet.up(Subnet.small());
  private final List<Packet> got = new ArrayList<>();
  private final Attachment program = subnet.emulator.attach(subnet.adapterPort(3), got::add);
  private final int port = subnet.adapterPort(12);

  private PerformanceMad ask(int lid, byte[] mad) {
    subnet.emulator.send(program, new Packet(mad, lid));
    assertThat(got.getLast().undelivered).isFalse();
    return new PerformanceMad().wrap(got.getLast().mad, 0);
  }

  private static PerformanceMad request(int method, int attribute) {
    PerformanceMad mad = new PerformanceMad().wrap(new byte[256], 0);
    mad.toRequest(method, attribute);
    return mad;
  }

  private PortCounters counters(int lid, int select) {
    PerformanceMad mad = request(MadMethod.GET, AttributeId.PORT_COUNTERS);
    new PortCounters().wrap(mad).portSelect(select);
    return new PortCounters().wrap(ask(lid, mad.buffer()));
  }

  @Test
  void counters_stop_at_their_width_and_a_set_resets_those_selected() {
    int lid = subnet.fabric.lid(port);
    subnet.emulator.count(port, PortCounter.SYMBOL_ERRORS, 70_000);
    subnet.emulator.count(port, PortCounter.LINK_DOWNED, 7);
    subnet.emulator.count(port, PortCounter.TRANSMIT_WAIT, 5_000_000_000L);
    subnet.emulator.count(port, PortCounter.TRANSMIT_DATA, 1L << 40);
    PortCounters now = counters(lid, 1);
    assertThat(now.value(PortCounter.SYMBOL_ERRORS)).isEqualTo(65_535);
    assertThat(now.value(PortCounter.LINK_DOWNED)).isEqualTo(7);
    assertThat(now.value(PortCounter.TRANSMIT_WAIT)).isEqualTo(0xffff_ffffL);
    PerformanceMad extended = request(MadMethod.GET, AttributeId.PORT_COUNTERS_EXTENDED);
    new PortCountersExtended().wrap(extended).portSelect(1);
    assertThat(new PortCountersExtended().wrap(ask(lid, extended.buffer())).value(0))
        .isGreaterThanOrEqualTo(1L << 40);
    PerformanceMad reset = request(MadMethod.SET, AttributeId.PORT_COUNTERS);
    PortCounters select = new PortCounters().wrap(reset);
    select.portSelect(1);
    select.select(PortCounter.SYMBOL_ERRORS);
    select.select(PortCounter.TRANSMIT_WAIT);
    ask(lid, reset.buffer());
    PortCounters then = counters(lid, 1);
    assertThat(then.value(PortCounter.SYMBOL_ERRORS)).isZero();
    assertThat(then.value(PortCounter.TRANSMIT_WAIT)).isZero();
    assertThat(then.value(PortCounter.LINK_DOWNED)).isEqualTo(7);
  }

  @Test
  void what_passes_is_counted_where_it_passes_and_all_ports_are_a_sum() {
    int edge = subnet.edge(port);
    long before = subnet.emulator.counted(edge, PortCounter.TRANSMIT_PACKETS);
    subnet.emulator.probe().send(subnet.adapterPort(3), subnet.fabric.lid(port), 0xffff, 0, 512);
    assertThat(subnet.emulator.counted(edge, PortCounter.TRANSMIT_PACKETS)).isEqualTo(before + 1);
    assertThat(subnet.emulator.counted(port, PortCounter.RECEIVE_DATA)).isEqualTo(512);
    int leaf = subnet.fabric.nodeOf(edge);
    subnet.emulator.count(subnet.fabric.port(leaf, 1), PortCounter.SYMBOL_ERRORS, 2);
    subnet.emulator.count(subnet.fabric.port(leaf, 8), PortCounter.SYMBOL_ERRORS, 3);
    int lid = subnet.fabric.lid(subnet.fabric.port(leaf, 0));
    assertThat(counters(lid, PerformanceMad.ALL_PORTS).value(PortCounter.SYMBOL_ERRORS))
        .isEqualTo(5);
  }

  @Test
  void what_it_cannot_do_it_says() {
    int lid = subnet.fabric.lid(port);
    PerformanceMad info = ask(lid, request(MadMethod.GET, AttributeId.CLASS_PORT_INFO).buffer());
    assertThat(new ClassPortInfo().wrap(info).capabilityMask()).isEqualTo(0x1300);
    for (int attribute : new int[] {0x10, 0x11, 0x15, 0x16, 0x1f, 0xff20}) {
      assertThat(ask(lid, request(MadMethod.GET, attribute).buffer()).status())
          .as("attribute %x", attribute)
          .isEqualTo(0x0c);
    }
    assertThat(ask(lid, request(MadMethod.GET, AttributeId.PORT_COUNTERS).buffer()).status())
        .isEqualTo(0x1c); // an adapter has no port 0
    assertThat(ask(lid, request(MadMethod.SEND, AttributeId.PORT_COUNTERS).buffer()).status())
        .isEqualTo(0x08);
  }

  @Test
  void data_needs_active_links() {
    subnet.emulator.plug(port, false);
    subnet.emulator.plug(port, true);
    assertThat(subnet.emulator.state(port)).isEqualTo(PortInfo.STATE_INIT);
    PerformanceMad mad = request(MadMethod.GET, AttributeId.CLASS_PORT_INFO);
    subnet.emulator.send(program, new Packet(mad.buffer(), subnet.fabric.lid(port)));
    assertThat(got.getLast().undelivered).isTrue();
  }
}
