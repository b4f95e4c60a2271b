package org.heddle.emulator;

import java.util.Arrays;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.LinkSpeed;
import org.heddle.fabric.NodeType;
import org.heddle.mad.AttributeId;
import org.heddle.mad.GuidInfo;
import org.heddle.mad.LinearForwardingBlock;
import org.heddle.mad.MadMethod;
import org.heddle.mad.MadStatus;
import org.heddle.mad.MlnxExtPortInfo;
import org.heddle.mad.NodeDescription;
import org.heddle.mad.NodeInfo;
import org.heddle.mad.PKeyBlock;
import org.heddle.mad.PortInfo;
import org.heddle.mad.Smp;
import org.heddle.mad.SwitchInfo;

/**
 * The subnet management agents of all nodes (section 14.2): they answer Get and Set of the
 * attributes that are not the subnet manager's.
 */
final class SubnetAgent {
  private static final int UNKNOWN_REVISION = 0xa1;
  private static final int LOW_PORT = 0xff;

  /** In the modifier of a Set(PortInfo): the extended speeds enabled count, too. */
  private static final int EXTENDED_SPEEDS_COUNT = 1 << 31;

  private static final int ALL = 0xff;
  private static final int ALL_SPEEDS = 0xf;
  private static final int ALL_EXTENDED = 0x1f;

  /** Set(LinkSpeedExtEnabled): none, where 0 means no change. */
  private static final int NO_EXTENDED = 30;

  private final Fabric fabric;
  private final Ports ports;
  private final NodeTables tables;
  private final String[] descriptions;
  private final PortInfo wanted = new PortInfo();

  SubnetAgent(Fabric fabric, Ports ports, NodeTables tables) {
    this.fabric = fabric;
    this.ports = ports;
    this.tables = tables;
    this.descriptions = new String[fabric.nodeCount()];
    for (int node = 0; node < descriptions.length; node++) {
      descriptions[node] = fabric.description(node);
    }
  }

  /** Changes a node's description. */
  void describe(int node, String text) {
    descriptions[node] = text;
  }

  /**
   * Carries out a request and writes the attribute into it.
   *
   * @param at the port it arrived at
   * @param showKey whether the M_Key is told
   * @return the status of the answer
   */
  int answer(Smp smp, int at, boolean showKey) {
    boolean set = smp.method() == MadMethod.SET;
    if (!set && smp.method() != MadMethod.GET) {
      return MadStatus.UNSUPPORTED_METHOD;
    }
    int modifier = smp.attributeModifier();
    return switch (smp.attributeId()) {
      case AttributeId.NODE_DESCRIPTION -> set ? MadStatus.UNSUPPORTED_ATTRIBUTE : text(smp, at);
      case AttributeId.NODE_INFO -> set ? MadStatus.UNSUPPORTED_ATTRIBUTE : nodeInfo(smp, at);
      case AttributeId.SWITCH_INFO -> switchInfo(smp, at, set);
      case AttributeId.PORT_INFO -> portInfo(smp, at, set, showKey);
      case AttributeId.GUID_INFO -> guids(smp, at, modifier, set);
      case AttributeId.P_KEY_TABLE -> keys(smp, at, modifier, set);
      case AttributeId.SL_TO_VL_MAPPING_TABLE -> lanes(smp, at, modifier, set);
      case AttributeId.VL_ARBITRATION_TABLE -> arbitration(smp, at, modifier, set);
      case AttributeId.LINEAR_FORWARDING_TABLE -> linear(smp, at, modifier, set);
      case AttributeId.MULTICAST_FORWARDING_TABLE -> multicast(smp, at, modifier, set);
      case AttributeId.MLNX_EXT_PORT_INFO -> extended(smp, at, modifier);
      default -> MadStatus.UNSUPPORTED_ATTRIBUTE;
    };
  }

  private int text(Smp smp, int at) {
    new NodeDescription().wrap(smp).text(descriptions[fabric.nodeOf(at)]);
    return MadStatus.OK;
  }

  private int nodeInfo(Smp smp, int at) {
    int node = fabric.nodeOf(at);
    clear(smp);
    nodeInfo(new NodeInfo().wrap(smp), node, at);
    return MadStatus.OK;
  }

