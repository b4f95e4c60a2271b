package org.heddle.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.heddle.mad.MadMethod;
import org.heddle.mad.Notice;
import org.heddle.mad.PortCounter;
import org.heddle.mad.Smp;
import org.junit.jupiter.api.Test;

class TrapsTest {
  /** 4.096 us * 2^18. */
  private static final long PERIOD_NS = 1_073_741_824L;

  private final Subnet subnet = Subnet.up(Subnet.small());
  private final int edge = subnet.edge(subnet.adapterPort(7));

  @Test
  void a_trap_is_repeated_until_it_is_repressed() {
    List<Packet> got = new ArrayList<>();
    VirtualClock clock = new VirtualClock();
    Emulator emulator = new Emulator(subnet.fabric, EmulatorOptions.DEFAULT, clock);
    Attachment manager = emulator.attach(subnet.home, got::add);
    emulator.manage(manager, true);
    emulator.bringUp(Subnet.routes(subnet.fabric), subnet.fabric.lid(subnet.home));
    emulator.flowControlStopped(edge);
    emulator.flowControlStopped(edge); // says the same
    assertThat(emulator.unrepressed()).isEqualTo(1);
    long start = clock.getAsLong();
    for (int i = 0; i < 3; i++) {
      assertThat(got).hasSize(i + 1);
      assertThat(emulator.nextNs()).isEqualTo(start + (i + 1) * PERIOD_NS);
      clock.advanceTo(emulator.nextNs() - 1);
      emulator.run();
      assertThat(got).hasSize(i + 1);
      clock.advanceTo(emulator.nextNs());
      emulator.run();
    }
    Packet trap = got.getLast();
    assertThat(trap.mad).isEqualTo(got.getFirst().mad);
    byte[] answer = trap.mad.clone();
    new Smp().wrap(answer, 0).method(MadMethod.TRAP_REPRESS);
    emulator.send(manager, new Packet(answer, trap.slid));
    assertThat(emulator.unrepressed()).isZero();
    assertThat(emulator.nextNs()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void each_kind_says_what_it_is_about() {
    int lid = subnet.fabric.lid(subnet.fabric.port(subnet.fabric.nodeOf(edge), 0));
    subnet.emulator.count(edge, PortCounter.LOCAL_LINK_INTEGRITY_ERRORS, 1);
    subnet.emulator.count(edge, PortCounter.EXCESSIVE_BUFFER_OVERRUNS, 1);
    subnet.emulator.count(edge, PortCounter.SYMBOL_ERRORS, 1); // counted only
    subnet.emulator.flowControlStopped(edge);
    subnet.emulator.describe(subnet.fabric.nodeOf(edge), "renamed");
    subnet.emulator.wrongQKey(subnet.adapterPort(7), 3, 0xb1b);
    subnet.pass(1);
    assertThat(subnet.traps())
        .containsExactly(
            Notice.LINK_INTEGRITY,
            Notice.BUFFER_OVERRUN,
            Notice.FLOW_CONTROL_WATCHDOG,
            Notice.LOCAL_CHANGES,
            Notice.BAD_Q_KEY);
    for (Notice notice : subnet.heard.subList(0, 3)) {
      assertThat(notice.subjectLid()).isEqualTo(lid);
      assertThat(notice.subjectPort()).isEqualTo(subnet.fabric.numberOf(edge));
      assertThat(notice.producer()).isEqualTo(2);
    }
    assertThat(subnet.heard.get(3).localChanges()).isEqualTo(1);
    assertThat(subnet.heard.get(4).key()).isEqualTo(0xb1b);
    assertThat(subnet.heard.get(4).subjectLid()).isEqualTo(3);
    assertThat(subnet.emulator.unrepressed()).isZero(); // the client represses
  }

  @Test
  void without_a_manager_to_tell_a_port_is_silent() {
    Subnet cold = Subnet.of(Subnet.small());
    cold.emulator.flowControlStopped(cold.edge(cold.home));
    assertThat(cold.emulator.unrepressed()).isZero();
  }

  @Test
  void a_node_that_loses_power_has_nothing_to_say_any_more() {
    subnet.client.close();
    subnet.emulator.flowControlStopped(edge);
    assertThat(subnet.emulator.unrepressed()).isPositive();
    subnet.emulator.power(subnet.fabric.nodeOf(edge), false);
    long after = subnet.emulator.unrepressed();
    // The spines have lost a link each; the leaf itself is forgotten.
    assertThat(after).isEqualTo(4 + 1); // and the home port's IsSM went with the client
  }
}
