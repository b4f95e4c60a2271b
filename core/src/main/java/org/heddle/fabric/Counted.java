package org.heddle.fabric;

import java.util.Locale;

/**
 * Numbers with their nouns: what says how many there are says "1 leaf", not "1 leaves". A test of
 * the sources ({@code PluralsTest}) finds messages that do without.
 */
public final class Counted {
  private Counted() {}

  /** {@code 1 leaf}, {@code 1,024 leaves}. */
  public static String of(long count, String one, String many) {
    return String.format(Locale.ROOT, "%,d %s", count, count == 1 ? one : many);
  }

  /**
   * The machines of a fabric: {@code 16 hosts} where each has one adapter, else {@code 4 machines
   * with 16 adapters}. Aggregation nodes inside switches are no machines.
   */
  public static String machines(Fabric fabric) {
    Machines machines = fabric.machines();
    return machines.count() == machines.adapterCount()
        ? of(machines.count(), "host", "hosts")
        : of(machines.count(), "machine", "machines")
            + " with "
            + of(machines.adapterCount(), "adapter", "adapters");
  }
}
