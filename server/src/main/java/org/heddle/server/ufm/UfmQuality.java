package org.heddle.server.ufm;

import java.util.List;
import org.heddle.plan.model.PartitionOptions;

/**
 * Quality of service of a partition as the API says it.
 *
 * @param mtuLimit 2 or 4 (kilobytes)
 * @param serviceLevel 0 to 15
 * @param rateLimit Gbit/s, one of {@link #RATES}
 */
record UfmQuality(double mtuLimit, double serviceLevel, double rateLimit) {
  private static final int KILOBYTE = 1024;

  /** The rates the API knows, in Gbit/s. */
  private static final List<Double> RATES =
      List.of(
          2.5, 5.0, 10.0, 14.0, 20.0, 25.0, 30.0, 40.0, 56.0, 60.0, 80.0, 100.0, 112.0, 120.0,
          168.0, 200.0, 300.0);

  /** What a partition has of which nobody said anything. */
  static final UfmQuality DEFAULT = new UfmQuality(2, 0, 2.5);

  /** Of a partition; what is left to the default is shown as that. */
  static UfmQuality of(PartitionOptions options) {
    return new UfmQuality(
        options.mtu() == 0 ? DEFAULT.mtuLimit : Math.ceilDiv(options.mtu(), KILOBYTE),
        options.serviceLevel(),
        options.rate() == 0 ? DEFAULT.rateLimit : options.rate());
  }

  /** In bytes. */
  int mtu() {
    return (int) mtuLimit * KILOBYTE;
  }

  /** What is wrong with the values, or null. */
  String problem() {
    if (mtuLimit != 2 && mtuLimit != 4) {
      return "mtu_limit must be 2 or 4";
    }
    if (serviceLevel < 0 || serviceLevel > 15 || serviceLevel != Math.rint(serviceLevel)) {
      return "service_level must be 0 to 15";
    }
    if (!RATES.contains(rateLimit)) {
      return "rate_limit must be one of " + RATES;
    }
    return null;
  }
}
