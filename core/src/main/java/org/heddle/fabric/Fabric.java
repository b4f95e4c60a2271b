package org.heddle.fabric;

import java.util.Arrays;

/**
 * An immutable snapshot of a fabric: nodes, ports, cables, addresses.
 *
 * <p><b>Nodes</b> have dense ids. Switches come first ({@code 0 .. switchCount-1}), then channel
 * adapters, then routers, each group in unsigned GUID order, so that two files that list the same
 * fabric in different orders give the same ids, and hence the same routing.
 *
 * <p><b>Ports</b> have dense ids too: the ports of node {@code n} are {@code port(n, 0) .. port(n,
 * portCount(n))}. Number 0 is the management port of a switch; on other nodes that slot exists but
 * is never used. Port ids can therefore be computed with: {@code numberOf(p) = p - port(nodeOf(p),
 * 0)}.
 *
 * <p><b>Destinations</b> are the ports that have a LID: port 0 of switches, linked ports of other
 * nodes. With a LID mask control of c, a port answers to 2^c LIDs starting at its base LID, and to
 * the {@link VirtualLids} of its virtual functions.
 *
 * <p>The arrays never escape, so a snapshot may be shared between threads. All accessors are O(1)
 * unless they say otherwise. Ids out of range give an {@link ArrayIndexOutOfBoundsException}.
 */
public final class Fabric {
  /** No node, no port. */
  public static final int NONE = -1;

  private final long epoch;
  private final int switchCount;
  private final int caCount;

  private final long[] nodeGuid;
  private final long[] systemGuid;
  private final int[] vendorId;
  private final int[] deviceId;
  private final String[] description;
  private final boolean[] enhancedPort0;

  private final int[] firstPort; // firstPort[n] .. firstPort[n + 1] - 1 are the port ids of node n
  private final int[] nodeOf;
  private final int[] peer;
  private final long[] portGuid;
  private final byte[] width;
  private final byte[] speed;
  private final byte[] mtu;
  private final String[] label;

  private final int[] lid;
  private final byte[] lmc;
  private final int topLid;
  private final int[] portOfLid; // index 0 .. topLid
  private final VirtualLids virtual;

  private final int[] portsByGuid; // ids of the ports that have a GUID, by unsigned GUID

  private final MachineList listed;
  private volatile Machines machines; // found when asked for

  /** Takes ownership of what was collected; for {@link FabricBuilder} and {@link FabricPart}. */
  Fabric(FabricBuilder.Parts parts) {
    this.epoch = parts.epoch;
    this.switchCount = parts.switchCount;
    this.caCount = parts.caCount;
    this.nodeGuid = parts.nodeGuid;
    this.systemGuid = parts.systemGuid;
    this.vendorId = parts.vendorId;
    this.deviceId = parts.deviceId;
    this.description = parts.description;
    this.enhancedPort0 = parts.enhancedPort0;
    this.firstPort = parts.firstPort;
    this.nodeOf = parts.nodeOf;
    this.peer = parts.peer;
    this.portGuid = parts.portGuid;
    this.width = parts.width;
    this.speed = parts.speed;
    this.mtu = parts.mtu;
    this.label = parts.label;
    this.lid = parts.lid;
    this.lmc = parts.lmc;
    this.virtual = VirtualLids.NONE;
    this.portOfLid = indexLids(lid, lmc, virtual);
    this.topLid = portOfLid.length - 1;
    this.portsByGuid = indexGuids(portGuid);
    this.listed = parts.listed;
  }

  private Fabric(Fabric base, int[] lid, byte[] lmc, VirtualLids virtual) {
    this.listed = base.listed;
    this.epoch = base.epoch;
    this.switchCount = base.switchCount;
    this.caCount = base.caCount;
    this.nodeGuid = base.nodeGuid;
    this.systemGuid = base.systemGuid;
    this.vendorId = base.vendorId;
    this.deviceId = base.deviceId;
    this.description = base.description;
    this.enhancedPort0 = base.enhancedPort0;
    this.firstPort = base.firstPort;
    this.nodeOf = base.nodeOf;
    this.peer = base.peer;
    this.portGuid = base.portGuid;
    this.width = base.width;
    this.speed = base.speed;
    this.mtu = base.mtu;
    this.label = base.label;
    this.portsByGuid = base.portsByGuid;
    this.lid = lid;
    this.lmc = lmc;
    this.virtual = virtual;
    this.portOfLid = indexLids(lid, lmc, virtual);
    this.topLid = portOfLid.length - 1;
  }

