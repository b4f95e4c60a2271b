package org.heddle.mad;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The attributes. Expected bytes are written down from the tables in section 14.2.5. */
class AttributesTest {
  private final byte[] bytes = new byte[64];

  @Test
  void node_info() {
    NodeInfo info = new NodeInfo().wrap(bytes, 0);
    info.baseVersion(1);
    info.classVersion(1);
    info.nodeType(NodeInfo.SWITCH);
    info.numPorts(36);
    info.systemImageGuid(0x0002_c903_0000_0003L);
    info.nodeGuid(0x0002_c903_0000_0000L);
    info.portGuid(0xf002_c903_0000_0001L);
    info.partitionCap(8);
    info.deviceId(0xc738);
    info.revision(0xa1);
    info.localPortNum(19);
    info.vendorId(0x0002c9);
    assertThat(bytes)
        .isEqualTo(
            Bytes.of(
                64,
                "01 01 02 24",
                "0002c90300000003",
                "0002c90300000000",
                "f002c90300000001",
                "0008 c738",
                "000000a1",
                "13 0002c9"));
    assertThat(info.baseVersion()).isEqualTo(1);
    assertThat(info.classVersion()).isEqualTo(1);
    assertThat(info.nodeType()).isEqualTo(2);
    assertThat(info.numPorts()).isEqualTo(36);
    assertThat(info.systemImageGuid()).isEqualTo(0x0002_c903_0000_0003L);
    assertThat(info.nodeGuid()).isEqualTo(0x0002_c903_0000_0000L);
    assertThat(info.portGuid()).isEqualTo(0xf002_c903_0000_0001L);
    assertThat(info.partitionCap()).isEqualTo(8);
    assertThat(info.deviceId()).isEqualTo(0xc738);
    assertThat(info.revision()).isEqualTo(0xa1);
    assertThat(info.localPortNum()).isEqualTo(19);
    assertThat(info.vendorId()).isEqualTo(0x2c9);
  }

  @Test
  void node_description() {
    NodeDescription description = new NodeDescription().wrap(bytes, 0);
    description.text("leaf-é");
    assertThat(bytes).isEqualTo(Bytes.of(64, "6c6561662d c3a9"));
    assertThat(description.text()).isEqualTo("leaf-é");
    description.text("x".repeat(63) + "é");
    assertThat(description.text()).isEqualTo("x".repeat(63));
    description.text("y".repeat(70));
    assertThat(description.text()).isEqualTo("y".repeat(64));
  }

  @Test
  void switch_info() {
    SwitchInfo info = new SwitchInfo().wrap(bytes, 0);
    info.linearFdbCap(0xc000);
    info.randomFdbCap(0x0102);
    info.multicastFdbCap(0x1000);
    info.linearFdbTop(0x33e3);
    info.defaultPort(0xfe);
    info.lifeTimeValue(0x12);
    info.portStateChange(true);
    info.lidsPerPort(3);
    info.partitionEnforcementCap(32);
    info.enhancedPort0(true);
    info.multicastFdbTop(0xbfff);
    assertThat(bytes)
        .isEqualTo(
            Bytes.of(
                64,
                "c000 0102",
                "1000 33e3",
                "fe 00 00 94", // 10010 1 00
                "0003 0020",
                "08 00 bfff"));
    assertThat(info.linearFdbCap()).isEqualTo(0xc000);
    assertThat(info.randomFdbCap()).isEqualTo(0x102);
    assertThat(info.multicastFdbCap()).isEqualTo(0x1000);
    assertThat(info.linearFdbTop()).isEqualTo(0x33e3);
    assertThat(info.defaultPort()).isEqualTo(0xfe);
    assertThat(info.lifeTimeValue()).isEqualTo(0x12);
    assertThat(info.portStateChange()).isTrue();
    assertThat(info.lidsPerPort()).isEqualTo(3);
    assertThat(info.partitionEnforcementCap()).isEqualTo(32);
    assertThat(info.enhancedPort0()).isTrue();
    assertThat(info.multicastFdbTop()).isEqualTo(0xbfff);
    info.portStateChange(false);
    assertThat(bytes[11]).isEqualTo((byte) 0x90);
  }

