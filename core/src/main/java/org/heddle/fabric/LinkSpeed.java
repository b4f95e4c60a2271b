package org.heddle.fabric;

import java.util.Locale;
import java.util.Optional;

/** Active speed of a link, per lane. */
public enum LinkSpeed {
  UNKNOWN(0, 0),
  SDR(2_000, 2.5),
  DDR(4_000, 5),
  QDR(8_000, 10),
  FDR10(10_000, 10),
  FDR(13_636, 14),
  EDR(25_000, 25),
  HDR(50_000, 50),
  NDR(100_000, 100),
  XDR(200_000, 200);

  private final int laneMegabits;
  private final double laneGigabits;

  LinkSpeed(int laneMegabits, double laneGigabits) {
    this.laneMegabits = laneMegabits;
    this.laneGigabits = laneGigabits;
  }

  /** Data rate of one lane after line coding, in Mbit/s; 0 for {@link #UNKNOWN}. */
  public int laneMegabits() {
    return laneMegabits;
  }

  /**
   * What one lane signals, in Gbit/s, as the rates of paths and multicast groups count it ({@link
   * PathRate}); 0 for {@link #UNKNOWN}.
   */
  public double laneGigabits() {
    return laneGigabits;
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
