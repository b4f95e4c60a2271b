package org.heddle.agent;

import java.time.Duration;
import org.heddle.fabric.Fabric;

/**
 * How long OpenSM may take for what it has to write, by the size of the fabric. Generous: what is
 * longer is not slow but stuck, or was never begun.
 */
final class TimeLimits {
  /** For the keys, entries and state of a port: OpenSM sends some ten datagrams for each. */
  private static final long PORT_NANOS = 1_000_000;

  private static final long LANES_NANOS = 2_000_000_000L;

  /** For one of the tables of a switch that map service levels to lanes. */
  private static final long TABLE_NANOS = 100_000;

  private TimeLimits() {}

  /**
   * For tables and keys.
   *
   * @param least on the smallest fabric
   */
  static Duration settle(Fabric fabric, Duration least) {
    long ports = 0;
    for (int port = 0; port < fabric.portIdLimit(); port++) {
      ports += fabric.peer(port) == Fabric.NONE ? 0 : 1;
    }
    return least.plusNanos(ports * PORT_NANOS);
  }

  /** For lanes: a switch has a table for every pair of its ports. */
  static Duration lanes(Fabric fabric) {
    long tables = fabric.caCount();
    for (int sw = 0; sw < fabric.switchCount(); sw++) {
      long ports = fabric.portCount(sw);
      tables += ports * ports;
    }
    return Duration.ofNanos(LANES_NANOS + tables * TABLE_NANOS);
  }
}
