package org.heddle.fabric;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Collects nodes and cables in any order and builds a {@link Fabric} from them.
 *
 * <p>Handles returned by {@code add...} are positions in insertion order; they are not the ids of
 * the finished fabric. Misuse (an unknown handle, a port number out of range, a port cabled twice,
 * a GUID used twice) is an {@link IllegalArgumentException}: a reader of files checks first and
 * reports with a position. Not safe for use by several threads.
 */
public final class FabricBuilder {
  /**
   * The largest number of external ports a node can have: port numbers are one byte, 255 is none.
   */
  public static final int MAX_PORTS = 254;

  private final List<Node> nodes = new ArrayList<>();
  private final Map<Long, Integer> byGuid = new HashMap<>();

  private static final class Node {
    NodeType type;
    long guid;
    long systemGuid;
    int vendorId;
    int deviceId;
    String description;
    boolean enhancedPort0;
    int portCount;
    long[] portGuid;
    int[] lid;
    byte[] lmc;
    byte[] width;
    byte[] speed;
    byte[] mtu;
    String[] label;
    int[] peerNode; // handle, or NONE
    int[] peerPort;
  }

  /** What a fabric is made of, handed over without copying. */
  static final class Parts {
    long epoch;
    int switchCount;
    int caCount;
    long[] nodeGuid;
    long[] systemGuid;
    int[] vendorId;
    int[] deviceId;
    String[] description;
    boolean[] enhancedPort0;
    int[] firstPort;
    int[] nodeOf;
    int[] peer;
    long[] portGuid;
    byte[] width;
    byte[] speed;
    byte[] mtu;
    String[] label;
    int[] lid;
    byte[] lmc;
    MachineList listed = MachineList.NONE;

    /** Makes the arrays, once it is known which node has how many ports. */
    void allocate() {
      int n = firstPort.length - 1;
      int ports = firstPort[n];
      nodeGuid = new long[n];
      systemGuid = new long[n];
      vendorId = new int[n];
      deviceId = new int[n];
      description = new String[n];
      enhancedPort0 = new boolean[n];
      nodeOf = new int[ports];
      peer = new int[ports];
      portGuid = new long[ports];
      width = new byte[ports];
      speed = new byte[ports];
      mtu = new byte[ports];
      label = new String[ports];
      lid = new int[ports];
      lmc = new byte[ports];
    }
  }

  /**
   * Adds a node without cables.
   *
   * @param guid node GUID, not 0, not used before
   * @param portCount external ports, 0..{@value #MAX_PORTS}
   * @return its handle
   */
  public int addNode(NodeType type, long guid, int portCount, String description) {
    if (guid == 0) {
      throw new IllegalArgumentException("node GUID 0");
    }
    if (portCount < 0 || portCount > MAX_PORTS) {
      throw new IllegalArgumentException("a node cannot have " + portCount + " ports");
    }
    if (byGuid.putIfAbsent(guid, nodes.size()) != null) {
      throw new IllegalArgumentException("node GUID " + Guid.format(guid) + " used twice");
    }
    Node node = new Node();
    node.type = type;
    node.guid = guid;
    node.description = description;
    node.portCount = portCount;
    int slots = portCount + 1;
    node.portGuid = new long[slots];
    if (type == NodeType.SWITCH) {
      Arrays.fill(node.portGuid, guid);
    }
    node.lid = new int[slots];
    node.lmc = new byte[slots];
    node.width = new byte[slots];
    node.speed = new byte[slots];
    node.mtu = new byte[slots];
    node.label = new String[slots];
    node.peerNode = new int[slots];
    Arrays.fill(node.peerNode, Fabric.NONE);
    node.peerPort = new int[slots];
    nodes.add(node);
    return nodes.size() - 1;
  }

  /** Adds a switch. @return its handle */
  public int addSwitch(long guid, int portCount, String description) {
    return addNode(NodeType.SWITCH, guid, portCount, description);
  }

