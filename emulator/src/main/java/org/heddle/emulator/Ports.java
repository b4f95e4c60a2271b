package org.heddle.emulator;

import java.util.Arrays;
import java.util.function.IntConsumer;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.LinkSpeed;
import org.heddle.fabric.LinkWidth;
import org.heddle.mad.PortCounter;
import org.heddle.mad.PortInfo;
import org.heddle.mad.Smp;
import org.heddle.mad.VlArbitrationBlock;

/**
 * What PortInfo says of every port, kept as its 64 bytes, and the state machine of links (section
 * 7.2.7): a link is up if its cable is plugged, both nodes have power, and neither end was told to
 * be silent. 64 bytes a port.
 */
final class Ports {
  /** Keys that a port of an adapter can have. */
  static final int CA_KEYS = 128;

  /** Alias GUIDs that a port of an adapter can have. */
  static final int CA_GUIDS = 128;

  /** Code for eight data lanes. */
  private static final int EIGHT_LANES = 4;

  private static final int DEFAULT_MTU = 5;
  private static final int ARBITRATION_PAIRS = 8;
  private static final int FOREVER = 18;
  private static final long LOCAL_PREFIX = 0xfe80_0000_0000_0000L;

  /** Traps, service levels, system GUID, extended speeds, second mask, notices, reregistration. */
  private static final int CAPABILITIES = 0x0640_c848;

  private static final int CAPABILITY2_WIDTH_2X = 0x10;
  private static final int CAPABILITY2_HDR = 0x20;
  private static final int CAPABILITY2_NDR = 0x400;

  private final Fabric fabric;
  private final Counters counters;
  private final byte[] bytes;
  private final PortInfo view = new PortInfo();
  private final boolean[] unplugged; // by port id, the same at both ends
  private final boolean[] off; // by node
  private IntConsumer linkChanged = _ -> {};

  Ports(Fabric fabric, Counters counters) {
    this.fabric = fabric;
    this.counters = counters;
    this.bytes = new byte[fabric.portIdLimit() * Smp.DATA_SIZE];
    this.unplugged = new boolean[fabric.portIdLimit()];
    this.off = new boolean[fabric.nodeCount()];
    for (int port = 0; port < fabric.portIdLimit(); port++) {
      reset(port);
      info(port).lid(fabric.lid(port));
      view.lmc(fabric.lmc(port));
    }
    for (int port = 0; port < fabric.portIdLimit(); port++) {
      refresh(port, false);
    }
  }

  /** Who is told of switches' ports whose link has changed, not by an order to the port itself. */
  void onLinkChange(IntConsumer listener) {
    linkChanged = listener;
  }

  /** A window on a port's PortInfo; it moves when another port's is asked for. */
  PortInfo info(int port) {
    return view.wrap(bytes, port * Smp.DATA_SIZE);
  }

  void copy(int port, byte[] to, int at) {
    System.arraycopy(bytes, port * Smp.DATA_SIZE, to, at, Smp.DATA_SIZE);
  }

  int state(int port) {
    return info(port).portState();
  }

  /** The port that has LID and key of this one: port 0 on a switch. */
  int home(int port) {
    int node = fabric.nodeOf(port);
    return fabric.isSwitch(node) ? fabric.port(node, 0) : port;
  }

  /** True if a port answers to a LID. */
  boolean hasLid(int port, int lid) {
    PortInfo info = info(port);
    int base = info.lid();
    return base != 0 && lid >= base && lid < base + (1 << info.lmc());
  }

  boolean hasPower(int node) {
    return !off[node];
  }

  boolean isPlugged(int port) {
    return !unplugged[port];
  }

  boolean isUp(int port) {
    return info(port).physicalState() == PortInfo.PHYSICAL_LINK_UP;
  }

  /** How a port is when its node gets power: without LID, keys and orders. */
  void reset(int port) {
    int node = fabric.nodeOf(port);
    int number = fabric.numberOf(port);
    boolean isSwitch = fabric.isSwitch(node);
    PortInfo info = info(port);
    info.clear();
    info.localPortNum(number);
    info.portState(PortInfo.STATE_DOWN);
    info.physicalState(PortInfo.PHYSICAL_POLLING);
    info.linkDownDefaultState(PortInfo.PHYSICAL_POLLING);
    rates(info, port);
    info.mtuCap(mtu(port));
    info.neighborMtu(mtu(port));
    info.vlCap(EIGHT_LANES);
    info.operationalVls(EIGHT_LANES);
    info.vlArbitrationHighCap(Math.min(ARBITRATION_PAIRS, VlArbitrationBlock.ENTRIES));
    info.vlArbitrationLowCap(ARBITRATION_PAIRS);
    info.hoqLife(FOREVER);
    info.vlStallCount(7);
    info.respTimeValue(FOREVER);
    if (!isSwitch || number == 0) {
      info.gidPrefix(LOCAL_PREFIX);
      info.subnetTimeout(FOREVER);
      info.guidCap(isSwitch ? 1 : CA_GUIDS);
    }
    if (isSwitch && number == 0) {
      // A port without a cable: the switch's management.
      info.physicalState(PortInfo.PHYSICAL_LINK_UP);
      info.portState(PortInfo.STATE_ACTIVE);
    }
  }

