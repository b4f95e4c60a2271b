package org.heddle.smp.transport;

import java.io.IOException;

/**
 * Carries datagrams of 256 bytes between this program and a fabric. For one thread, which has to be
 * a platform thread: waiting may pin its carrier.
 *
 * <p>The low 32 bits of transaction ids arrive as they were sent; the high ones need not.
 */
public interface SmpTransport extends AutoCloseable {
  /** The LID that stands for a directed route. */
  int DIRECTED = 0xffff;

  /** What came out of waiting. */
  enum Arrival {
    /** Nothing came in time. */
    NOTHING,
    /** A datagram. */
    DATAGRAM,
    /** A request of ours that got no answer, as the other side tells us. */
    UNDELIVERED
  }

  /**
   * Sends a datagram; it is copied.
   *
   * @param mad 256 bytes
   * @param lid where to, or {@link #DIRECTED}
   * @param timeoutMs how long an answer may take, for those transports that keep a timer; 0 if none
   *     is expected
   * @throws IOException if the way out is broken, not if the packet gets lost
   */
  void send(byte[] mad, int lid, int timeoutMs) throws IOException;

  /**
   * Waits for a datagram.
   *
   * @param mad 256 bytes to put it into
   * @param timeoutNs how long, in nanoseconds; may be rounded up to a millisecond
   */
  Arrival receive(byte[] mad, long timeoutNs) throws IOException;

  /** How many requests may be under way at once without loss or deadlock. */
  int safeWindow();

  /** For messages: which way the datagrams go. */
  String description();

  /** Gives the port back; a second time does nothing. */
  @Override
  void close();
}
