package org.heddle.agent;

import java.util.ArrayDeque;

/**
 * How often something may be corrected: so many times in a minute, whoever makes it wrong again.
 * Each cause has a budget of its own, so that somebody who keeps writing one thing does not keep
 * others from being corrected. Not thread-safe.
 */
final class Budget {
  private static final long PERIOD_NANOS = 60_000_000_000L;

  private final int most;
  private final ArrayDeque<Long> taken = new ArrayDeque<>();

  /**
   * @param most times a minute
   */
  Budget(int most) {
    this.most = most;
  }

  /** True if it may be done now. */
  boolean allows(long nowNanos) {
    while (!taken.isEmpty() && nowNanos - taken.peekFirst() > PERIOD_NANOS) {
      taken.removeFirst();
    }
    return taken.size() < most;
  }

  /** It was done. */
  void take(long nowNanos) {
    taken.addLast(nowNanos);
  }
}
