package org.heddle.server.ufm;

import org.heddle.fabric.PathRate;
import org.heddle.plan.model.PartitionOptions;

/**
 * Quality of service of a partition as the API says it.
 *
 * @param mtuLimit 2 or 4 (kilobytes)
 * @param serviceLevel 0 to 15
 * @param rateLimit Gbit/s, one of {@link PathRate}
 */
record UfmQuality(double mtuLimit, double serviceLevel, double rateLimit) {
  private static final int KILOBYTE = 1024;

  /** What OpenSM gives a partition of which nobody said anything. */
  static final UfmQuality DEFAULT = new UfmQuality(2, 0, 10);

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
    if (PathRate.of(rateLimit).isEmpty()) {
      return "rate_limit must be one of " + PathRate.words();
    }
    return null;
  }
}
