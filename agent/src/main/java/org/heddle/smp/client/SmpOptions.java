package org.heddle.smp.client;

import org.heddle.mad.TransactionId;
import org.heddle.smp.transport.SmpTransport;

/**
 * The window, timeout and retries of a client.
 *
 * @param window requests in flight at once, 1..256
 * @param timeoutMs milliseconds to wait for an answer before a request is sent again
 * @param attempts how often a request is sent at most, 1..16
 * @param drainMs milliseconds that data packets in flight get to arrive or to be discarded, between
 *     writes of tables that need it
 */
public record SmpOptions(int window, int timeoutMs, int attempts, int drainMs) {
  /** Milliseconds OpenSM waits by default, too. */
  public static final int DEFAULT_TIMEOUT_MS = 200;

  /** Attempts by default: OpenSM's number of retries, plus the first. */
  public static final int DEFAULT_ATTEMPTS = 4;

  /** OpenSM lets a packet wait at the head of a queue for 4.096 us * 2^18 before it goes. */
  public static final int DEFAULT_DRAIN_MS = 1_100;

  public SmpOptions {
    if (window < 1 || window > TransactionId.SLOTS) {
      throw new IllegalArgumentException("a window of " + window + " is not 1..256");
    }
    if (timeoutMs < 1) {
      throw new IllegalArgumentException("a timeout of " + timeoutMs + " ms");
    }
    if (attempts < 1 || attempts > TransactionId.ATTEMPTS) {
      throw new IllegalArgumentException(attempts + " attempts are not 1..16");
    }
    if (drainMs < 0) {
      throw new IllegalArgumentException("packets in flight cannot get " + drainMs + " ms");
    }
  }

  /** With the default time for packets under way. */
  public SmpOptions(int window, int timeoutMs, int attempts) {
    this(window, timeoutMs, attempts, DEFAULT_DRAIN_MS);
  }

  /** What is safe on a transport, with OpenSM's timer. */
  public static SmpOptions of(SmpTransport transport) {
    return new SmpOptions(transport.safeWindow(), DEFAULT_TIMEOUT_MS, DEFAULT_ATTEMPTS);
  }

  /** The same with another window. */
  public SmpOptions withWindow(int requests) {
    return new SmpOptions(requests, timeoutMs, attempts, drainMs);
  }

  /** The same with another time for packets under way. */
  public SmpOptions withDrain(int milliseconds) {
    return new SmpOptions(window, timeoutMs, attempts, milliseconds);
  }
}
