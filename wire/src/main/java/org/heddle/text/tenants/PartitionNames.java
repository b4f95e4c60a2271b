package org.heddle.text.tenants;

import java.util.HashSet;
import java.util.Set;

/**
 * Names of tenants for partitions, whose names may be anything: what no tenant's name can have
 * becomes {@code _}, and a name that is taken {@code pkey-} and the key. Not thread-safe.
 */
public final class PartitionNames {
  private static final int MAX_NAME = 31;

  private final Set<String> taken;

  /** With names that are taken already. */
  public PartitionNames(Set<String> taken) {
    this.taken = new HashSet<>(taken);
  }

  /**
   * The tenant's name for a partition; it is taken from then on.
   *
   * @param wanted the partition's name, possibly empty
   * @param pkey its key without membership bit
   */
  public String of(String wanted, int pkey) {
    StringBuilder safe = new StringBuilder();
    for (int i = 0; i < wanted.length() && safe.length() < MAX_NAME; i++) {
      String next = safe.toString() + wanted.charAt(i);
      safe.append(TenantsChecks.isName(next) ? wanted.charAt(i) : safe.isEmpty() ? 'p' : '_');
    }
    String fallback = "pkey-%04x".formatted(pkey);
    String name = safe.isEmpty() ? fallback : safe.toString();
    if (name.equalsIgnoreCase("default") || !taken.add(name)) {
      name = fallback;
      while (!taken.add(name)) {
        name += "x";
      }
    }
    return name;
  }
}