  @Test
  void port_info() {
    PortInfo info = new PortInfo().wrap(bytes, 0);
    info.mKey(0x1122_3344_5566_7788L);
    info.gidPrefix(0xfe80_0000_0000_0000L);
    info.lid(0xbffe);
    info.masterSmLid(0x0102);
    info.capabilityMask(1 << 14 | PortInfo.CAPABILITY_IS_SM);
    info.localPortNum(2);
    info.linkWidthEnabled(0x1f);
    info.linkWidthSupported(0x13);
    info.linkWidthActive(2);
    info.linkSpeedSupported(7);
    info.portState(PortInfo.STATE_ACTIVE);
    info.physicalState(PortInfo.PHYSICAL_LINK_UP);
    info.linkDownDefaultState(2);
    info.mKeyProtectBits(2);
    info.lmc(5);
    info.linkSpeedActive(4);
    info.linkSpeedEnabled(3);
    info.neighborMtu(5);
    info.masterSmSl(9);
    info.vlCap(4);
    info.vlHighLimit(0xff);
    info.vlArbitrationHighCap(8);
    info.vlArbitrationLowCap(64);
    info.mtuCap(5);
    info.operationalVls(3);
    info.partitionEnforcementInbound(true);
    info.partitionEnforcementOutbound(true);
    info.pKeyViolations(0xabcd);
    info.guidCap(32);
    info.clientReregister(true);
    info.subnetTimeout(18);
    info.linkSpeedExtActive(8);
    info.linkSpeedExtSupported(15);
    info.linkSpeedExtEnabled(0x1e);
    byte[] expected =
        Bytes.of(
            64,
            "1122334455667788",
            "fe80000000000000",
            "bffe 0102",
            "00004002",
            "0000 0000",
            "02 1f 13 02",
            "74 52", // speeds supported 7, active; link up, polling
            "85 43", // 10 000 101; QDR, SDR and DDR enabled
            "59 40 ff", // 4096 bytes, level 9; 8 lanes
            "08 40 05",
            "00 3c", // 4 lanes, both ways enforced
            "0000 abcd 0000",
            "20 92 00"); // 1 00 10010
    Bytes.with(expected, 62, "8f 1e");
    assertThat(bytes).isEqualTo(expected);
    assertThat(info.mKey()).isEqualTo(0x1122_3344_5566_7788L);
    assertThat(info.gidPrefix()).isEqualTo(0xfe80_0000_0000_0000L);
    assertThat(info.lid()).isEqualTo(0xbffe);
    assertThat(info.masterSmLid()).isEqualTo(0x102);
    assertThat(info.capabilityMask()).isEqualTo(0x4002);
    assertThat(info.hasExtendedSpeeds()).isTrue();
    assertThat(info.localPortNum()).isEqualTo(2);
    assertThat(info.linkWidthEnabled()).isEqualTo(0x1f);
    assertThat(info.linkWidthSupported()).isEqualTo(0x13);
    assertThat(info.linkWidthActive()).isEqualTo(2);
    assertThat(info.linkSpeedSupported()).isEqualTo(7);
    assertThat(info.portState()).isEqualTo(4);
    assertThat(info.physicalState()).isEqualTo(5);
    assertThat(info.linkDownDefaultState()).isEqualTo(2);
    assertThat(info.mKeyProtectBits()).isEqualTo(2);
    assertThat(info.lmc()).isEqualTo(5);
    assertThat(info.linkSpeedActive()).isEqualTo(4);
    assertThat(info.linkSpeedEnabled()).isEqualTo(3);
    assertThat(info.neighborMtu()).isEqualTo(5);
    assertThat(info.masterSmSl()).isEqualTo(9);
    assertThat(info.vlCap()).isEqualTo(4);
    assertThat(info.vlHighLimit()).isEqualTo(255);
    assertThat(info.vlArbitrationHighCap()).isEqualTo(8);
    assertThat(info.vlArbitrationLowCap()).isEqualTo(64);
    assertThat(info.mtuCap()).isEqualTo(5);
    assertThat(info.operationalVls()).isEqualTo(3);
    assertThat(info.partitionEnforcementInbound()).isTrue();
    assertThat(info.partitionEnforcementOutbound()).isTrue();
    assertThat(info.pKeyViolations()).isEqualTo(0xabcd);
    assertThat(info.guidCap()).isEqualTo(32);
    assertThat(info.clientReregister()).isTrue();
    assertThat(info.subnetTimeout()).isEqualTo(18);
    assertThat(info.linkSpeedExtActive()).isEqualTo(8);
    assertThat(info.linkSpeedExtSupported()).isEqualTo(15);
    assertThat(info.linkSpeedExtEnabled()).isEqualTo(0x1e);
  }

