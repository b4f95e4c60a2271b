package org.heddle.emulator;

import java.util.function.LongSupplier;

/** A clock that stands still unless it is moved: with it the same input gives the same bytes. */
public final class VirtualClock implements LongSupplier {
  private long nowNs;

  @Override
  public long getAsLong() {
    return nowNs;
  }

  /** Moves the clock on; to a moment that is over it does nothing. */
  public void advanceTo(long ns) {
    nowNs = Math.max(nowNs, ns);
  }
}
