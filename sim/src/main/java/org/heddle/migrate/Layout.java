package org.heddle.migrate;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** How virtual machines are spread over hypervisors (Tasoulas, thesis, paper V, table 4). */
public enum Layout {
  /** At random, one after the other on any hypervisor with a free function. */
  RANDOM,
  /** As many on every hypervisor, or one more. */
  UNIFORM,
  /** On as few hypervisors as will do, from the left of the tree. */
  CONSOLIDATE,
  /** Groups of machines packed like that, each on hypervisors of its own, side by side. */
  GROUPING;

  /** The name users type. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The layout of that name. */
  public static Optional<Layout> named(String key) {
    return Arrays.stream(values()).filter(l -> l.key().equals(key)).findFirst();
  }
}