  @Test
  void linear_forwarding_block() {
    LinearForwardingBlock block = new LinearForwardingBlock().wrap(bytes, 0);
    block.port(0, 255);
    block.port(63, 17);
    assertThat(bytes).isEqualTo(Bytes.with(Bytes.of(64, "ff"), 63, "11"));
    assertThat(block.port(0)).isEqualTo(255);
    assertThat(LinearForwardingBlock.blockOf(63)).isZero();
    assertThat(LinearForwardingBlock.blockOf(0xbfff)).isEqualTo(767);
  }

  @Test
  void p_key_block() {
    PKeyBlock block = new PKeyBlock().wrap(bytes, 0);
    block.key(0, 0xffff);
    block.key(1, 0x7fff);
    block.key(31, 0x8101);
    assertThat(bytes).isEqualTo(Bytes.with(Bytes.of(64, "ffff 7fff"), 62, "8101"));
    assertThat(block.key(31)).isEqualTo(0x8101);
    assertThat(PKeyBlock.modifier(36, 1)).isEqualTo(0x0024_0001);
  }

  @Test
  void sl_to_vl_map() {
    SlToVlMap map = new SlToVlMap().wrap(bytes, 0);
    for (int level = 0; level < SlToVlMap.LEVELS; level++) {
      map.lane(level, SlToVlMap.LEVELS - 1 - level);
    }
    assertThat(bytes).isEqualTo(Bytes.of(64, "fedcba9876543210"));
    assertThat(map.lane(0)).isEqualTo(SlToVlMap.DROP);
    assertThat(map.lane(15)).isZero();
    assertThat(SlToVlMap.modifier(3, 19)).isEqualTo(0x0313);
  }

  @Test
  void vl_arbitration_block() {
    VlArbitrationBlock block = new VlArbitrationBlock().wrap(bytes, 0);
    block.pair(0, 7, 255);
    block.pair(31, 14, 1);
    assertThat(bytes).isEqualTo(Bytes.with(Bytes.of(64, "07ff"), 62, "0e01"));
    assertThat(block.lane(0)).isEqualTo(7);
    assertThat(block.weight(0)).isEqualTo(255);
    assertThat(VlArbitrationBlock.modifier(false, 0, 5)).isEqualTo(0x0001_0005);
    assertThat(VlArbitrationBlock.modifier(false, 1, 5)).isEqualTo(0x0002_0005);
    assertThat(VlArbitrationBlock.modifier(true, 0, 5)).isEqualTo(0x0003_0005);
    assertThat(VlArbitrationBlock.modifier(true, 1, 5)).isEqualTo(0x0004_0005);
  }

  @Test
  void sm_info() {
    SmInfo info = new SmInfo().wrap(bytes, 0);
    info.guid(0x10_0001);
    info.smKey(0x0102_0304_0506_0708L);
    info.actCount(0x1234);
    info.priority(14);
    info.state(SmInfo.MASTER);
    assertThat(bytes)
        .isEqualTo(Bytes.of(64, "0000000000100001", "0102030405060708", "00001234", "e3"));
    assertThat(info.guid()).isEqualTo(0x10_0001);
    assertThat(info.smKey()).isEqualTo(0x0102_0304_0506_0708L);
    assertThat(info.actCount()).isEqualTo(0x1234);
    assertThat(info.priority()).isEqualTo(14);
    assertThat(info.state()).isEqualTo(3);
  }

  @Test
  void mlnx_ext_port_info() {
    MlnxExtPortInfo info = new MlnxExtPortInfo().wrap(bytes, 0);
    info.linkSpeedActive(MlnxExtPortInfo.FDR10);
    assertThat(bytes).isEqualTo(Bytes.with(new byte[64], 15, "01"));
    assertThat(info.linkSpeedActive()).isEqualTo(1);
  }

  @Test
  void guid_info() {
    GuidInfo info = new GuidInfo().wrap(bytes, 0);
    info.guid(1, 0x0a0b_0c0d_0e0f_1011L);
    assertThat(bytes).isEqualTo(Bytes.of(64, "0000000000000000 0a0b0c0d0e0f1011"));
    assertThat(info.guid(1)).isEqualTo(0x0a0b_0c0d_0e0f_1011L);
  }

