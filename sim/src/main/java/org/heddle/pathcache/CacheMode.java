package org.heddle.pathcache;

import java.util.Locale;

/** How peers use path records (Tasoulas, thesis, paper I, algorithm 2). */
public enum CacheMode {
  /** Every attempt to connect asks the subnet administrator. */
  OFF,
  /**
   * One query for a destination GID, ever: what is in the cache is used, right or wrong. Meant for
   * subnets where addresses move along and all links are equal.
   */
  ON,
  /**
   * A record is compared with the path before it is used: its LIDs, its MTU, its rate. If it
   * promises what the path does not hold any more, it is thrown away and asked for again.
   */
  CHECKED;

  /** The name users type. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }
}