  private Fabric(Fabric base, String[] description, MachineList listed) {
    this.listed = listed;
    this.epoch = base.epoch;
    this.switchCount = base.switchCount;
    this.caCount = base.caCount;
    this.nodeGuid = base.nodeGuid;
    this.systemGuid = base.systemGuid;
    this.vendorId = base.vendorId;
    this.deviceId = base.deviceId;
    this.description = description;
    this.enhancedPort0 = base.enhancedPort0;
    this.firstPort = base.firstPort;
    this.nodeOf = base.nodeOf;
    this.peer = base.peer;
    this.portGuid = base.portGuid;
    this.width = base.width;
    this.speed = base.speed;
    this.mtu = base.mtu;
    this.label = base.label;
    this.portsByGuid = base.portsByGuid;
    this.lid = base.lid;
    this.lmc = base.lmc;
    this.virtual = base.virtual;
    this.portOfLid = base.portOfLid;
    this.topLid = base.topLid;
  }

  /** The machines that the adapters are in. O(nodes) the first time, then O(1). */
  public Machines machines() {
    Machines found = machines;
    if (found == null) {
      found = Machines.of(this);
      machines = found;
    }
    return found;
  }

  /** What a site lists of its machines; {@link MachineList#NONE} unless it was given. */
  public MachineList machineList() {
    return listed;
  }

  /**
   * The same fabric with machines as a site lists them. The list is no part of what the fabric is:
   * fabrics that differ in nothing else are equal.
   */
  public Fabric withMachines(MachineList list) {
    return list.equals(listed) ? this : new Fabric(this, description, list);
  }

  private static int[] indexLids(int[] lid, byte[] lmc, VirtualLids virtual) {
    int top = 0;
    for (int i = 0; i < virtual.size(); i++) {
      top = Math.max(top, virtual.lid(i));
    }
    for (int p = 0; p < lid.length; p++) {
      if (lid[p] != Lid.NONE) {
        top = Math.max(top, lid[p] + (1 << lmc[p]) - 1);
      }
    }
    if (top > Lid.MAX_UNICAST) {
      throw new IllegalArgumentException("LID " + top + " is not a unicast LID");
    }
    int[] index = new int[top + 1];
    Arrays.fill(index, NONE);
    for (int p = 0; p < lid.length; p++) {
      if (lid[p] == Lid.NONE) {
        continue;
      }
      for (int l = lid[p]; l < lid[p] + (1 << lmc[p]); l++) {
        if (index[l] != NONE) {
          throw new IllegalArgumentException("LID " + l + " belongs to two ports");
        }
        index[l] = p;
      }
    }
    for (int i = 0; i < virtual.size(); i++) {
      if (index[virtual.lid(i)] != NONE) {
        throw new IllegalArgumentException("LID " + virtual.lid(i) + " belongs to two ports");
      }
      index[virtual.lid(i)] = virtual.port(i);
    }
    return index;
  }

  private static int[] indexGuids(long[] portGuid) {
    int n = 0;
    for (long g : portGuid) {
      n += g != 0 ? 1 : 0;
    }
    Integer[] boxed = new Integer[n];
    n = 0;
    for (int p = 0; p < portGuid.length; p++) {
      if (portGuid[p] != 0) {
        boxed[n++] = p;
      }
    }
    Arrays.sort(
        boxed,
        (a, b) -> {
          int c = Long.compareUnsigned(portGuid[a], portGuid[b]);
          return c != 0 ? c : Integer.compare(a, b);
        });
    int[] sorted = new int[n];
    for (int i = 0; i < n; i++) {
      sorted[i] = boxed[i];
    }
    return sorted;
  }

  /** Number of this snapshot in the sequence its owner keeps; 0 where nobody counts. */
  public long epoch() {
    return epoch;
  }

  // ---- nodes

  /** Number of nodes. */
  public int nodeCount() {
    return nodeGuid.length;
  }

  /** Number of switches: they are the nodes {@code 0 .. switchCount-1}. */
  public int switchCount() {
    return switchCount;
  }

  /** Number of channel adapters. */
  public int caCount() {
    return caCount;
  }

  /** Number of routers. */
  public int routerCount() {
    return nodeGuid.length - switchCount - caCount;
  }

  /** True if the node is a switch. */
  public boolean isSwitch(int node) {
    return node < switchCount && node >= 0;
  }

  /** What the node is. */
  public NodeType nodeType(int node) {
    return node < switchCount
        ? NodeType.SWITCH
        : node < switchCount + caCount ? NodeType.CA : NodeType.ROUTER;
  }

