package org.heddle.fabric;

import java.util.Locale;
import java.util.Optional;

/** Active speed of a link, per lane. */
public enum LinkSpeed {
  UNKNOWN(0),
  SDR(2_000),
  DDR(4_000),
  QDR(8_000),
  FDR10(10_000),
  FDR(13_636),
  EDR(25_000),
  HDR(50_000),
  NDR(100_000),
  XDR(200_000);

  private final int laneMegabits;

  LinkSpeed(int laneMegabits) {
    this.laneMegabits = laneMegabits;
  }

  /** Data rate of one lane after line coding, in Mbit/s; 0 for {@link #UNKNOWN}. */
  public int laneMegabits() {
    return laneMegabits;
  }

  /** The speed of that name, upper or lower case ({@code HDR}), or empty if there is none. */
  public static Optional<LinkSpeed> ofName(String name) {
    String wanted = name.toUpperCase(Locale.ROOT);
    for (LinkSpeed speed : values()) {
      if (speed != UNKNOWN && speed.name().equals(wanted)) {
        return Optional.of(speed);
      }
    }
    return Optional.empty();
  }
}
