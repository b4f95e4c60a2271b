package org.heddle.mad;

/**
 * NodeInfo (section 14.2.5.3): what a node is, and which of its ports the question arrived at.
 *
 * <pre>
 *   0  BaseVersion | ClassVersion | NodeType | NumPorts
 *   4  SystemImageGUID
 *  12  NodeGUID
 *  20  PortGUID
 *  28  PartitionCap | DeviceID
 *  32  Revision
 *  36  LocalPortNum | VendorID (24 bits)
 * </pre>
 */
public final class NodeInfo extends Flyweight {
  /** Node type of channel adapters. */
  public static final int CA = 1;

  /** Node type of switches. */
  public static final int SWITCH = 2;

  /** Node type of routers. */
  public static final int ROUTER = 3;

  public NodeInfo() {
    super(40);
  }

  /** Wraps bytes; throws IllegalArgumentException if there are too few. */
  public NodeInfo wrap(byte[] buffer, int offset) {
    place(buffer, offset);
    return this;
  }

  /** Wraps the attribute of an SMP. */
  public NodeInfo wrap(Smp smp) {
    return wrap(smp.buffer(), smp.dataOffset());
  }

  public int baseVersion() {
    return get8(0);
  }

  public void baseVersion(int version) {
    put8(0, version);
  }

  public int classVersion() {
    return get8(1);
  }

  public void classVersion(int version) {
    put8(1, version);
  }

  /** {@link #CA}, {@link #SWITCH} or {@link #ROUTER}. */
  public int nodeType() {
    return get8(2);
  }

  public void nodeType(int type) {
    put8(2, type);
  }

  /** External ports. */
  public int numPorts() {
    return get8(3);
  }

  public void numPorts(int ports) {
    put8(3, ports);
  }

  public long systemImageGuid() {
    return get64(4);
  }

  public void systemImageGuid(long guid) {
    put64(4, guid);
  }

  public long nodeGuid() {
    return get64(12);
  }

  public void nodeGuid(long guid) {
    put64(12, guid);
  }

  /** GUID of the port the question arrived at; of port 0 on a switch. */
  public long portGuid() {
    return get64(20);
  }

  public void portGuid(long guid) {
    put64(20, guid);
  }

  /** Entries of the P_Key table, of port 0 on a switch. */
  public int partitionCap() {
    return get16(28);
  }

  public void partitionCap(int entries) {
    put16(28, entries);
  }

  public int deviceId() {
    return get16(30);
  }

  public void deviceId(int id) {
    put16(30, id);
  }

  public int revision() {
    return get32(32);
  }

  public void revision(int revision) {
    put32(32, revision);
  }

  /** The port the question arrived at. */
  public int localPortNum() {
    return get8(36);
  }

  public void localPortNum(int port) {
    put8(36, port);
  }

  /** IEEE number of the vendor. */
  public int vendorId() {
    return get24(37);
  }

  public void vendorId(int id) {
    put24(37, id);
  }
}