  /** Adds a channel adapter. @return its handle */
  public int addCa(long guid, int portCount, String description) {
    return addNode(NodeType.CA, guid, portCount, description);
  }

  /** Number of nodes added so far; handles are {@code 0 .. size-1}. */
  public int size() {
    return nodes.size();
  }

  /** The handle of the node of that GUID, or {@link Fabric#NONE}. */
  public int find(long guid) {
    return byGuid.getOrDefault(guid, Fabric.NONE);
  }

  /** External ports of a node. */
  public int portCount(int node) {
    return nodes.get(node).portCount;
  }

  /** What a node is. */
  public NodeType nodeType(int node) {
    return nodes.get(node).type;
  }

  /** GUID of a node. */
  public long guid(int node) {
    return nodes.get(node).guid;
  }

  /** True if the port has a cable. */
  public boolean isCabled(int node, int port) {
    return nodes.get(node).peerNode[port] != Fabric.NONE;
  }

  /** Handle of the node a port is cabled to, or {@link Fabric#NONE}. */
  public int peerNode(int node, int port) {
    return nodes.get(node).peerNode[port];
  }

  /** Number of the port that a cabled port leads to. */
  public int peerPort(int node, int port) {
    return nodes.get(node).peerPort[port];
  }

  /** Sets vendor id, device id and system image GUID; 0 where unknown. */
  public void setIds(int node, int vendorId, int deviceId, long systemGuid) {
    Node n = nodes.get(node);
    n.vendorId = vendorId;
    n.deviceId = deviceId;
    n.systemGuid = systemGuid;
  }

  /** Replaces the description. */
  public void setDescription(int node, String description) {
    nodes.get(node).description = description;
  }

  /** Says that port 0 of the switch is an enhanced port 0. */
  public void setEnhancedPort0(int node, boolean enhanced) {
    nodes.get(node).enhancedPort0 = enhanced;
  }

  /** Sets the GUID of a port of a channel adapter or router. */
  public void setPortGuid(int node, int port, long guid) {
    nodes.get(node).portGuid[checkPort(node, port)] = guid;
  }

  /** Sets what is printed next to the socket. */
  public void setLabel(int node, int port, String label) {
    nodes.get(node).label[checkPort(node, port)] = label.isEmpty() ? null : label;
  }

  /**
   * Sets base LID and LID mask control; port 0 of a switch, external ports of others.
   *
   * @throws IllegalArgumentException unless the LID is 0 or unicast and the LMC is 0..7
   */
  public void setLid(int node, int port, int lid, int lmc) {
    if (lid != Lid.NONE && !Lid.isUnicast(lid)) {
      throw new IllegalArgumentException("LID " + lid + " is not a unicast LID");
    }
    if (lmc < 0 || lmc > Lid.MAX_LMC) {
      throw new IllegalArgumentException("LMC " + lmc + " is not 0..7");
    }
    Node n = nodes.get(node);
    if ((n.type == NodeType.SWITCH) != (port == 0)) {
      throw new IllegalArgumentException(
          "LIDs belong to port 0 of switches and external ports of others");
    }
    n.lid[checkPort(node, port)] = lid;
    n.lmc[port] = (byte) lmc;
  }

  /** Base LID of a port, or 0. */
  public int lid(int node, int port) {
    return nodes.get(node).lid[port];
  }

  /** Sets width and speed of one port. A cable has the same at both ends; set both. */
  public void setLink(int node, int port, LinkWidth width, LinkSpeed speed) {
    Node n = nodes.get(node);
    n.width[checkPort(node, port)] = (byte) width.ordinal();
    n.speed[port] = (byte) speed.ordinal();
  }

  /** Sets the MTU code (1..5) of one port. */
  public void setMtuCode(int node, int port, int code) {
    nodes.get(node).mtu[checkPort(node, port)] = (byte) code;
  }