  @Test
  void notice_of_a_link_state_change() {
    Notice notice = new Notice().wrap(bytes, 0);
    notice.type(true, 1);
    notice.producer(2);
    notice.trapNumber(Notice.LINK_STATE_CHANGED);
    notice.issuerLid(0x11);
    notice.count(true, 0x1234);
    notice.subjectLid(0x0a0b);
    assertThat(bytes).isEqualTo(Bytes.of(64, "81 000002", "0080 0011", "9234", "0a0b"));
    assertThat(notice.isGeneric()).isTrue();
    assertThat(notice.type()).isEqualTo(1);
    assertThat(notice.producer()).isEqualTo(2);
    assertThat(notice.issuerLid()).isEqualTo(0x11);
    assertThat(notice.toggle()).isTrue();
    assertThat(notice.count()).isEqualTo(0x1234);
    assertThat(notice.subjectLid()).isEqualTo(0x0a0b);
    assertThat(notice.describe()).isEqualTo("trap 128: link state changed at LID 2571");
  }

  @Test
  void notice_of_local_changes() {
    Notice notice = new Notice().wrap(bytes, 0);
    notice.type(true, 4);
    notice.producer(1);
    notice.trapNumber(Notice.LOCAL_CHANGES);
    notice.issuerLid(7);
    notice.subjectLid(7);
    notice.capabilityMask(2);
    notice.localChanges(1);
    assertThat(bytes)
        .isEqualTo(
            Bytes.of(64, "84 000001", "0090 0007", "0000", "0000 0007", "0000 00000002", "0001"));
    assertThat(notice.capabilityMask()).isEqualTo(2);
    assertThat(notice.localChanges()).isEqualTo(1);
    assertThat(notice.describe()).contains("LID 7");
  }

  @Test
  void notices_of_wrong_keys_and_link_errors() {
    Notice notice = new Notice();
    notice.wrap(Bytes.of(64, "82 000001", "0101 0007", "0000", "0000 0008 0009", "00008101"), 0);
    assertThat(notice.describe()).isEqualTo("trap 257: wrong P_Key from LID 8 to LID 9");
    assertThat(notice.key()).isEqualTo(0x8101);
    notice.wrap(Bytes.of(64, "82 000002", "0103 0007", "0000", "0003 0008 0009", "8101 0000"), 0);
    assertThat(notice.key()).isEqualTo(0x8101);
    notice.wrap(Bytes.of(64, "81 000002", "0082 0007", "0000", "0000 0007 05"), 0);
    assertThat(notice.describe()).isEqualTo("trap 130: buffer overruns at LID 7 port 5");
    notice.wrap(Bytes.of(64, "01 0002c9", "0001 0007"), 0);
    assertThat(notice.describe()).isEqualTo("vendor notice 1 from LID 7");
  }

  @Test
  void port_info_of_keys_and_thresholds() {
    PortInfo info = new PortInfo().wrap(bytes, 0);
    info.mKeyLeasePeriod(0x1234);
    info.vlStallCount(7);
    info.hoqLife(18);
    info.mKeyViolations(0x0102);
    info.qKeyViolations(0x0304);
    info.respTimeValue(18);
    info.localPhyErrors(8);
    info.overrunErrors(9);
    info.capabilityMask2(0x0420);
    byte[] expected = new byte[64];
    Bytes.with(expected, 26, "1234");
    Bytes.with(expected, 42, "f2"); // 111 10010
    Bytes.with(expected, 44, "0102 0000 0304");
    Bytes.with(expected, 52, "12 89");
    Bytes.with(expected, 60, "0420");
    assertThat(bytes).isEqualTo(expected);
    assertThat(info.mKeyLeasePeriod()).isEqualTo(0x1234);
    assertThat(info.vlStallCount()).isEqualTo(7);
    assertThat(info.hoqLife()).isEqualTo(18);
    assertThat(info.mKeyViolations()).isEqualTo(0x102);
    assertThat(info.qKeyViolations()).isEqualTo(0x304);
    assertThat(info.respTimeValue()).isEqualTo(18);
    assertThat(info.localPhyErrors()).isEqualTo(8);
    assertThat(info.overrunErrors()).isEqualTo(9);
    assertThat(info.capabilityMask2()).isEqualTo(0x420);
  }

  @Test
  void switch_info_of_enforcement() {
    SwitchInfo info = new SwitchInfo().wrap(bytes, 0);
    info.enforcementCaps(true, false);
    assertThat(bytes).isEqualTo(Bytes.with(new byte[64], 16, "80"));
    info.enforcementCaps(true, true);
    assertThat(bytes).isEqualTo(Bytes.with(new byte[64], 16, "c0"));
    assertThat(info.inboundEnforcementCap()).isTrue();
    assertThat(info.outboundEnforcementCap()).isTrue();
  }