  /** GUID of the node. */
  public long nodeGuid(int node) {
    return nodeGuid[node];
  }

  /** System image GUID: equal on the devices of one chassis or one card; 0 if unknown. */
  public long systemGuid(int node) {
    return systemGuid[node];
  }

  /** Vendor id, 24 bits; 0 if unknown. */
  public int vendorId(int node) {
    return vendorId[node];
  }

  /** Device id, 16 bits; 0 if unknown. */
  public int deviceId(int node) {
    return deviceId[node];
  }

  /** Node description, possibly empty, possibly not unique. */
  public String description(int node) {
    return description[node];
  }

  /** True for a switch whose port 0 is an endport of its own (enhanced port 0). */
  public boolean enhancedPort0(int node) {
    return enhancedPort0[node];
  }

  /** Number of external ports: they are numbered {@code 1 .. portCount}. */
  public int portCount(int node) {
    return firstPort[node + 1] - firstPort[node] - 1;
  }

  /** Copies a node without LIDs; cables only to nodes that have an id there, else they are open. */
  void copyNode(int node, FabricBuilder.Parts to, int at, int[] idThere) {
    to.nodeGuid[at] = nodeGuid[node];
    to.systemGuid[at] = systemGuid[node];
    to.vendorId[at] = vendorId[node];
    to.deviceId[at] = deviceId[node];
    to.description[at] = description[node];
    to.enhancedPort0[at] = enhancedPort0[node];
    int from = firstPort[node];
    int first = to.firstPort[at];
    int slots = firstPort[node + 1] - from;
    System.arraycopy(portGuid, from, to.portGuid, first, slots);
    System.arraycopy(width, from, to.width, first, slots);
    System.arraycopy(speed, from, to.speed, first, slots);
    System.arraycopy(mtu, from, to.mtu, first, slots);
    System.arraycopy(label, from, to.label, first, slots);
    for (int k = 0; k < slots; k++) {
      int other = peer[from + k] == NONE ? NONE : idThere[nodeOf[peer[from + k]]];
      to.nodeOf[first + k] = at;
      to.peer[first + k] = other == NONE ? NONE : to.firstPort[other] + numberOf(peer[from + k]);
    }
  }

  /** One node as a record. */
  public NodeView node(int node) {
    return new NodeView(
        node, nodeType(node), nodeGuid[node], systemGuid[node], description[node], portCount(node));
  }

  /** The node of that GUID, or {@link #NONE}. O(log n). */
  public int findNode(long guid) {
    int node = searchGuid(0, switchCount, guid);
    if (node == NONE) {
      node = searchGuid(switchCount, switchCount + caCount, guid);
    }
    return node != NONE ? node : searchGuid(switchCount + caCount, nodeGuid.length, guid);
  }

  private int searchGuid(int from, int to, long guid) {
    int low = from;
    int high = to - 1;
    while (low <= high) {
      int mid = (low + high) >>> 1;
      int c = Long.compareUnsigned(nodeGuid[mid], guid);
      if (c == 0) {
        return mid;
      }
      if (c < 0) {
        low = mid + 1;
      } else {
        high = mid - 1;
      }
    }
    return NONE;
  }

  // ---- ports

  /** One more than the largest port id. */
  public int portIdLimit() {
    return nodeOf.length;
  }

  /** Id of a port by its number on the node, {@code 0 .. portCount}. */
  public int port(int node, int number) {
    return firstPort[node] + number;
  }

  /** The node a port belongs to. */
  public int nodeOf(int port) {
    return nodeOf[port];
  }

  /** The number of a port on its node; 0 is a switch's management port. */
  public int numberOf(int port) {
    return port - firstPort[nodeOf[port]];
  }

  /** The port at the other end of the cable, or {@link #NONE}. */
  public int peer(int port) {
    return peer[port];
  }

  /** The node at the other end of the cable, or {@link #NONE}. */
  public int peerNode(int port) {
    int other = peer[port];
    return other == NONE ? NONE : nodeOf[other];
  }

  /** GUID of a port; all ports of a switch share that of its port 0. 0 if unknown. */
  public long portGuid(int port) {
    return portGuid[port];
  }

  /** Active link width. */
  public LinkWidth width(int port) {
    return Widths.ALL[width[port]];
  }

  /** Active link speed. */
  public LinkSpeed speed(int port) {
    return Speeds.ALL[speed[port]];
  }

  /** Data rate of the link after line coding, in Mbit/s; 0 if unknown. */
  public int linkMegabits(int port) {
    return width(port).lanes() * speed(port).laneMegabits();
  }