  /**
   * Cables two external ports. A port may be cabled to another port of its own node, or to itself
   * (a loopback plug).
   *
   * @throws IllegalArgumentException if a port is out of range, 0, or already cabled
   */
  public void connect(int nodeA, int portA, int nodeB, int portB) {
    checkFree(nodeA, portA);
    checkFree(nodeB, portB);
    Node a = nodes.get(nodeA);
    Node b = nodes.get(nodeB);
    a.peerNode[portA] = nodeB;
    a.peerPort[portA] = portB;
    b.peerNode[portB] = nodeA;
    b.peerPort[portB] = portA;
  }

  /** Cables two external ports and sets width and speed at both ends. */
  public void connect(
      int nodeA, int portA, int nodeB, int portB, LinkWidth width, LinkSpeed speed) {
    connect(nodeA, portA, nodeB, portB);
    setLink(nodeA, portA, width, speed);
    setLink(nodeB, portB, width, speed);
  }

  private void checkFree(int node, int port) {
    if (port == 0 || isCabled(node, checkPort(node, port))) {
      throw new IllegalArgumentException(
          "port "
              + port
              + " of "
              + Guid.format(guid(node))
              + " cannot be cabled"
              + (port == 0 ? "" : " twice"));
    }
  }

  private int checkPort(int node, int port) {
    if (port < 0 || port > nodes.get(node).portCount) {
      throw new IllegalArgumentException(
          Guid.format(guid(node))
              + " has no port "
              + port
              + ", only 1.."
              + nodes.get(node).portCount);
    }
    return port;
  }

  /** Builds the snapshot with epoch 0; the builder may be used further. O(n log n + ports). */
  public Fabric build() {
    return build(0);
  }

  /**
   * Builds the snapshot.
   *
   * @throws IllegalArgumentException if two ports claim one LID
   */
  public Fabric build(long epoch) {
    Integer[] order = new Integer[nodes.size()];
    Arrays.setAll(order, i -> i);
    Arrays.sort(
        order,
        (x, y) -> {
          Node a = nodes.get(x);
          Node b = nodes.get(y);
          int c = a.type.compareTo(b.type);
          return c != 0 ? c : Long.compareUnsigned(a.guid, b.guid);
        });
    int n = order.length;
    int[] idOf = new int[n];
    Parts parts = new Parts();
    parts.epoch = epoch;
    parts.firstPort = new int[n + 1];
    for (int id = 0; id < n; id++) {
      Node node = nodes.get(order[id]);
      idOf[order[id]] = id;
      parts.firstPort[id + 1] = parts.firstPort[id] + node.portCount + 1;
      parts.switchCount += node.type == NodeType.SWITCH ? 1 : 0;
      parts.caCount += node.type == NodeType.CA ? 1 : 0;
    }
    parts.allocate();
    for (int id = 0; id < n; id++) {
      fill(parts, id, nodes.get(order[id]), idOf);
    }
    return new Fabric(parts);
  }

  private static void fill(Parts parts, int id, Node node, int[] idOf) {
    parts.nodeGuid[id] = node.guid;
    parts.systemGuid[id] = node.systemGuid;
    parts.vendorId[id] = node.vendorId;
    parts.deviceId[id] = node.deviceId;
    parts.description[id] = node.description;
    parts.enhancedPort0[id] = node.enhancedPort0;
    int first = parts.firstPort[id];
    int slots = node.portCount + 1;
    System.arraycopy(node.portGuid, 0, parts.portGuid, first, slots);
    System.arraycopy(node.width, 0, parts.width, first, slots);
    System.arraycopy(node.speed, 0, parts.speed, first, slots);
    System.arraycopy(node.mtu, 0, parts.mtu, first, slots);
    System.arraycopy(node.label, 0, parts.label, first, slots);
    System.arraycopy(node.lid, 0, parts.lid, first, slots);
    System.arraycopy(node.lmc, 0, parts.lmc, first, slots);
    for (int p = 0; p < slots; p++) {
      parts.nodeOf[first + p] = id;
      parts.peer[first + p] =
          node.peerNode[p] == Fabric.NONE
              ? Fabric.NONE
              : parts.firstPort[idOf[node.peerNode[p]]] + node.peerPort[p];
    }
  }
}
