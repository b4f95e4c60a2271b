package org.heddle.mad;

/**
 * The counters of a port (sections 16.1.3.5 and 16.1.4.11), in the order of the bits by which
 * PortCounters selects them, and where they are in it.
 */
public enum PortCounter {
  SYMBOL_ERRORS(4, 16),
  LINK_ERROR_RECOVERIES(6, 8),
  LINK_DOWNED(7, 8),
  RECEIVE_ERRORS(8, 16),
  RECEIVE_REMOTE_PHYSICAL_ERRORS(10, 16),
  RECEIVE_SWITCH_RELAY_ERRORS(12, 16),
  TRANSMIT_DISCARDS(14, 16),
  TRANSMIT_CONSTRAINT_ERRORS(16, 8),
  RECEIVE_CONSTRAINT_ERRORS(17, 8),
  LOCAL_LINK_INTEGRITY_ERRORS(19, 4),
  EXCESSIVE_BUFFER_OVERRUNS(19, 4),
  VL15_DROPPED(22, 16),
  /** Octets sent, divided by 4. */
  TRANSMIT_DATA(24, 32),
  /** Octets received, divided by 4. */
  RECEIVE_DATA(28, 32),
  TRANSMIT_PACKETS(32, 32),
  RECEIVE_PACKETS(36, 32),
  /** Ticks in which there was something to send and no credit; selected by bit 0 of the second. */
  TRANSMIT_WAIT(40, 32);

  private final int at;
  private final int width;

  PortCounter(int at, int width) {
    this.at = at;
    this.width = width;
  }

  /** Bits that PortCounters has for it. */
  public int width() {
    return width;
  }

  /** The largest value that PortCounters can show: there it stays. */
  public long limit() {
    return (1L << width) - 1;
  }

  int at() {
    return at;
  }
}
