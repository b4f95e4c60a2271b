package org.heddle.emulator;

import java.util.Arrays;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Lid;
import org.heddle.mad.GuidInfo;
import org.heddle.mad.LinearForwardingBlock;
import org.heddle.mad.MulticastForwardingBlock;
import org.heddle.mad.PKeyBlock;
import org.heddle.mad.SlToVlMap;
import org.heddle.mad.Smp;
import org.heddle.mad.SwitchInfo;

/**
 * The tables of all nodes. Each is made when it is written for the first time, and linear tables
 * grow with the largest LID written: 11,664 hosts and 1,620 switches take some 30 MB.
 */
final class NodeTables {
  /** Output port for LIDs without a route. */
  static final int NO_PORT = 255;

  /** Entries that a linear table can have: all unicast LIDs. */
  static final int LINEAR_CAP = Lid.MAX_UNICAST + 1;

  /** Multicast LIDs that a table can have. */
  static final int MULTICAST_CAP = 1024;

  /** The first multicast LID. */
  static final int FIRST_MULTICAST = 0xc000;

  /** Keys that an external port of a switch can have. */
  static final int SWITCH_KEYS = 64;

  /** Keys that port 0 of a switch can have. */
  static final int PORT0_KEYS = 32;

  private static final int DEFAULT_KEY = 0xffff;
  private static final int SWITCH_INFO_SIZE = 20;
  private static final int MULTICAST_BLOCKS = MULTICAST_CAP / MulticastForwardingBlock.ENTRIES;
  private static final int ARBITRATION_TABLES = 4;

  /** Level n on lane n modulo 8. */
  private static final byte[] DEFAULT_LANES = {0x01, 0x23, 0x45, 0x67, 0x01, 0x23, 0x45, 0x67};

  private final Fabric fabric;
  private final byte[] switchInfo;
  private final SwitchInfo view = new SwitchInfo();
  private final byte[][] linear; // by switch
  private final byte[][] multicast; // by switch
  private final byte[][] keys; // by port
  private final byte[][] lanes; // by port: 8 bytes, on a switch for every output port
  private final byte[][] arbitration; // by port
  private final byte[][] guids; // by port

  NodeTables(Fabric fabric) {
    this.fabric = fabric;
    int switches = fabric.switchCount();
    switchInfo = new byte[switches * SWITCH_INFO_SIZE];
    linear = new byte[switches][];
    multicast = new byte[switches][];
    keys = new byte[fabric.portIdLimit()][];
    lanes = new byte[fabric.portIdLimit()][];
    arbitration = new byte[fabric.portIdLimit()][];
    guids = new byte[fabric.portIdLimit()][];
    for (int node = 0; node < fabric.nodeCount(); node++) {
      reset(node);
    }
  }

  /** How a node's tables are when it gets power. */
  void reset(int node) {
    for (int number = 0; number <= fabric.portCount(node); number++) {
      int port = fabric.port(node, number);
      keys[port] = null;
      lanes[port] = null;
      arbitration[port] = null;
      guids[port] = null;
    }
    if (fabric.isSwitch(node)) {
      linear[node] = null;
      multicast[node] = null;
      SwitchInfo info = switchInfo(node);
      info.clear();
      info.linearFdbCap(LINEAR_CAP);
      info.multicastFdbCap(MULTICAST_CAP);
      info.lifeTimeValue(18);
      info.partitionEnforcementCap(SWITCH_KEYS);
      info.enforcementCaps(true, true);
      info.enhancedPort0(fabric.enhancedPort0(node));
    }
  }

  /** A window on a switch's SwitchInfo; it moves when another's is asked for. */
  SwitchInfo switchInfo(int sw) {
    return view.wrap(switchInfo, sw * SWITCH_INFO_SIZE);
  }

  /** Output port of a LID; {@link #NO_PORT} if there is none. */
  int outputPort(int sw, int lid) {
    byte[] table = linear[sw];
    return table == null || lid >= table.length || lid > switchInfo(sw).linearFdbTop()
        ? NO_PORT
        : table[lid] & 0xff;
  }