  /** MTU code of the link (1 = 256 bytes .. 5 = 4096 bytes); 0 if unknown. */
  public int mtuCode(int port) {
    return mtu[port];
  }

  /** What the chassis prints next to the socket ({@code 1/7/2}), or the empty string. */
  public String label(int port) {
    String text = label[port];
    return text == null ? "" : text;
  }

  /** Base LID of a port, or {@link Lid#NONE}. */
  public int lid(int port) {
    return lid[port];
  }

  /** LID mask control of a port: it answers to {@code 2^lmc} LIDs. */
  public int lmc(int port) {
    return lmc[port];
  }

  /** One port as a record. */
  public PortView portView(int port) {
    return new PortView(
        port, node(nodeOf[port]), numberOf(port), portGuid[port], lid[port], lmc[port], peer[port]);
  }

  /**
   * The port of that GUID, or {@link #NONE}; for a switch its port 0. Should two ports carry the
   * GUID, the one with the smaller id. O(log n).
   */
  public int findPort(long guid) {
    int low = 0;
    int high = portsByGuid.length - 1;
    int found = NONE;
    while (low <= high) {
      int mid = (low + high) >>> 1;
      int c = Long.compareUnsigned(portGuid[portsByGuid[mid]], guid);
      if (c >= 0) {
        if (c == 0) {
          found = portsByGuid[mid];
        }
        high = mid - 1;
      } else {
        low = mid + 1;
      }
    }
    return found;
  }

  /**
   * True if the port can be a destination: port 0 of a switch, or a linked port of another node. It
   * need not have a LID yet.
   */
  public boolean isEndport(int port) {
    return isSwitch(nodeOf[port]) ? numberOf(port) == 0 : peer[port] != NONE;
  }

  /**
   * The switch at which packets for this endport leave the network of switches: the switch itself
   * for a port 0, the neighbour for a port of a channel adapter or router; {@link #NONE} if the
   * port is not linked or its neighbour is not a switch.
   */
  public int attachedSwitch(int port) {
    int node = nodeOf[port];
    if (isSwitch(node)) {
      return node;
    }
    int other = peerNode(port);
    return other != NONE && isSwitch(other) ? other : NONE;
  }

  // ---- addresses

  /** The largest LID in use; 0 if no port has one. */
  public int topLid() {
    return topLid;
  }

  /** The port that answers to the LID, or {@link #NONE}; any int may be asked. */
  public int portOfLid(int lid) {
    return lid < 0 || lid > topLid ? NONE : portOfLid[lid];
  }

  /**
   * The same fabric with other addresses.
   *
   * @param lids base LID by port id, {@link Lid#NONE} for none @param lmcs LID mask control by port
   *     id
   * @throws IllegalArgumentException if lengths are wrong, a LID is not unicast, or ranges overlap
   */
  public Fabric withLids(int[] lids, byte[] lmcs) {
    if (lids.length != lid.length || lmcs.length != lmc.length) {
      throw new IllegalArgumentException("one LID and LMC per port id is needed");
    }
    return new Fabric(this, lids.clone(), lmcs.clone(), virtual);
  }

  /**
   * The same fabric in which every endport has a LID. Those that have one keep it; the others get
   * the smallest free numbers from 1, in the order of their port GUIDs. Returns this fabric if
   * nothing is missing. O(p log p).
   *
   * @throws IllegalArgumentException if the fabric has more endports than unicast LIDs
   */
  public Fabric withAssignedLids() {
    boolean[] used = new boolean[Lid.MAX_UNICAST + 2];
    for (int l = 1; l <= topLid; l++) {
      used[l] = portOfLid[l] != NONE;
    }
    int[] lids = null;
    int next = Lid.MIN_UNICAST;
    for (int port : endportsByGuid()) {
      if (lid[port] != Lid.NONE) {
        continue;
      }
      int size = 1 << lmc[port];
      next = (next + size - 1) / size * size;
      while (!free(used, next, size)) {
        next += size;
        if (next > Lid.MAX_UNICAST) {
          throw new IllegalArgumentException("more endports than unicast LIDs");
        }
      }
      if (lids == null) {
        lids = lid.clone();
      }
      lids[port] = next;
      next += size;
    }
    return lids == null ? this : new Fabric(this, lids, lmc, virtual);
  }

  /**
   * The LIDs of virtual functions, which {@link #portOfLid} knows in addition to the base LIDs;
   * {@link VirtualLids#NONE} unless {@link #withVirtualLids} gave some.
   */
  public VirtualLids virtualLids() {
    return virtual;
  }

