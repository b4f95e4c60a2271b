package org.heddle.mad;

/**
 * A datagram of performance management (section 16.1.1): the common header, 40 reserved bytes, and
 * 192 of the attribute from byte 64 on.
 */
public final class PerformanceMad extends MadHeader {
  /** Where the attribute is. */
  public static final int DATA = 64;

  /** Selects all ports of a node together. */
  public static final int ALL_PORTS = 0xff;

  /** A datagram on nothing yet. */
  public PerformanceMad() {
    super(MAD_SIZE);
  }

  @Override
  public PerformanceMad wrap(byte[] buffer, int offset) {
    place(buffer, offset);
    return this;
  }

  /** Makes this a request. */
  public void toRequest(int method, int attributeId) {
    clear();
    baseVersion(BASE_VERSION);
    managementClass(ManagementClass.PERFORMANCE);
    classVersion(1);
    method(method);
    attributeId(attributeId);
  }

  /** Where the attribute starts in {@link #buffer()}. */
  public int dataOffset() {
    return offset() + DATA;
  }
}