  void linear(int sw, int block, byte[] to, int at) {
    int from = block * LinearForwardingBlock.ENTRIES;
    byte[] table = linear[sw];
    if (table == null || from >= table.length) {
      Arrays.fill(to, at, at + LinearForwardingBlock.ENTRIES, (byte) NO_PORT);
    } else {
      System.arraycopy(table, from, to, at, LinearForwardingBlock.ENTRIES);
    }
  }

  void setLinear(int sw, int block, byte[] data, int at) {
    int from = block * LinearForwardingBlock.ENTRIES;
    int end = from + LinearForwardingBlock.ENTRIES;
    byte[] table = linear[sw] == null ? new byte[0] : linear[sw];
    if (table.length < end) {
      // A quarter more, so that a table written in the order of its blocks is not copied each time.
      int size = Math.min(LINEAR_CAP, end + end / 4 / 64 * 64);
      byte[] longer = Arrays.copyOf(table, size);
      Arrays.fill(longer, table.length, size, (byte) NO_PORT);
      linear[sw] = longer;
    }
    System.arraycopy(data, at, linear[sw], from, LinearForwardingBlock.ENTRIES);
  }

  /** Where a block of a multicast table is, or -1 if there is none. */
  private int multicastAt(int sw, int modifier) {
    int position = MulticastForwardingBlock.position(modifier);
    int block = MulticastForwardingBlock.block(modifier);
    return position * MulticastForwardingBlock.PORTS > fabric.portCount(sw)
            || block >= MULTICAST_BLOCKS
        ? -1
        : (position * MULTICAST_BLOCKS + block) * Smp.DATA_SIZE;
  }

  /** Reads a block of a multicast table; false if there is none of that number. */
  boolean multicast(int sw, int modifier, byte[] to, int at) {
    int from = multicastAt(sw, modifier);
    if (from < 0) {
      return false;
    }
    if (multicast[sw] == null) {
      Arrays.fill(to, at, at + Smp.DATA_SIZE, (byte) 0);
    } else {
      System.arraycopy(multicast[sw], from, to, at, Smp.DATA_SIZE);
    }
    return true;
  }

  /** Writes a block of a multicast table; false if there is none of that number. */
  boolean setMulticast(int sw, int modifier, byte[] data, int at) {
    int to = multicastAt(sw, modifier);
    if (to < 0) {
      return false;
    }
    if (multicast[sw] == null) {
      int positions = fabric.portCount(sw) / MulticastForwardingBlock.PORTS + 1;
      multicast[sw] = new byte[positions * MULTICAST_BLOCKS * Smp.DATA_SIZE];
    }
    System.arraycopy(data, at, multicast[sw], to, Smp.DATA_SIZE);
    return true;
  }

  /** Keys that a port can have. */
  int keyCap(int port) {
    return !fabric.isSwitch(fabric.nodeOf(port))
        ? Ports.CA_KEYS
        : fabric.numberOf(port) == 0 ? PORT0_KEYS : SWITCH_KEYS;
  }

  /** The i-th key of a port. */
  int key(int port, int i) {
    byte[] table = keys[port];
    return table == null
        ? i == 0 ? DEFAULT_KEY : 0
        : (table[2 * i] & 0xff) << 8 | table[2 * i + 1] & 0xff;
  }

  /** Copies a block of a key table. */
  void keys(int port, int block, byte[] to, int at) {
    for (int i = 0; i < PKeyBlock.ENTRIES; i++) {
      int key = key(port, block * PKeyBlock.ENTRIES + i);
      to[at + 2 * i] = (byte) (key >> 8);
      to[at + 2 * i + 1] = (byte) key;
    }
  }

  void setKeys(int port, int block, byte[] data, int at) {
    if (keys[port] == null) {
      keys[port] = new byte[2 * keyCap(port)];
      keys[port][0] = (byte) (DEFAULT_KEY >> 8);
      keys[port][1] = (byte) DEFAULT_KEY;
    }
    System.arraycopy(data, at, keys[port], block * Smp.DATA_SIZE, Smp.DATA_SIZE);
  }

