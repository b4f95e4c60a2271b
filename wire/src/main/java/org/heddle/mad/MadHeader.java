package org.heddle.mad;

/**
 * The common header of management datagrams (section 13.4.2).
 *
 * <pre>
 *   0  BaseVersion | MgmtClass | ClassVersion | R, Method
 *   4  Status (bit 15: direction, in directed-route SMPs) | class specific
 *   8  TransactionID
 *  16  AttributeID | reserved
 *  20  AttributeModifier
 * </pre>
 */
public class MadHeader extends Flyweight {
  /** Bytes of a datagram. */
  public static final int MAD_SIZE = 256;

  /** Bytes of the header. */
  public static final int HEADER_SIZE = 24;

  /** The only base version. */
  public static final int BASE_VERSION = 1;

  private static final int RESPONSE = 0x80;

  /** A header on nothing yet. */
  public MadHeader() {
    super(HEADER_SIZE);
  }

  /** For datagrams, which begin with the header. */
  MadHeader(int size) {
    super(size);
  }

  /**
   * Wraps bytes.
   *
   * @throws IllegalArgumentException if there are too few of them
   */
  public MadHeader wrap(byte[] buffer, int offset) {
    place(buffer, offset);
    return this;
  }

  /** {@link #BASE_VERSION}. */
  public final int baseVersion() {
    return get8(0);
  }

  /** Sets the base version. */
  public final void baseVersion(int version) {
    put8(0, version);
  }

  /** One of {@link ManagementClass}. */
  public final int managementClass() {
    return get8(1);
  }

  /** Sets the class. */
  public final void managementClass(int managementClass) {
    put8(1, managementClass);
  }

  /** Version of the class: 1 for subnet management. */
  public final int classVersion() {
    return get8(2);
  }

  /** Sets the version of the class. */
  public final void classVersion(int version) {
    put8(2, version);
  }

  /** One of {@link MadMethod}, with the response bit. */
  public final int method() {
    return get8(3);
  }

  /** Sets the method. */
  public final void method(int method) {
    put8(3, method);
  }

  /** True if this answers something; a TrapRepress counts as none. */
  public final boolean isResponse() {
    return (method() & RESPONSE) != 0;
  }

  /** The status without the direction bit; {@link MadStatus} says what it means. */
  public final int status() {
    return get16(4) & 0x7fff;
  }

  /** Sets all 16 bits of the status field. */
  public final void status(int status) {
    put16(4, status);
  }

  /** The transaction id; only its low 32 bits are the sender's, see {@link TransactionId}. */
  public final long transactionId() {
    return get64(8);
  }

  /** Sets the transaction id. */
  public final void transactionId(long id) {
    put64(8, id);
  }

  /** One of {@link AttributeId}. */
  public final int attributeId() {
    return get16(16);
  }

  /** Sets the attribute id. */
  public final void attributeId(int id) {
    put16(16, id);
  }

  /** What the attribute needs to be told: port, block, ... */
  public final int attributeModifier() {
    return get32(20);
  }

  /** Sets the attribute modifier. */
  public final void attributeModifier(int modifier) {
    put32(20, modifier);
  }
}
