package org.heddle.server.http;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/**
 * Has each of many do a few things at once, and its others wait for their turn in the order in
 * which they came. Who has nothing to do is forgotten. Thread-safe.
 */
public final class Turns {
  private static final int AT_ONCE = 2;

  private final Map<String, Gate> gates = new ConcurrentHashMap<>();

  /** Where somebody's things wait. */
  private static final class Gate {
    private final Semaphore free = new Semaphore(AT_ONCE, true);

    /** Those that wait or are under way; changed under the lock of its entry. */
    private int there;
  }

  /** Does something when it is its turn. */
  public <T> T in(String who, Supplier<T> work) {
    Gate gate =
        gates.compute(
            who,
            (_, there) -> {
              Gate g = there == null ? new Gate() : there;
              g.there++;
              return g;
            });
    gate.free.acquireUninterruptibly();
    try {
      return work.get();
    } finally {
      gate.free.release();
      gates.computeIfPresent(who, (_, g) -> --g.there == 0 ? null : g);
    }
  }
}