  /** Fills NodeInfo as a request that arrived at a port sees it. */
  void nodeInfo(NodeInfo info, int node, int at) {
    NodeType type = fabric.nodeType(node);
    info.baseVersion(1);
    info.classVersion(1);
    info.nodeType(
        switch (type) {
          case CA -> NodeInfo.CA;
          case SWITCH -> NodeInfo.SWITCH;
          case ROUTER -> NodeInfo.ROUTER;
        });
    info.numPorts(fabric.portCount(node));
    info.systemImageGuid(fabric.systemGuid(node));
    info.nodeGuid(fabric.nodeGuid(node));
    info.portGuid(fabric.portGuid(ports.home(at)));
    info.partitionCap(type == NodeType.SWITCH ? NodeTables.PORT0_KEYS : Ports.CA_KEYS);
    info.deviceId(fabric.deviceId(node));
    info.revision(UNKNOWN_REVISION);
    info.localPortNum(fabric.numberOf(at));
    info.vendorId(fabric.vendorId(node));
  }

  private int switchInfo(Smp smp, int at, boolean set) {
    int node = fabric.nodeOf(at);
    if (!fabric.isSwitch(node)) {
      return MadStatus.UNSUPPORTED_ATTRIBUTE;
    }
    SwitchInfo mine = tables.switchInfo(node);
    SwitchInfo theirs = new SwitchInfo().wrap(smp);
    if (set) {
      if (theirs.linearFdbTop() >= NodeTables.LINEAR_CAP) {
        return MadStatus.INVALID_VALUE;
      }
      mine.linearFdbTop(theirs.linearFdbTop());
      mine.defaultPort(theirs.defaultPort());
      mine.lifeTimeValue(theirs.lifeTimeValue());
      mine.multicastFdbTop(theirs.multicastFdbTop());
      if (theirs.portStateChange()) {
        mine.portStateChange(false);
      }
    }
    clear(smp);
    System.arraycopy(mine.buffer(), mine.offset(), smp.buffer(), smp.dataOffset(), mine.size());
    return MadStatus.OK;
  }

  private int guids(Smp smp, int at, int block, boolean set) {
    int port = ports.home(at);
    int cap = ports.info(port).guidCap();
    if (block < 0 || block * GuidInfo.ENTRIES >= cap) {
      return MadStatus.INVALID_VALUE;
    }
    if (set && !fabric.isSwitch(fabric.nodeOf(port))) {
      tables.setGuids(port, block, smp.buffer(), smp.dataOffset());
    }
    tables.guids(port, block, smp.buffer(), smp.dataOffset());
    return MadStatus.OK;
  }

  private int keys(Smp smp, int at, int modifier, boolean set) {
    int node = fabric.nodeOf(at);
    int port = at;
    if (fabric.isSwitch(node)) {
      int number = modifier >>> 16;
      if (number > fabric.portCount(node)) {
        return MadStatus.INVALID_VALUE;
      }
      port = fabric.port(node, number);
    }
    int block = modifier & 0xffff;
    if (block * PKeyBlock.ENTRIES >= tables.keyCap(port)) {
      return MadStatus.INVALID_VALUE;
    }
    if (set) {
      tables.setKeys(port, block, smp.buffer(), smp.dataOffset());
    }
    tables.keys(port, block, smp.buffer(), smp.dataOffset());
    return MadStatus.OK;
  }

  private int lanes(Smp smp, int at, int modifier, boolean set) {
    int node = fabric.nodeOf(at);
    int input = at;
    int output = at;
    if (fabric.isSwitch(node)) {
      int in = modifier >>> 8 & LOW_PORT;
      int out = modifier & LOW_PORT;
      if (modifier >>> 16 != 0 || in > fabric.portCount(node) || out > fabric.portCount(node)) {
        return MadStatus.INVALID_VALUE;
      }
      input = fabric.port(node, in);
      output = fabric.port(node, out);
    }
    if (set) {
      tables.setLanes(input, output, smp.buffer(), smp.dataOffset());
    }
    clear(smp);
    tables.lanes(input, output, smp.buffer(), smp.dataOffset());
    return MadStatus.OK;
  }