  /**
   * True if a packet's key and one of the port's name the same partition, and not both are limited
   * (section 10.9.3).
   */
  boolean admits(int port, int key) {
    int base = key & 0x7fff;
    for (int i = 0; base != 0 && i < keyCap(port); i++) {
      int mine = key(port, i);
      if ((mine & 0x7fff) == base && ((mine | key) & 0x8000) != 0) {
        return true;
      }
    }
    return false;
  }

  /** True if one of the port's keys is exactly that one: only such a packet can it send. */
  boolean holds(int port, int key) {
    for (int i = 0; (key & 0x7fff) != 0 && i < keyCap(port); i++) {
      if (key(port, i) == key) {
        return true;
      }
    }
    return false;
  }

  /** The lane of a level; input and output port count on switches only. */
  int lane(int input, int output, int level) {
    byte[] table = lanes[input];
    byte pair =
        table == null ? DEFAULT_LANES[level >> 1] : table[lanesAt(input, output) + (level >> 1)];
    return (level % 2 == 0 ? pair >> 4 : pair) & 0xf;
  }

  private int lanesAt(int input, int output) {
    return fabric.isSwitch(fabric.nodeOf(input)) ? 8 * fabric.numberOf(output) : 0;
  }

  void lanes(int input, int output, byte[] to, int at) {
    byte[] table = lanes[input];
    if (table == null) {
      System.arraycopy(DEFAULT_LANES, 0, to, at, DEFAULT_LANES.length);
    } else {
      System.arraycopy(table, lanesAt(input, output), to, at, DEFAULT_LANES.length);
    }
  }

  void setLanes(int input, int output, byte[] data, int at) {
    if (lanes[input] == null) {
      int node = fabric.nodeOf(input);
      int maps = fabric.isSwitch(node) ? fabric.portCount(node) + 1 : 1;
      byte[] table = new byte[maps * DEFAULT_LANES.length];
      for (int i = 0; i < table.length; i++) {
        table[i] = DEFAULT_LANES[i % DEFAULT_LANES.length];
      }
      lanes[input] = table;
    }
    System.arraycopy(data, at, lanes[input], lanesAt(input, output), SlToVlMap.LEVELS / 2);
  }

  /** Reads one of the four blocks of the arbitration tables. */
  void arbitration(int port, int block, byte[] to, int at) {
    if (arbitration[port] == null) {
      Arrays.fill(to, at, at + Smp.DATA_SIZE, (byte) 0);
    } else {
      System.arraycopy(arbitration[port], block * Smp.DATA_SIZE, to, at, Smp.DATA_SIZE);
    }
  }

  /** Writes the first pairs of one of the four blocks. */
  void setArbitration(int port, int block, int pairs, byte[] data, int at) {
    if (arbitration[port] == null) {
      arbitration[port] = new byte[ARBITRATION_TABLES * Smp.DATA_SIZE];
    }
    System.arraycopy(data, at, arbitration[port], block * Smp.DATA_SIZE, 2 * pairs);
  }

  /** Reads a block of alias GUIDs; the first of all is the port's own. */
  void guids(int port, int block, byte[] to, int at) {
    if (guids[port] == null) {
      Arrays.fill(to, at, at + Smp.DATA_SIZE, (byte) 0);
    } else {
      System.arraycopy(guids[port], block * Smp.DATA_SIZE, to, at, Smp.DATA_SIZE);
    }
    if (block == 0) {
      new GuidInfo().wrap(to, at).guid(0, fabric.portGuid(port));
    }
  }

  void setGuids(int port, int block, byte[] data, int at) {
    if (guids[port] == null) {
      guids[port] = new byte[Ports.CA_GUIDS * Long.BYTES];
    }
    System.arraycopy(data, at, guids[port], block * Smp.DATA_SIZE, Smp.DATA_SIZE);
  }
}
