package org.heddle.mad;

/**
 * PortCounters (section 16.1.3.5).
 *
 * <pre>
 *   0  reserved | PortSelect | CounterSelect
 *   4  the counters, see {@link PortCounter}; CounterSelect2 at 18
 * </pre>
 */
public final class PortCounters extends Flyweight {
  public PortCounters() {
    super(44);
  }

  /** Wraps bytes; throws IllegalArgumentException if there are too few. */
  public PortCounters wrap(byte[] buffer, int offset) {
    place(buffer, offset);
    return this;
  }

  /** Wraps the attribute of a datagram. */
  public PortCounters wrap(PerformanceMad mad) {
    return wrap(mad.buffer(), mad.dataOffset());
  }

  /** A port's number, or {@link PerformanceMad#ALL_PORTS}. */
  public int portSelect() {
    return get8(1);
  }

  public void portSelect(int port) {
    put8(1, port);
  }

  /** True if a Set is about this counter. */
  public boolean selects(PortCounter counter) {
    return counter == PortCounter.TRANSMIT_WAIT
        ? bits(18, 0, 1) == 1
        : (get16(2) >> counter.ordinal() & 1) == 1;
  }

  /** Has a Set be about this counter, too. */
  public void select(PortCounter counter) {
    if (counter == PortCounter.TRANSMIT_WAIT) {
      putBits(18, 0, 1, 1);
    } else {
      put16(2, get16(2) | 1 << counter.ordinal());
    }
  }

  /** What it shows of a counter. */
  public long value(PortCounter counter) {
    return switch (counter.width()) {
      case 4 -> bits(counter.at(), shift(counter), 4);
      case 8 -> get8(counter.at());
      case 16 -> get16(counter.at());
      default -> Integer.toUnsignedLong(get32(counter.at()));
    };
  }

  /** Sets a counter; larger values become {@link PortCounter#limit()}. */
  public void value(PortCounter counter, long value) {
    int shown = (int) Math.min(value, counter.limit());
    switch (counter.width()) {
      case 4 -> putBits(counter.at(), shift(counter), 4, shown);
      case 8 -> put8(counter.at(), shown);
      case 16 -> put16(counter.at(), shown);
      default -> put32(counter.at(), shown);
    }
  }

  private static int shift(PortCounter counter) {
    return counter == PortCounter.LOCAL_LINK_INTEGRITY_ERRORS ? 4 : 0;
  }
}