  private int arbitration(Smp smp, int at, int modifier, boolean set) {
    int node = fabric.nodeOf(at);
    int port = at;
    if (fabric.isSwitch(node)) {
      int number = modifier & 0xffff;
      if (number > fabric.portCount(node)) {
        return MadStatus.INVALID_VALUE;
      }
      port = fabric.port(node, number);
    }
    int block = (modifier >>> 16) - 1;
    if (block < 0 || block > 3) {
      return MadStatus.INVALID_VALUE;
    }
    PortInfo info = ports.info(port);
    int cap = block < 2 ? info.vlArbitrationLowCap() : info.vlArbitrationHighCap();
    int pairs = Math.clamp(cap - block % 2 * 32, 0, 32);
    if (pairs == 0) {
      return MadStatus.INVALID_VALUE;
    }
    if (set) {
      tables.setArbitration(port, block, pairs, smp.buffer(), smp.dataOffset());
    }
    tables.arbitration(port, block, smp.buffer(), smp.dataOffset());
    return MadStatus.OK;
  }

  private int linear(Smp smp, int at, int block, boolean set) {
    int node = fabric.nodeOf(at);
    if (!fabric.isSwitch(node)) {
      return MadStatus.UNSUPPORTED_ATTRIBUTE;
    }
    if (block < 0 || block >= NodeTables.LINEAR_CAP / LinearForwardingBlock.ENTRIES) {
      return MadStatus.INVALID_VALUE;
    }
    if (set) {
      tables.setLinear(node, block, smp.buffer(), smp.dataOffset());
    } else {
      tables.linear(node, block, smp.buffer(), smp.dataOffset());
    }
    return MadStatus.OK;
  }

  private int multicast(Smp smp, int at, int modifier, boolean set) {
    int node = fabric.nodeOf(at);
    if (!fabric.isSwitch(node)) {
      return MadStatus.UNSUPPORTED_ATTRIBUTE;
    }
    boolean there =
        set
            ? tables.setMulticast(node, modifier, smp.buffer(), smp.dataOffset())
            : tables.multicast(node, modifier, smp.buffer(), smp.dataOffset());
    return there ? MadStatus.OK : MadStatus.INVALID_VALUE;
  }

  private int extended(Smp smp, int at, int modifier) {
    int node = fabric.nodeOf(at);
    int number = modifier & LOW_PORT;
    int port = number == 0 ? ports.home(at) : fabric.port(node, number);
    if (number > fabric.portCount(node)) {
      return MadStatus.INVALID_VALUE;
    }
    clear(smp);
    new MlnxExtPortInfo()
        .wrap(smp)
        .linkSpeedActive(
            fabric.speed(port) == LinkSpeed.FDR10 && ports.isUp(port) ? MlnxExtPortInfo.FDR10 : 0);
    return MadStatus.OK;
  }

  private static void clear(Smp smp) {
    Arrays.fill(smp.buffer(), smp.dataOffset(), smp.dataOffset() + Smp.DATA_SIZE, (byte) 0);
  }

  // ---- PortInfo

  private int portInfo(Smp smp, int at, boolean set, boolean showKey) {
    int node = fabric.nodeOf(at);
    int number = smp.attributeModifier() & LOW_PORT;
    if (number > fabric.portCount(node)) {
      return MadStatus.INVALID_VALUE;
    }
    boolean isSwitch = fabric.isSwitch(node);
    int port = number == 0 ? isSwitch ? fabric.port(node, 0) : at : fabric.port(node, number);
    if (set) {
      if (!isSwitch && port != at) {
        return MadStatus.INVALID_VALUE; // its own key protects it, and was not asked for
      }
      int status = setPort(port, smp);
      if (status != MadStatus.OK) {
        return status;
      }
    }
    ports.copy(port, smp.buffer(), smp.dataOffset());
    PortInfo shown = wanted.wrap(smp);
    shown.localPortNum(fabric.numberOf(at));
    if (!showKey || !isSwitch && port != at) {
      shown.mKey(0);
    }
    return MadStatus.OK;
  }

