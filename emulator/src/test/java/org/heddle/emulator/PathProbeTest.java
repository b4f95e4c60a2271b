package org.heddle.emulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.heddle.emulator.PathProbe.Drop;
import org.heddle.fabric.Fabric;
import org.heddle.mad.AttributeId;
import org.heddle.mad.Notice;
import org.heddle.mad.PKeyBlock;
import org.heddle.mad.PortCounter;
import org.heddle.mad.PortInfo;
import org.heddle.mad.SlToVlMap;
import org.heddle.mad.SwitchInfo;
import org.heddle.smp.client.SmpRoute;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PathProbeTest {
  private static final int FULL = 0x8005;
  private static final int LIMITED = 0x0005;
  private static final int DEFAULT = 0xffff;

  private final Subnet subnet = Subnet.up(Subnet.small());
  private final Fabric f = subnet.fabric;
  private final int from = subnet.adapterPort(0);
  private final int to = subnet.adapterPort(15);
  private final int in = subnet.edge(from);
  private final int out = subnet.edge(to);

  private SmpRoute route(int port) {
    return SmpRoute.toLid(f.lid(f.isSwitch(f.nodeOf(port)) ? f.port(f.nodeOf(port), 0) : port));
  }

  private void keys(int port, int... keys) {
    byte[] block = new byte[64];
    for (int i = 0; i < keys.length; i++) {
      new PKeyBlock().wrap(block, 0).key(i, keys[i]);
    }
    boolean isSwitch = f.isSwitch(f.nodeOf(port));
    int modifier = PKeyBlock.modifier(isSwitch ? f.numberOf(port) : 0, 0);
    subnet.set(route(port), AttributeId.P_KEY_TABLE, modifier, block);
  }

  private void enforce(int port, boolean inbound, boolean outbound) {
    byte[] bytes = subnet.portInfo(route(port), f.numberOf(port));
    PortInfo info = new PortInfo().wrap(bytes, 0);
    info.partitionEnforcementInbound(inbound);
    info.partitionEnforcementOutbound(outbound);
    subnet.set(route(port), AttributeId.PORT_INFO, f.numberOf(port), bytes);
  }

  private PathProbe.Outcome look(int key) {
    return subnet.emulator.probe().look(from, f.lid(to), key, 0);
  }

  private void dropped(PathProbe.Outcome outcome, Drop drop, int port) {
    assertThat(outcome.drop()).isEqualTo(drop);
    assertThat(outcome.port()).isEqualTo(port);
  }

  static Stream<Fabric> fabrics() {
    return Stream.of(Subnet.small(), Subnet.damaged(), Subnet.rails());
  }

  @ParameterizedTest
  @MethodSource("fabrics")
  void it_goes_where_the_tables_lead(Fabric cold) {
    Subnet s = Subnet.up(cold);
    PathProbe probe = s.emulator.probe();
    int pairs = 0;
    for (int a = 0; a < s.fabric.portIdLimit(); a++) {
      for (int b = 0; b < s.fabric.portIdLimit(); b++) {
        if (s.fabric.isEndport(a) && s.fabric.isEndport(b)) {
          boolean hosts =
              !s.fabric.isSwitch(s.fabric.nodeOf(a)) && !s.fabric.isSwitch(s.fabric.nodeOf(b));
          PathProbe.Outcome outcome = probe.look(a, s.fabric.lid(b), DEFAULT, 9);
          if (hosts) {
            assertThat(outcome.arrived()).isTrue();
            assertThat(outcome.port()).isEqualTo(b);
            assertThat(outcome.lanes()).allMatch(lane -> lane == 1); // 9 modulo 8
            assertThat(outcome.path()).hasSize(2 * outcome.lanes().size());
            pairs++;
          }
        }
      }
    }
    assertThat(pairs).isEqualTo(s.fabric.caCount() * s.fabric.caCount());
  }

  @Test
  void keys_count_at_both_ends() {
    dropped(look(FULL), Drop.SOURCE_P_KEY, from);
    keys(from, LIMITED);
    dropped(look(FULL), Drop.SOURCE_P_KEY, from);
    dropped(look(LIMITED), Drop.DESTINATION_P_KEY, to);
    keys(to, LIMITED);
    dropped(look(LIMITED), Drop.DESTINATION_P_KEY, to); // two limited members do not talk
    keys(to, FULL);
    assertThat(look(LIMITED).arrived()).isTrue();
    keys(from, FULL);
    keys(to, LIMITED);
    assertThat(look(FULL).arrived()).isTrue();
    keys(from, 0x8000);
    dropped(look(0x8000), Drop.SOURCE_P_KEY, from); // no key at all
  }

  @Test
  void switches_enforce_what_comes_in_and_what_goes_out() {
    keys(from, FULL);
    keys(to, FULL);
    assertThat(look(FULL).arrived()).isTrue();
    enforce(out, false, true);
    dropped(look(FULL), Drop.OUTBOUND_P_KEY, out);
    keys(out, LIMITED);
    assertThat(look(FULL).arrived()).isTrue();
    enforce(in, true, false);
    dropped(look(FULL), Drop.INBOUND_P_KEY, in);
    enforce(in, false, true); // the other direction does not matter on that way
    assertThat(look(FULL).arrived()).isTrue();
  }

  @Test
  void sending_counts_and_reports_violations() {
    keys(from, FULL);
    enforce(in, true, false);
    PathProbe probe = subnet.emulator.probe();
    dropped(probe.send(from, f.lid(to), FULL, 3, 100), Drop.INBOUND_P_KEY, in);
    assertThat(subnet.emulator.counted(in, PortCounter.RECEIVE_CONSTRAINT_ERRORS)).isEqualTo(1);
    subnet.pass(1);
    Notice trap = subnet.heard.getFirst();
    assertThat(trap.trapNumber()).isEqualTo(Notice.BAD_P_KEY_AT_SWITCH);
    assertThat(trap.key()).isEqualTo(FULL);
    assertThat(trap.keyLevel()).isEqualTo(3);
    assertThat(trap.subjectLid()).isEqualTo(f.lid(from));
    assertThat(trap.secondLid()).isEqualTo(f.lid(to));
    assertThat(trap.droppedAt()).isEqualTo(f.numberOf(in));
    enforce(in, false, false);
    dropped(probe.send(from, f.lid(to), FULL, 3, 100), Drop.DESTINATION_P_KEY, to);
    subnet.pass(1);
    assertThat(subnet.traps()).containsExactly(Notice.BAD_P_KEY_AT_SWITCH, Notice.BAD_P_KEY);
    PortInfo info = new PortInfo().wrap(subnet.emulator.portInfo(to), 0);
    assertThat(info.pKeyViolations()).isEqualTo(1);
  }

  @Test
  void lanes_tables_and_links_drop_where_they_should() {
    SmpRoute leaf = route(in);
    PathProbe.Outcome whole = look(DEFAULT);
    int up = whole.path().get(2);
    byte[] map = new byte[64];
    new SlToVlMap().wrap(map, 0).lane(0, SlToVlMap.DROP);
    int modifier = SlToVlMap.modifier(f.numberOf(in), f.numberOf(up));
    subnet.set(leaf, AttributeId.SL_TO_VL_MAPPING_TABLE, modifier, map);
    dropped(look(DEFAULT), Drop.NO_LANE, in);
    new SlToVlMap().wrap(map, 0).lane(0, 9); // of lanes 0 to 7
    subnet.set(leaf, AttributeId.SL_TO_VL_MAPPING_TABLE, modifier, map);
    dropped(look(DEFAULT), Drop.LANE_NOT_OPERATIONAL, up);
    new SlToVlMap().wrap(map, 0).lane(0, 7);
    subnet.set(leaf, AttributeId.SL_TO_VL_MAPPING_TABLE, modifier, map);
    assertThat(look(DEFAULT).lanes()).isEqualTo(List.of(0, 7, 0, 0));

    subnet.emulator.plug(up, false);
    dropped(look(DEFAULT), Drop.NO_LINK, up);
    subnet.emulator.plug(up, true);
    dropped(look(DEFAULT), Drop.PORT_NOT_ACTIVE, up);
    assertThat(subnet.emulator.probe().look(from, 0xbfff, DEFAULT, 0).drop())
        .isEqualTo(Drop.NO_ROUTE);
    assertThat(subnet.emulator.probe().look(from, 0xc001, DEFAULT, 0).drop())
        .isEqualTo(Drop.NOT_A_UNICAST_LID);
    assertThatThrownBy(() -> subnet.emulator.probe().look(from, 1, DEFAULT, 16))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void circles_and_wrong_ends_are_seen() {
    int lid = 500;
    SmpRoute leaf = route(in);
    PathProbe.Outcome whole = look(DEFAULT);
    int up = whole.path().get(2);
    int down = whole.path().get(3);
    for (int port : new int[] {up, down}) {
      byte[] block = new byte[64];
      java.util.Arrays.fill(block, (byte) f.numberOf(port));
      int node = f.nodeOf(port);
      SmpRoute there = SmpRoute.toLid(f.lid(f.port(node, 0)));
      subnet.set(there, AttributeId.LINEAR_FORWARDING_TABLE, lid / 64, block);
      byte[] info = subnet.get(there, AttributeId.SWITCH_INFO, 0);
      new SwitchInfo().wrap(info, 0).linearFdbTop(600);
      subnet.set(there, AttributeId.SWITCH_INFO, 0, info);
    }
    assertThat(subnet.emulator.probe().look(from, lid, DEFAULT, 0).drop()).isEqualTo(Drop.LOOP);
    byte[] block = new byte[64];
    java.util.Arrays.fill(block, (byte) f.numberOf(in));
    subnet.set(leaf, AttributeId.LINEAR_FORWARDING_TABLE, lid / 64, block);
    dropped(subnet.emulator.probe().look(from, lid, DEFAULT, 0), Drop.WRONG_PORT, from);
    java.util.Arrays.fill(block, (byte) 99);
    subnet.set(leaf, AttributeId.LINEAR_FORWARDING_TABLE, lid / 64, block);
    dropped(subnet.emulator.probe().look(from, lid, DEFAULT, 0), Drop.NO_SUCH_PORT, in);
  }
}
