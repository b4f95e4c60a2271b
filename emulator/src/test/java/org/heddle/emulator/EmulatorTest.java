package org.heddle.emulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.heddle.fabric.Fabric;
import org.heddle.mad.AttributeId;
import org.heddle.mad.GuidInfo;
import org.heddle.mad.MadMethod;
import org.heddle.mad.MadStatus;
import org.heddle.mad.MulticastForwardingBlock;
import org.heddle.mad.NodeInfo;
import org.heddle.mad.Notice;
import org.heddle.mad.PKeyBlock;
import org.heddle.mad.PortCounter;
import org.heddle.mad.PortInfo;
import org.heddle.mad.SlToVlMap;
import org.heddle.mad.Smp;
import org.heddle.mad.SwitchInfo;
import org.heddle.mad.VlArbitrationBlock;
import org.heddle.routing.ForwardingTables;
import org.heddle.smp.client.SmpClient;
import org.heddle.smp.client.SmpOutcome;
import org.heddle.smp.client.SmpRoute;
import org.heddle.smp.discover.DiscoveredFabric;
import org.heddle.smp.discover.FabricDiscovery;
import org.heddle.smp.discover.TableAccess;
import org.heddle.smp.write.PlannedSmp;
import org.heddle.smp.write.SmpPlan;
import org.heddle.smp.write.TableWriter;
import org.heddle.text.topology.IbnetdiscoverWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class EmulatorTest {
  private static final SmpRoute LEAF = SmpRoute.directed(1);

  static Stream<Fabric> fabrics() {
    return Stream.of(Subnet.small(), Subnet.damaged(), Subnet.rails());
  }

  private static String text(Fabric fabric) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      IbnetdiscoverWriter.write(fabric, out);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @MethodSource("fabrics")
  void discovery_finds_the_fabric_and_what_was_written_is_read_back(Fabric cold) {
    Fabric fabric = cold.withAssignedLids();
    Subnet subnet = Subnet.of(fabric);
    DiscoveredFabric found = FabricDiscovery.run(subnet.client);
    assertThat(found.warnings()).isEmpty();
    assertThat(text(found.fabric())).isEqualTo(text(fabric));

    ForwardingTables routes = Subnet.routes(fabric);
    List<PlannedSmp> smps = new ArrayList<>();
    for (int sw = 0; sw < fabric.switchCount(); sw++) {
      subnet.set(
          found.route(sw),
          AttributeId.SWITCH_INFO,
          0,
          found.switchInfoWithTop(sw, fabric.topLid()));
      for (int block = 0; block * 64 <= fabric.topLid(); block++) {
        byte[] ports = new byte[64];
        Arrays.fill(ports, (byte) 255);
        int from = block * 64;
        routes.copy(sw, from, ports, 0, Math.min(64, fabric.topLid() + 1 - from));
        smps.add(PlannedSmp.block(0, fabric.nodeGuid(sw), block, ports));
      }
    }
    assertThat(TableWriter.write(subnet.client, found, new SmpPlan(smps), () -> true)).isEmpty();
    ForwardingTables live =
        TableAccess.read(subnet.client, FabricDiscovery.run(subnet.client)).tables();
    for (int sw = 0; sw < fabric.switchCount(); sw++) {
      assertThat(live.differingBlocks(sw, routes)).isZero();
    }
    // Subnet management by LID passes links that are not active yet, from every switch's table.
    for (int sw = 0; sw < fabric.switchCount(); sw++) {
      int lid = fabric.lid(fabric.port(sw, 0));
      byte[] info = subnet.get(SmpRoute.toLid(lid), AttributeId.NODE_INFO, 0);
      assertThat(new NodeInfo().wrap(info, 0).nodeGuid()).isEqualTo(fabric.nodeGuid(sw));
    }
  }

  @Test
  void what_links_lose_is_asked_again_and_the_seed_says_what_they_lose() {
    // At most 12 links there and back: an attempt succeeds with 0.96^12 = 0.61, all 16 fail once in
    // 3 million.
    Fabric fabric = Subnet.damaged().withAssignedLids();
    long[] resent = new long[2];
    for (int i = 0; i < resent.length; i++) {
      Subnet subnet = new Subnet(fabric, EmulatorOptions.DEFAULT.withLoss(4).withSeed(3));
      SmpClient client = subnet.stubbornClient();
      assertThat(text(FabricDiscovery.run(client).fabric())).isEqualTo(text(fabric));
      resent[i] = client.resent();
    }
    assertThat(resent[0]).isPositive().isEqualTo(resent[1]);
  }

  @Test
  void links_take_their_time() {
    Subnet subnet = new Subnet(Subnet.small(), EmulatorOptions.DEFAULT.withLatency(1_000_000));
    long before = subnet.clock.getAsLong();
    subnet.get(LEAF, AttributeId.NODE_INFO, 0);
    assertThat(subnet.clock.getAsLong() - before).isEqualTo(2_000_000); // there and back
  }

  @Test
  void a_directed_route_notes_the_way_back_and_says_where_it_arrived() {
    Subnet subnet = Subnet.of(Subnet.small());
    Fabric f = subnet.fabric;
    int first = subnet.edge(subnet.home);
    int leaf = f.nodeOf(first);
    int up = f.port(leaf, 5);
    List<Packet> arrived = new ArrayList<>();
    Attachment program = subnet.emulator.attach(subnet.home, arrived::add);
    Smp smp = Smp.allocate();
    smp.toDirectedRequest(MadMethod.GET, AttributeId.NODE_INFO, 0, new byte[] {1, 5});
    subnet.emulator.send(program, new Packet(smp.buffer(), Packet.DIRECTED));
    Smp answer = new Smp().wrap(arrived.getFirst().mad, 0);
    assertThat(answer.method()).isEqualTo(MadMethod.GET_RESPONSE);
    assertThat(answer.isReturning()).isTrue();
    assertThat(answer.status()).isZero();
    assertThat(answer.hopPointer()).isZero();
    assertThat(answer.returnPort(1)).isEqualTo(f.numberOf(first));
    assertThat(answer.returnPort(2)).isEqualTo(f.numberOf(f.peer(up)));
    NodeInfo info = new NodeInfo().wrap(answer);
    assertThat(info.nodeGuid()).isEqualTo(f.nodeGuid(f.peerNode(up)));
    assertThat(info.localPortNum()).isEqualTo(f.numberOf(f.peer(up)));
  }

  @Test
  void routes_that_lead_nowhere_get_no_answer() {
    Subnet subnet = Subnet.of(Subnet.small());
    for (SmpRoute route :
        List.of(
            SmpRoute.directed(2), // the adapter has one port
            SmpRoute.directed(1, 0), // port 0 leads out of no switch
            SmpRoute.directed(1, 9), // the leaf has eight
            SmpRoute.directed(1, 2, 1), // an adapter passes nothing on
            SmpRoute.toLid(77))) {
      assertThat(subnet.ask(route, MadMethod.GET, AttributeId.NODE_INFO, 0, null))
          .as(route.toString())
          .isInstanceOf(SmpOutcome.Silence.class);
    }
    Smp smp = Smp.allocate();
    smp.toDirectedRequest(MadMethod.GET, AttributeId.NODE_INFO, 0, new byte[] {1});
    smp.hopPointer(1); // already under way
    List<Packet> arrived = new ArrayList<>();
    Attachment program = subnet.emulator.attach(subnet.home, arrived::add);
    subnet.emulator.send(program, new Packet(smp.buffer(), Packet.DIRECTED));
    assertThat(arrived).singleElement().matches(p -> p.undelivered);
  }

  @Test
  void a_route_may_begin_by_lid_and_go_on_hop_by_hop() {
    Subnet subnet = Subnet.up(Subnet.damaged());
    Fabric f = subnet.fabric;
    List<Packet> arrived = new ArrayList<>();
    Attachment program = subnet.emulator.attach(subnet.home, arrived::add);
    int sw = f.switchCount() - 1;
    int number = 1;
    while (f.peer(f.port(sw, number)) == Fabric.NONE) {
      number++;
    }
    Smp smp = Smp.allocate();
    smp.toDirectedRequest(MadMethod.GET, AttributeId.NODE_INFO, 0, new byte[] {(byte) number});
    smp.drSlid(f.lid(subnet.home));
    subnet.emulator.send(program, new Packet(smp.buffer(), f.lid(f.port(sw, 0))));
    Smp answer = new Smp().wrap(arrived.getFirst().mad, 0);
    assertThat(arrived.getFirst().undelivered).isFalse();
    assertThat(new NodeInfo().wrap(answer).nodeGuid())
        .isEqualTo(f.nodeGuid(f.peerNode(f.port(sw, number))));
  }

  @Test
  void statuses_say_what_was_wrong() {
    Subnet subnet = Subnet.of(Subnet.small());
    SmpRoute here = SmpRoute.HERE;
    Object[][] cases = {
      {here, MadMethod.GET, AttributeId.SWITCH_INFO, 0, MadStatus.UNSUPPORTED_ATTRIBUTE},
      {here, MadMethod.GET, AttributeId.LINEAR_FORWARDING_TABLE, 0, 0x0c},
      {here, MadMethod.GET, AttributeId.VENDOR_DIAG, 0, 0x0c},
      {here, MadMethod.GET, 0xffb0, 0, 0x0c},
      {here, MadMethod.SET, AttributeId.NODE_INFO, 0, 0x0c},
      {here, MadMethod.GET, AttributeId.PORT_INFO, 2, MadStatus.INVALID_VALUE},
      {here, MadMethod.GET, AttributeId.P_KEY_TABLE, 4, 0x1c},
      {here, MadMethod.GET, AttributeId.GUID_INFO, 16, 0x1c},
      {LEAF, MadMethod.GET, AttributeId.PORT_INFO, 9, 0x1c},
      {LEAF, MadMethod.GET, AttributeId.LINEAR_FORWARDING_TABLE, 768, 0x1c},
      {LEAF, MadMethod.GET, AttributeId.P_KEY_TABLE, PKeyBlock.modifier(1, 2), 0x1c},
      {LEAF, MadMethod.GET, AttributeId.SL_TO_VL_MAPPING_TABLE, 0x0901, 0x1c},
      {LEAF, MadMethod.GET, AttributeId.VL_ARBITRATION_TABLE, 0x0002_0001, 0x1c},
      {LEAF, MadMethod.GET, AttributeId.MULTICAST_FORWARDING_TABLE, 32, 0x1c},
      {LEAF, MadMethod.GET, AttributeId.SM_INFO, 0, 0x0c},
    };
    for (Object[] c : cases) {
      SmpOutcome outcome =
          subnet.ask((SmpRoute) c[0], (int) c[1], (int) c[2], (int) c[3], new byte[64]);
      assertThat(outcome).as(Arrays.toString(c)).isEqualTo(new SmpOutcome.Refusal((int) c[4]));
    }
  }

  @Test
  void tables_keep_what_is_written_and_begin_as_after_power_on() {
    Subnet subnet = Subnet.of(Subnet.small());
    byte[] data = new byte[64];
    for (int i = 0; i < data.length; i++) {
      data[i] = (byte) (i + 1);
    }
    Object[][] writable = {
      {SmpRoute.HERE, AttributeId.P_KEY_TABLE, 3, 64},
      {LEAF, AttributeId.P_KEY_TABLE, PKeyBlock.modifier(8, 1), 64},
      {LEAF, AttributeId.SL_TO_VL_MAPPING_TABLE, SlToVlMap.modifier(0, 8), 8},
      {LEAF, AttributeId.SL_TO_VL_MAPPING_TABLE, SlToVlMap.modifier(8, 1), 8},
      {SmpRoute.HERE, AttributeId.SL_TO_VL_MAPPING_TABLE, 0, 8},
      {LEAF, AttributeId.VL_ARBITRATION_TABLE, VlArbitrationBlock.modifier(true, 0, 3), 16},
      {LEAF, AttributeId.VL_ARBITRATION_TABLE, VlArbitrationBlock.modifier(false, 0, 3), 16},
      {LEAF, AttributeId.LINEAR_FORWARDING_TABLE, 625, 64}, // LIDs 40,000 and following
      {LEAF, AttributeId.LINEAR_FORWARDING_TABLE, 767, 64},
      {LEAF, AttributeId.MULTICAST_FORWARDING_TABLE, MulticastForwardingBlock.modifier(0, 31), 64},
      {SmpRoute.HERE, AttributeId.GUID_INFO, 15, 64},
    };
    for (Object[] w : writable) {
      SmpRoute route = (SmpRoute) w[0];
      int attribute = (int) w[1];
      int modifier = (int) w[2];
      subnet.set(route, attribute, modifier, data);
      byte[] expected = Arrays.copyOf(Arrays.copyOf(data, (int) w[3]), 64);
      assertThat(subnet.get(route, attribute, modifier)).as(Arrays.toString(w)).isEqualTo(expected);
    }
    byte[] untouched = subnet.get(LEAF, AttributeId.LINEAR_FORWARDING_TABLE, 0);
    assertThat(untouched).containsOnly(255);
    int node = subnet.fabric.peerNode(subnet.home);
    subnet.emulator.power(node, false);
    subnet.emulator.power(node, true);
    assertThat(subnet.get(LEAF, AttributeId.LINEAR_FORWARDING_TABLE, 767)).containsOnly(255);
    byte[] keys = subnet.get(LEAF, AttributeId.P_KEY_TABLE, PKeyBlock.modifier(8, 0));
    assertThat(new PKeyBlock().wrap(keys, 0).key(0)).isEqualTo(0xffff);
    assertThat(Arrays.copyOfRange(keys, 2, 64)).containsOnly(0);
  }

  @Test
  void the_first_guid_is_the_ports_own_whatever_is_set() {
    Subnet subnet = Subnet.of(Subnet.rails());
    byte[] data = new byte[64];
    GuidInfo guids = new GuidInfo().wrap(data, 0);
    guids.guid(0, 0x1234);
    guids.guid(1, 0x5678);
    byte[] now = subnet.set(SmpRoute.HERE, AttributeId.GUID_INFO, 0, data);
    assertThat(new GuidInfo().wrap(now, 0).guid(0)).isEqualTo(subnet.fabric.portGuid(subnet.home));
    assertThat(new GuidInfo().wrap(now, 0).guid(1)).isEqualTo(0x5678);
  }

  // ---- links

  @Test
  void a_port_goes_from_init_to_armed_to_active_and_no_other_way() {
    Subnet subnet = Subnet.of(Subnet.small());
    int port = subnet.edge(subnet.home);
    byte[] info = subnet.portInfo(LEAF, 1);
    PortInfo view = new PortInfo().wrap(info, 0);
    int[][] orders = { // state to order, status, state then
      {PortInfo.STATE_ACTIVE, 0x1c, PortInfo.STATE_INIT},
      {PortInfo.STATE_INIT, 0x1c, PortInfo.STATE_INIT},
      {PortInfo.STATE_ARMED, 0, PortInfo.STATE_ARMED},
      {PortInfo.STATE_ARMED, 0x1c, PortInfo.STATE_ARMED},
      {PortInfo.STATE_ACTIVE, 0, PortInfo.STATE_ACTIVE},
      {PortInfo.STATE_ACTIVE, 0x1c, PortInfo.STATE_ACTIVE},
      {PortInfo.STATE_ARMED, 0x1c, PortInfo.STATE_ACTIVE},
      {0, 0, PortInfo.STATE_ACTIVE},
      {PortInfo.STATE_DOWN, 0, PortInfo.STATE_INIT},
    };
    for (int[] order : orders) {
      view.wrap(info, 0).portState(order[0]);
      SmpOutcome outcome = subnet.setPort(LEAF, 1, info.clone());
      if (order[1] == 0) {
        assertThat(outcome).as(Arrays.toString(order)).isInstanceOf(SmpOutcome.Answer.class);
      } else {
        assertThat(outcome).as(Arrays.toString(order)).isEqualTo(new SmpOutcome.Refusal(order[1]));
      }
      assertThat(subnet.emulator.state(port)).as(Arrays.toString(order)).isEqualTo(order[2]);
    }
    assertThat(subnet.emulator.state(subnet.home)).isEqualTo(PortInfo.STATE_INIT);
  }

  @Test
  void a_refused_set_changes_nothing() {
    Subnet subnet = Subnet.of(Subnet.small());
    byte[] before = subnet.get(SmpRoute.HERE, AttributeId.PORT_INFO, 0);
    byte[] wrong = before.clone();
    PortInfo info = new PortInfo().wrap(wrong, 0);
    info.lid(5);
    info.mKey(7);
    info.portState(PortInfo.STATE_ACTIVE); // from INIT
    assertThat(subnet.setPort(SmpRoute.HERE, 0, wrong)).isEqualTo(new SmpOutcome.Refusal(0x1c));
    assertThat(subnet.get(SmpRoute.HERE, AttributeId.PORT_INFO, 0)).isEqualTo(before);
  }

  @Test
  void a_disabled_port_takes_the_link_down_at_both_ends_until_it_is_told_to_poll() {
    Subnet subnet = Subnet.up(Subnet.small());
    Fabric f = subnet.fabric;
    int leaf = f.nodeOf(subnet.edge(subnet.home));
    int up = f.port(leaf, 5);
    int spine = f.peerNode(up);
    byte[] info = subnet.portInfo(LEAF, 5);
    new PortInfo().wrap(info, 0).physicalState(PortInfo.PHYSICAL_DISABLED);
    assertThat(subnet.setPort(LEAF, 5, info)).isInstanceOf(SmpOutcome.Answer.class);
    assertThat(subnet.emulator.state(up)).isEqualTo(PortInfo.STATE_DOWN);
    assertThat(subnet.emulator.state(f.peer(up))).isEqualTo(PortInfo.STATE_DOWN);
    assertThat(subnet.emulator.counted(up, PortCounter.LINK_DOWNED)).isEqualTo(1);
    subnet.pass(1);
    // The switch that was told to has nothing to report; the other has, but no way to do so.
    assertThat(subnet.heard).isEmpty();
    assertThat(subnet.emulator.unrepressed()).isEqualTo(1);
    new PortInfo().wrap(info, 0).physicalState(PortInfo.PHYSICAL_POLLING);
    subnet.setPort(LEAF, 5, info);
    assertThat(subnet.emulator.state(up)).isEqualTo(PortInfo.STATE_INIT);
    assertThat(subnet.emulator.state(f.peer(up))).isEqualTo(PortInfo.STATE_INIT);
    subnet.pass(1_100);
    assertThat(subnet.heard).hasSize(1);
    assertThat(subnet.heard.getFirst().subjectLid()).isEqualTo(f.lid(f.port(spine, 0)));
    assertThat(subnet.emulator.unrepressed()).isZero();
  }

  @Test
  void power_and_cables_report_themselves_and_come_back_to_init() {
    Subnet subnet = Subnet.up(Subnet.damaged());
    Fabric f = subnet.fabric;
    int host = f.nodeCount() - 1;
    int edge = f.peer(f.port(host, 1));
    int lid = f.lid(f.port(f.nodeOf(edge), 0));
    subnet.emulator.power(host, false);
    assertThat(subnet.emulator.state(edge)).isEqualTo(PortInfo.STATE_DOWN);
    subnet.pass(1);
    assertThat(subnet.heard).hasSize(1);
    assertThat(subnet.heard.getFirst().trapNumber()).isEqualTo(Notice.LINK_STATE_CHANGED);
    assertThat(subnet.heard.getFirst().subjectLid()).isEqualTo(lid);
    byte[] info = subnet.get(SmpRoute.toLid(lid), AttributeId.SWITCH_INFO, 0);
    assertThat(new SwitchInfo().wrap(info, 0).portStateChange()).isTrue();
    subnet.emulator.plug(edge, false);
    subnet.emulator.power(host, true);
    assertThat(subnet.emulator.state(edge)).isEqualTo(PortInfo.STATE_DOWN);
    subnet.emulator.plug(edge, true);
    assertThat(subnet.emulator.state(edge)).isEqualTo(PortInfo.STATE_INIT);
    assertThat(subnet.emulator.lid(f.port(host, 1))).isZero();
  }

  @Test
  void what_a_node_without_power_sends_and_gets_is_lost() {
    Subnet subnet = Subnet.up(Subnet.small());
    int other = subnet.fabric.nodeCount() - 1;
    int lid = subnet.fabric.lid(subnet.fabric.port(other, 1));
    subnet.emulator.power(other, false);
    assertThat(subnet.ask(SmpRoute.toLid(lid), MadMethod.GET, AttributeId.NODE_INFO, 0, null))
        .isInstanceOf(SmpOutcome.Silence.class);
    try (SmpClient there = subnet.client(subnet.fabric.port(other, 1), false)) {
      assertThat(there.call(SmpRoute.HERE, MadMethod.GET, AttributeId.NODE_INFO, 0, null))
          .isInstanceOf(SmpOutcome.Silence.class);
    }
  }

  @Test
  void a_silent_node_passes_what_is_for_others() {
    Subnet subnet = Subnet.up(Subnet.small());
    int leaf = subnet.fabric.peerNode(subnet.home);
    subnet.emulator.silence(leaf, true);
    assertThat(subnet.ask(LEAF, MadMethod.GET, AttributeId.NODE_INFO, 0, null))
        .isInstanceOf(SmpOutcome.Silence.class);
    assertThat(subnet.get(SmpRoute.directed(1, 5), AttributeId.NODE_INFO, 0)).isNotEmpty();
    subnet.emulator.silence(leaf, false);
    assertThat(subnet.get(LEAF, AttributeId.NODE_INFO, 0)).isNotEmpty();
  }

  // ---- programs

  @Test
  void managers_get_smInfo_and_others_do_not() {
    Subnet subnet = Subnet.up(Subnet.small());
    int there = subnet.adapterPort(9);
    List<Packet> asked = new ArrayList<>();
    Attachment manager = subnet.emulator.attach(there, asked::add);
    SmpRoute route = SmpRoute.toLid(subnet.fabric.lid(there));
    assertThat(subnet.ask(route, MadMethod.GET, AttributeId.SM_INFO, 0, null))
        .isEqualTo(new SmpOutcome.Refusal(0x0c));
    subnet.emulator.manage(manager, true);
    subnet.pass(1);
    assertThat(subnet.traps()).containsExactly(Notice.LOCAL_CHANGES);
    assertThat(subnet.heard.getFirst().capabilityMask() & PortInfo.CAPABILITY_IS_SM).isNotZero();
    long before = subnet.clock.getAsLong();
    assertThat(subnet.ask(route, MadMethod.GET, AttributeId.SM_INFO, 0, null))
        .isInstanceOf(SmpOutcome.Silence.class); // the program does not answer
    assertThat(asked).isNotEmpty();
    assertThat(subnet.clock.getAsLong()).isGreaterThan(before);
  }

  @Test
  void an_answer_of_a_program_finds_who_asked() {
    Subnet subnet = Subnet.up(Subnet.damaged());
    Fabric f = subnet.fabric;
    List<Packet> got = new ArrayList<>();
    Attachment[] manager = new Attachment[1];
    manager[0] =
        subnet.emulator.attach(
            subnet.adapterPort(20),
            packet -> {
              Packet answer = packet.copy();
              answer.turn();
              answer.mad[3] = (byte) (0x80 | answer.mad[3]);
              answer.mad[100] = 42;
              subnet.emulator.send(manager[0], answer);
            });
    subnet.emulator.manage(manager[0], true);
    List<Attachment> askers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      askers.add(subnet.emulator.attach(subnet.adapterPort(40), got::add));
    }
    byte[] mad = new byte[256];
    mad[0] = 1;
    mad[1] = 3;
    mad[2] = 2;
    mad[3] = 1;
    subnet.emulator.send(askers.get(1), new Packet(mad, f.lid(subnet.adapterPort(20))));
    assertThat(got).singleElement().matches(p -> p.mad[100] == 42 && !p.undelivered);
    assertThat((got.getFirst().mad[8] & 0xff) << 8 | got.getFirst().mad[9] & 0xff)
        .isEqualTo(askers.get(1).id());
    subnet.clock.advanceTo(subnet.clock.getAsLong() + 10_000_000_000L);
    subnet.emulator.run();
    assertThat(got).hasSize(1); // nobody is told that an answer is missing
  }

  @Test
  void programs_are_only_where_programs_can_be() {
    Subnet subnet = Subnet.of(Subnet.small());
    assertThatThrownBy(() -> subnet.emulator.attach(subnet.fabric.port(0, 1), _ -> {}))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(subnet.emulator.attach(subnet.fabric.port(0, 0), _ -> {}).port())
        .isEqualTo(subnet.fabric.port(0, 0));
  }
}