  private int mtu(int port) {
    return fabric.mtuCode(port) == 0 ? DEFAULT_MTU : fabric.mtuCode(port);
  }

  /**
   * Width and speed: what the fabric says is in use is the best the port can; unknown is 4x EDR.
   */
  private void rates(PortInfo info, int port) {
    int capability2 = 0;
    int width =
        switch (fabric.width(port)) {
          case X1 -> 1;
          case X2 -> 16;
          case X8 -> 4;
          case X12 -> 8;
          case X4, UNKNOWN -> 2;
        };
    if (fabric.width(port) == LinkWidth.X2) {
      capability2 |= CAPABILITY2_WIDTH_2X;
    }
    info.linkWidthSupported(width | 1);
    info.linkWidthEnabled(width | 1);
    info.linkWidthActive(width);
    LinkSpeed speed = fabric.speed(port);
    int extended =
        switch (speed) {
          case FDR -> 1;
          case EDR, UNKNOWN -> 2;
          case HDR -> 4;
          case NDR, XDR -> 8;
          default -> 0;
        };
    int basic =
        switch (speed) {
          case SDR -> 1;
          case DDR -> 2;
          default -> 4;
        };
    capability2 |= extended >= 4 ? CAPABILITY2_HDR : 0;
    capability2 |= extended >= 8 ? CAPABILITY2_NDR : 0;
    int upTo = 2 * basic - 1;
    info.linkSpeedSupported(upTo);
    info.linkSpeedEnabled(upTo);
    info.linkSpeedActive(basic);
    int upToExtended = extended == 0 ? 0 : 2 * extended - 1;
    info.linkSpeedExtSupported(upToExtended);
    info.linkSpeedExtEnabled(upToExtended);
    info.linkSpeedExtActive(extended);
    info.capabilityMask(
        extended == 0 ? CAPABILITIES & ~PortInfo.CAPABILITY_EXTENDED_SPEEDS : CAPABILITIES);
    info.capabilityMask2(capability2);
  }

  /** Pulls a cable, or plugs it in again. */
  void plug(int port, boolean in) {
    unplugged[port] = !in;
    if (fabric.peer(port) != Fabric.NONE) {
      unplugged[fabric.peer(port)] = !in;
    }
    refresh(port, false);
  }

  /** Takes a node's power, or gives it back. What its ports knew is lost with the power. */
  void power(int node, boolean on) {
    off[node] = !on;
    for (int number = 1; number <= fabric.portCount(node); number++) {
      refresh(fabric.port(node, number), false);
    }
    if (!on) {
      for (int number = 0; number <= fabric.portCount(node); number++) {
        reset(fabric.port(node, number));
        counters.clear(fabric.port(node, number));
      }
    }
  }

  /** Obeys an order to the physical state: sleep, polling or disabled. */
  void physical(int port, int state) {
    if (isUp(port) && state == PortInfo.PHYSICAL_POLLING) {
      retrain(port);
      return;
    }
    boolean up = isUp(port);
    if (!up) {
      info(port).physicalState(state);
    } else {
      down(port);
      info(port).physicalState(state);
      int peer = fabric.peer(port);
      down(peer);
      linkChanged.accept(peer);
    }
    refresh(port, true);
  }

  /** The link goes down and comes up again at once, as after an order of state DOWN. */
  void retrain(int port) {
    if (isUp(port)) {
      info(port).portState(PortInfo.STATE_INIT);
      int peer = fabric.peer(port);
      info(peer).portState(PortInfo.STATE_INIT);
    }
  }

  /** Brings both ends of a link to what cable, power and orders say. */
  private void refresh(int port, boolean ordered) {
    int peer = fabric.peer(port);
    if (peer == Fabric.NONE) {
      return;
    }
    boolean should = isWilling(port) && isWilling(peer);
    if (should == isUp(port)) {
      return;
    }
    for (int end : new int[] {port, peer}) {
      if (should) {
        info(end).physicalState(PortInfo.PHYSICAL_LINK_UP);
        view.portState(PortInfo.STATE_INIT);
      } else {
        down(end);
      }
    }
    linkChanged.accept(peer);
    if (!ordered) {
      linkChanged.accept(port);
    }
  }

  private boolean isWilling(int port) {
    int physical = info(port).physicalState();
    return !off[fabric.nodeOf(port)]
        && !unplugged[port]
        && (physical == PortInfo.PHYSICAL_POLLING || physical == PortInfo.PHYSICAL_LINK_UP);
  }

  private void down(int port) {
    info(port).portState(PortInfo.STATE_DOWN);
    view.physicalState(PortInfo.PHYSICAL_POLLING);
    counters.increment(port, PortCounter.LINK_DOWNED);
  }

  /** Makes all links that are up active, as a subnet manager does. */
  void activate() {
    for (int port = 0; port < fabric.portIdLimit(); port++) {
      if (isUp(port)) {
        view.portState(PortInfo.STATE_ACTIVE);
      }
    }
  }

  /** For tests of equality: all bytes of all ports. */
  int fingerprint() {
    return Arrays.hashCode(bytes);
  }
}
