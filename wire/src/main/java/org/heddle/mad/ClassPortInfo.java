package org.heddle.mad;

/** The beginning of ClassPortInfo (section 13.4.8.1): what an agent of a class can do. */
public final class ClassPortInfo extends Flyweight {
  /** Performance management: counters of all ports of a node can be asked for together. */
  public static final int ALL_PORT_SELECT = 1 << 8;

  /** Performance management: PortCountersExtended is known. */
  public static final int EXTENDED_WIDTH = 1 << 9;

  /** Performance management: PortXmitWait is counted. */
  public static final int TRANSMIT_WAIT = 1 << 12;

  public ClassPortInfo() {
    super(72);
  }

  /** Wraps bytes; throws IllegalArgumentException if there are too few. */
  public ClassPortInfo wrap(byte[] buffer, int offset) {
    place(buffer, offset);
    return this;
  }

  /** Wraps the attribute of a datagram. */
  public ClassPortInfo wrap(PerformanceMad mad) {
    return wrap(mad.buffer(), mad.dataOffset());
  }

  /** Versions of datagrams and of the class. */
  public void versions(int base, int ofClass) {
    put8(0, base);
    put8(1, ofClass);
  }

  /** Version of the class. */
  public int classVersion() {
    return get8(1);
  }

  public int capabilityMask() {
    return get16(2);
  }

  public void capabilityMask(int mask) {
    put16(2, mask);
  }

  /** The longest time until an answer, 4.096 us * 2^code. */
  public int respTimeValue() {
    return bits(7, 0, 5);
  }

  public void respTimeValue(int code) {
    putBits(7, 0, 5, code);
  }
}
