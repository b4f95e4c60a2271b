package org.heddle.server.http;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How often each of many may do something: at a rate, and more than that at once after a rest (a
 * token bucket, kept as the time at which it will be full again: the generic cell rate algorithm of
 * ITU-T I.371). Who has not done anything for long is forgotten, and if there are too many, who did
 * something longest ago. Thread-safe; O(1).
 */
public final class Rates {
  /** Names that are remembered. */
  private static final int MOST = 20_000;

  private final long interval;
  private final long burst;

  /** When each one's bucket is full again. */
  private final Map<String, Long> full =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
          return size() > MOST;
        }
      };

  /**
   * A rate.
   *
   * @param intervalNanos between two in the long run; 0 for no limit
   * @param atOnce how many may come at once
   */
  public Rates(long intervalNanos, int atOnce) {
    this.interval = intervalNanos;
    this.burst = intervalNanos * (atOnce - 1);
  }

  /**
   * Counts one, if it may be.
   *
   * @param now in nanoseconds, never less than before
   * @return 0 if it may be, else the nanoseconds until it may: it is not counted then
   */
  public synchronized long take(String who, long now) {
    if (interval == 0) {
      return 0;
    }
    long at = Math.max(now, full.getOrDefault(who, now));
    if (at - now > burst) {
      return at - now - burst;
    }
    full.put(who, at + interval);
    return 0;
  }

  /** Takes back one that was counted. */
  public synchronized void giveBack(String who) {
    full.computeIfPresent(who, (_, at) -> at - interval);
  }
}
