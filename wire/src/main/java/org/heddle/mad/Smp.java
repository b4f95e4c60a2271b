package org.heddle.mad;

/**
 * A subnet management packet, LID-routed or directed-route (section 14.2.1).
 *
 * <pre>
 *   0  common header; directed: HopPointer at 6, HopCount at 7
 *  24  M_Key
 *  32  directed: DrSLID | DrDLID
 *  64  the attribute, 64 bytes
 * 128  directed: InitialPath, entry 0 unused
 * 192  directed: ReturnPath
 * </pre>
 */
public final class Smp extends MadHeader {
  /** Where the attribute is. */
  public static final int DATA = 64;

  /** Bytes of an attribute. */
  public static final int DATA_SIZE = 64;

  /** A directed route has at most that many hops. */
  public static final int MAX_HOPS = 63;

  private static final int INITIAL_PATH = 128;
  private static final int RETURN_PATH = 192;

  /** In {@link #drSlid()} and {@link #drDlid()}: no part of the route is by LID. */
  public static final int PERMISSIVE = 0xffff;

  /** An SMP on nothing yet. */
  public Smp() {
    super(MAD_SIZE);
  }

  /** An SMP on 256 bytes of its own, all 0. */
  public static Smp allocate() {
    return new Smp().wrap(new byte[MAD_SIZE], 0);
  }

  @Override
  public Smp wrap(byte[] buffer, int offset) {
    place(buffer, offset);
    return this;
  }

  /**
   * Makes this a request by directed route that starts and ends as such (no LID-routed part).
   *
   * @param path output ports hop by hop, at most {@value #MAX_HOPS}
   */
  public void toDirectedRequest(int method, int attributeId, int modifier, byte[] path) {
    if (path.length > MAX_HOPS) {
      throw new IllegalArgumentException("a directed route of " + path.length + " hops");
    }
    toRequest(ManagementClass.SUBNET_DIRECTED, method, attributeId, modifier);
    put8(7, path.length);
    put16(32, PERMISSIVE);
    put16(34, PERMISSIVE);
    System.arraycopy(path, 0, buffer(), offset() + INITIAL_PATH + 1, path.length);
  }

  /** Makes this a LID-routed request. */
  public void toLidRequest(int method, int attributeId, int modifier) {
    toRequest(ManagementClass.SUBNET_LID, method, attributeId, modifier);
  }

  private void toRequest(int managementClass, int method, int attributeId, int modifier) {
    clear();
    baseVersion(BASE_VERSION);
    managementClass(managementClass);
    classVersion(1);
    method(method);
    attributeId(attributeId);
    attributeModifier(modifier);
  }

  /** True if it goes by directed route. */
  public boolean isDirected() {
    return managementClass() == ManagementClass.SUBNET_DIRECTED;
  }

  /** Direction bit of directed-route SMPs: false on the way there. */
  public boolean isReturning() {
    return isDirected() && bits(4, 7, 1) == 1;
  }

  /** Which hop it is at. */
  public int hopPointer() {
    return get8(6);
  }

  /** Sets at which hop it is. */
  public void hopPointer(int hop) {
    put8(6, hop);
  }

  /** Hops of the route. */
  public int hopCount() {
    return get8(7);
  }

  /** Output port of a hop, from 1 on. */
  public int pathPort(int hop) {
    return get8(INITIAL_PATH + hop);
  }

  /** Output port of a hop on the way back, from 1 on. */
  public int returnPort(int hop) {
    return get8(RETURN_PATH + hop);
  }

  /** Notes by which port it came in at a hop. */
  public void returnPort(int hop, int port) {
    put8(RETURN_PATH + hop, port);
  }

  /** The key that protects the node's management. */
  public long mKey() {
    return get64(24);
  }

  /** Sets the management key. */
  public void mKey(long key) {
    put64(24, key);
  }

  /** LID at which the directed part of the route begins; 0xFFFF: at the sender. */
  public int drSlid() {
    return get16(32);
  }

  /** Sets where the directed part of the route begins. */
  public void drSlid(int lid) {
    put16(32, lid);
  }

  /** Sets where the directed part of the route ends. */
  public void drDlid(int lid) {
    put16(34, lid);
  }

  /** LID at which the directed part of the route ends; 0xFFFF: at the receiver. */
  public int drDlid() {
    return get16(34);
  }

  /** Where the attribute starts in {@link #buffer()}. */
  public int dataOffset() {
    return offset() + DATA;
  }
}