  /** Checks everything before it changes anything. */
  private int setPort(int port, Smp smp) {
    PortInfo w = wanted.wrap(smp);
    PortInfo info = ports.info(port);
    boolean external = fabric.isSwitch(fabric.nodeOf(port)) && fabric.numberOf(port) != 0;
    boolean port0 = fabric.isSwitch(fabric.nodeOf(port)) && !external;
    if (!external && (w.lid() >= NodeTables.FIRST_MULTICAST || w.masterSmLid() > Packet.DIRECTED)) {
      return MadStatus.INVALID_VALUE;
    }
    if (w.operationalVls() > info.vlCap() || w.neighborMtu() > info.mtuCap()) {
      return MadStatus.INVALID_VALUE;
    }
    if (!port0) {
      boolean orders = w.portState() != 0;
      if (orders && !mayBecome(info, w.portState()) || w.physicalState() > 3) {
        return MadStatus.INVALID_VALUE;
      }
    }
    if (!external) {
      info.mKey(w.mKey());
      info.gidPrefix(w.gidPrefix());
      info.lid(w.lid());
      info.masterSmLid(w.masterSmLid());
      info.mKeyLeasePeriod(w.mKeyLeasePeriod());
      info.mKeyProtectBits(w.mKeyProtectBits());
      info.lmc(port0 && !fabric.enhancedPort0(fabric.nodeOf(port)) ? 0 : w.lmc());
      info.masterSmSl(w.masterSmSl());
      info.mKeyViolations(w.mKeyViolations());
      info.qKeyViolations(w.qKeyViolations());
      info.subnetTimeout(w.subnetTimeout());
      info.clientReregister(w.clientReregister());
    }
    info.pKeyViolations(w.pKeyViolations());
    if (!port0) {
      setLink(info, w, (smp.attributeModifier() & EXTENDED_SPEEDS_COUNT) != 0);
      int state = w.portState();
      int physical = w.physicalState();
      if (physical != 0) {
        ports.physical(port, physical);
      } else if (state == PortInfo.STATE_DOWN) {
        ports.retrain(port);
        notePeer(port);
      } else if (state != 0) {
        ports.info(port).portState(state);
      }
    }
    return MadStatus.OK;
  }

  /** From INIT to ARMED and from there to ACTIVE; DOWN where there is a link to go down. */
  private static boolean mayBecome(PortInfo info, int state) {
    return switch (state) {
      case PortInfo.STATE_DOWN -> true;
      case PortInfo.STATE_ARMED -> info.portState() == PortInfo.STATE_INIT;
      case PortInfo.STATE_ACTIVE -> info.portState() == PortInfo.STATE_ARMED;
      default -> false;
    };
  }

  private static void setLink(PortInfo info, PortInfo w, boolean extended) {
    int width = w.linkWidthEnabled();
    if (width != 0) {
      info.linkWidthEnabled(width == ALL ? info.linkWidthSupported() : width);
    }
    int speed = w.linkSpeedEnabled();
    if (speed != 0) {
      info.linkSpeedEnabled(speed == ALL_SPEEDS ? info.linkSpeedSupported() : speed);
    }
    int more = w.linkSpeedExtEnabled();
    if (extended && more != 0) {
      info.linkSpeedExtEnabled(
          more == ALL_EXTENDED ? info.linkSpeedExtSupported() : more == NO_EXTENDED ? 0 : more);
    }
    if (w.linkDownDefaultState() != 0) {
      info.linkDownDefaultState(w.linkDownDefaultState());
    }
    if (w.neighborMtu() != 0) {
      info.neighborMtu(w.neighborMtu());
    }
    if (w.operationalVls() != 0) {
      info.operationalVls(w.operationalVls());
    }
    info.vlHighLimit(w.vlHighLimit());
    info.vlStallCount(w.vlStallCount());
    info.hoqLife(w.hoqLife());
    info.partitionEnforcementInbound(w.partitionEnforcementInbound());
    info.partitionEnforcementOutbound(w.partitionEnforcementOutbound());
    info.localPhyErrors(w.localPhyErrors());
    info.overrunErrors(w.overrunErrors());
  }

  /** A switch at the other end notices that its link was down. */
  private void notePeer(int port) {
    int peer = fabric.peer(port);
    if (peer != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(peer))) {
      tables.switchInfo(fabric.nodeOf(peer)).portStateChange(true);
    }
  }
}
