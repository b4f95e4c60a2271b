package org.heddle.mad;

/**
 * PortCountersExtended (section 16.1.4.11): what passed, in 64 bits.
 *
 * <pre>
 *   0  reserved | PortSelect | CounterSelect
 *   8  PortXmitData      40  PortUnicastXmitPkts
 *  16  PortRcvData       48  PortUnicastRcvPkts
 *  24  PortXmitPkts      56  PortMulticastXmitPkts
 *  32  PortRcvPkts       64  PortMulticastRcvPkts
 * </pre>
 */
public final class PortCountersExtended extends Flyweight {
  /** Counters, numbered as the bits that select them: in the order of their places. */
  public static final int COUNTERS = 8;

  public PortCountersExtended() {
    super(72);
  }

  /** Wraps bytes; throws IllegalArgumentException if there are too few. */
  public PortCountersExtended wrap(byte[] buffer, int offset) {
    place(buffer, offset);
    return this;
  }

  /** Wraps the attribute of a datagram. */
  public PortCountersExtended wrap(PerformanceMad mad) {
    return wrap(mad.buffer(), mad.dataOffset());
  }

  /** A port's number, or {@link PerformanceMad#ALL_PORTS}. */
  public int portSelect() {
    return get8(1);
  }

  public void portSelect(int port) {
    put8(1, port);
  }

  /** Bit i: a Set is about the i-th counter. */
  public int counterSelect() {
    return get16(2);
  }

  public void counterSelect(int mask) {
    put16(2, mask);
  }

  /** The i-th counter. */
  public long value(int i) {
    return get64(8 + 8 * i);
  }

  public void value(int i, long value) {
    put64(8 + 8 * i, value);
  }
}
