package org.heddle.emulator;

import java.util.Arrays;
import org.heddle.mad.PortCounter;

/** Counters of all ports, in one array. They stop at their largest value. */
final class Counters {
  private static final int STRIDE = PortCounter.values().length;

  private final long[] values;

  Counters(int ports) {
    values = new long[ports * STRIDE];
  }

  long get(int port, PortCounter counter) {
    return values[port * STRIDE + counter.ordinal()];
  }

  void set(int port, PortCounter counter, long value) {
    values[port * STRIDE + counter.ordinal()] = value;
  }

  void add(int port, PortCounter counter, long more) {
    int at = port * STRIDE + counter.ordinal();
    long sum = values[at] + more;
    values[at] = sum < 0 ? Long.MAX_VALUE : sum;
  }

  void increment(int port, PortCounter counter) {
    add(port, counter, 1);
  }

  void clear(int port) {
    Arrays.fill(values, port * STRIDE, (port + 1) * STRIDE, 0);
  }
}