  @Test
  void multicast_forwarding_block() {
    MulticastForwardingBlock block = new MulticastForwardingBlock().wrap(bytes, 0);
    block.mask(0, 0x8001);
    block.mask(31, 0x0010);
    assertThat(bytes).isEqualTo(Bytes.with(Bytes.of(64, "8001"), 62, "0010"));
    assertThat(block.mask(0)).isEqualTo(0x8001);
    int modifier = MulticastForwardingBlock.modifier(2, 0x1ff);
    assertThat(modifier).isEqualTo(0x2000_01ff);
    assertThat(MulticastForwardingBlock.position(0xf000_0003)).isEqualTo(15);
    assertThat(MulticastForwardingBlock.block(0xf000_0003)).isEqualTo(3);
  }

  @Test
  void notice_of_a_wrong_management_key() {
    Notice notice = new Notice().wrap(bytes, 0);
    notice.trapNumber(Notice.BAD_M_KEY);
    notice.subjectLid(8);
    notice.refused(0xffff, 2, 0x15, 0x0102_0304, 0x1122_3344_5566_7788L);
    assertThat(bytes)
        .isEqualTo(
            Bytes.of(
                64,
                "00000000 0100 0000 0000 0000",
                "0008 ffff",
                "02 00 0015",
                "01020304",
                "1122334455667788"));
    assertThat(notice.refusedMethod()).isEqualTo(2);
    assertThat(notice.refusedAttribute()).isEqualTo(0x15);
    assertThat(notice.refusedKey()).isEqualTo(0x1122_3344_5566_7788L);
  }

  @Test
  void notices_of_wrong_packet_keys() {
    Notice notice = new Notice().wrap(bytes, 0);
    notice.trapNumber(Notice.BAD_P_KEY);
    notice.subjectLid(8);
    notice.secondLid(9);
    notice.key(0x8101);
    notice.keyLevel(5);
    assertThat(bytes).isEqualTo(Bytes.of(64, "00000000 0101 0000 0000 0000 0008 0009 00008101 50"));
    assertThat(notice.keyLevel()).isEqualTo(5);
    notice.clear();
    notice.trapNumber(Notice.BAD_P_KEY_AT_SWITCH);
    notice.subjectLid(8);
    notice.secondLid(9);
    notice.key(0x8101);
    notice.keyLevel(5);
    notice.droppedAt(0x0a0b, 36);
    byte[] expected = Bytes.of(64, "00000000 0103 0000 0000 0000 0008 0009 8101 50");
    assertThat(bytes).isEqualTo(Bytes.with(expected, 58, "0a0b 24"));
    assertThat(notice.key()).isEqualTo(0x8101);
    assertThat(notice.keyLevel()).isEqualTo(5);
    assertThat(notice.droppedAt()).isEqualTo(36);
    notice.clear();
    notice.trapNumber(Notice.LOCAL_CHANGES);
    notice.otherLocalChanges(true);
    assertThat(bytes).isEqualTo(Bytes.with(Bytes.of(64, "00000000 0090"), 15, "01"));
  }

  private interface Wrapper {
    Flyweight wrap(byte[] bytes, int offset);
  }

  static Stream<Supplier<Wrapper>> attributes() {
    return Stream.of(
        () -> new NodeInfo()::wrap,
        () -> new NodeDescription()::wrap,
        () -> new SwitchInfo()::wrap,
        () -> new PortInfo()::wrap,
        () -> new LinearForwardingBlock()::wrap,
        () -> new PKeyBlock()::wrap,
        () -> new SlToVlMap()::wrap,
        () -> new VlArbitrationBlock()::wrap,
        () -> new SmInfo()::wrap,
        () -> new GuidInfo()::wrap,
        () -> new MulticastForwardingBlock()::wrap,
        () -> new MlnxExtPortInfo()::wrap,
        () -> new Notice()::wrap);
  }

  @ParameterizedTest
  @MethodSource("attributes")
  void every_truncation_is_refused(Supplier<Wrapper> attribute) {
    Wrapper wrapper = attribute.get();
    int size = wrapper.wrap(bytes, 0).size();
    for (int length = 0; length < size; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> wrapper.wrap(cut, 0))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("needs " + size + " bytes");
    }
    assertThat(wrapper.wrap(new byte[size], 0).copy()).hasSize(size);
  }
}
