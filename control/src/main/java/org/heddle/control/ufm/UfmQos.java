package org.heddle.control.ufm;

import java.util.List;

/**
 * Quality of service of a partition.
 *
 * @param mtuLimit 2 or 4 (kilobytes)
 * @param serviceLevel 0 to 15
 * @param rateLimit Gbit/s, one of {@link #RATES}
 */
public record UfmQos(int mtuLimit, int serviceLevel, double rateLimit) {
  /** The rates the API knows, in Gbit/s. */
  public static final List<Double> RATES =
      List.of(
          2.5, 5.0, 10.0, 14.0, 20.0, 25.0, 30.0, 40.0, 56.0, 60.0, 80.0, 100.0, 112.0, 120.0,
          168.0, 200.0, 300.0);

  /** What a partition has of which nobody said anything: 2 KB, level 0, 2.5 Gbit/s. */
  public static final UfmQos DEFAULT = new UfmQos(2, 0, 2.5);

  /** What is wrong with the values, or null. */
  public String problem() {
    if (mtuLimit != 2 && mtuLimit != 4) {
      return "mtu_limit is " + mtuLimit + ", it must be 2 or 4";
    }
    if (serviceLevel < 0 || serviceLevel > 15) {
      return "service_level is " + serviceLevel + ", it must be 0 to 15";
    }
    if (!RATES.contains(rateLimit)) {
      return "rate_limit is " + rateLimit + ", it must be one of " + RATES;
    }
    return null;
  }
}