  /**
   * The same fabric whose ports answer to these LIDs too, in place of the virtual LIDs it had.
   *
   * @throws IllegalArgumentException if a LID is in use, or a port is not a linked port of a
   *     channel adapter
   */
  public Fabric withVirtualLids(VirtualLids lids) {
    for (int i = 0; i < lids.size(); i++) {
      int port = lids.port(i);
      if (port >= nodeOf.length || nodeType(nodeOf[port]) != NodeType.CA || peer[port] == NONE) {
        throw new IllegalArgumentException("virtual LID " + lids.lid(i) + " is at no endport");
      }
    }
    return new Fabric(this, lid, lmc, lids);
  }

  private static boolean free(boolean[] used, int from, int size) {
    if (from + size - 1 > Lid.MAX_UNICAST) {
      return false;
    }
    for (int l = from; l < from + size; l++) {
      if (used[l]) {
        return false;
      }
    }
    return true;
  }

  private int[] endportsByGuid() {
    // portsByGuid holds every port that has a GUID; a switch's external ports share one and are no
    // endports. Endports without GUID come last, in id order.
    int[] out = new int[nodeOf.length];
    int n = 0;
    for (int port : portsByGuid) {
      if (isEndport(port)) {
        out[n++] = port;
      }
    }
    for (int port = 0; port < nodeOf.length; port++) {
      if (portGuid[port] == 0 && isEndport(port)) {
        out[n++] = port;
      }
    }
    return Arrays.copyOf(out, n);
  }

  /**
   * The same fabric with other node descriptions.
   *
   * @param descriptions one per node id, none null
   * @throws IllegalArgumentException if the length is wrong or one is null
   */
  public Fabric withDescriptions(String[] descriptions) {
    if (descriptions.length != nodeGuid.length) {
      throw new IllegalArgumentException("one description per node is needed");
    }
    for (String text : descriptions) {
      if (text == null) {
        throw new IllegalArgumentException("a description is null");
      }
    }
    return new Fabric(this, descriptions.clone(), listed);
  }

  // ---- identity

  /**
   * A 64-bit fingerprint of what is cabled to what, by GUID and port number. Addresses, names,
   * widths and speeds do not count: tables made for a fabric stay usable when only those change.
   * O(ports).
   */
  public long fingerprint() {
    long h = 0xcbf29ce484222325L;
    for (int n = 0; n < nodeGuid.length; n++) {
      h = mix(h, nodeGuid[n]);
      h = mix(h, nodeType(n).ordinal() * 256L + portCount(n));
      for (int p = firstPort[n]; p < firstPort[n + 1]; p++) {
        if (peer[p] != NONE) {
          h = mix(h, p - firstPort[n]);
          h = mix(h, nodeGuid[nodeOf[peer[p]]]);
          h = mix(h, numberOf(peer[p]));
        }
      }
    }
    return h;
  }

  private static long mix(long h, long v) {
    long x = (h ^ v) * 0x9e3779b97f4a7c15L;
    x ^= x >>> 32;
    x *= 0xd6e8feb86659fd93L;
    return x ^ (x >>> 29);
  }

  /** Equal content; the epoch and the list of machines do not count. */
  @Override
  public boolean equals(Object o) {
    return o instanceof Fabric f
        && switchCount == f.switchCount
        && caCount == f.caCount
        && Arrays.equals(nodeGuid, f.nodeGuid)
        && Arrays.equals(systemGuid, f.systemGuid)
        && Arrays.equals(vendorId, f.vendorId)
        && Arrays.equals(deviceId, f.deviceId)
        && Arrays.equals(description, f.description)
        && Arrays.equals(enhancedPort0, f.enhancedPort0)
        && Arrays.equals(firstPort, f.firstPort)
        && Arrays.equals(peer, f.peer)
        && Arrays.equals(portGuid, f.portGuid)
        && Arrays.equals(width, f.width)
        && Arrays.equals(speed, f.speed)
        && Arrays.equals(mtu, f.mtu)
        && Arrays.equals(label, f.label)
        && Arrays.equals(lid, f.lid)
        && Arrays.equals(lmc, f.lmc)
        && virtual.equals(f.virtual);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(fingerprint());
  }

  @Override
  public String toString() {
    return "Fabric[" + switchCount + " switches, " + caCount + " CAs, top LID " + topLid + "]";
  }

  // Enum.values() copies its array at every call; these are read once.
  private static final class Widths {
    static final LinkWidth[] ALL = LinkWidth.values();
  }

  private static final class Speeds {
    static final LinkSpeed[] ALL = LinkSpeed.values();
  }
}
