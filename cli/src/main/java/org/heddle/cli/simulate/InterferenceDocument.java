package org.heddle.cli.simulate;

import java.util.List;

/**
 * The JSON output of {@code simulate interference}.
 *
 * @param plan tables of the plan, null for none
 * @param tenants in the order of the tenants file
 */
record InterferenceDocument(
    String format,
    String fabric,
    String tables,
    String tenantsFile,
    String plan,
    long trials,
    long seed,
    List<Tenant> tenants) {
  static final String FORMAT = "heddle.simulate-interference/1";

  /**
   * One tenant.
   *
   * @param pattern what it runs while it is measured
   * @param now with the tables as they are
   * @param planned with those of the plan, null for none
   */
  record Tenant(String name, int hosts, String pattern, Effect now, Effect planned) {}

  /**
   * What the others do to a tenant. Delays are means over trials of dep_max_delay, bandwidths
   * shares of a link.
   *
   * @param slowdown noisy delay divided by quiet delay, null if there is no delay
   */
  record Effect(
      double quietDelay,
      double noisyDelay,
      Double slowdown,
      int worstDelay,
      Double quietBandwidth,
      Double noisyBandwidth,
      long lostFlows) {}
}
