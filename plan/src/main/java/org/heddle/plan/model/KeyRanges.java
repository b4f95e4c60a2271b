package org.heddle.plan.model;

import java.util.Map;
import org.heddle.tenancy.PKeys;

/**
 * Which keys partitions of each origin may have.
 *
 * @param operator of those made by the provider or tenants; keys that the controller chooses are in
 *     it, too
 * @param client of those made by clients of UFM's partition interface
 * @param job of those made by jobs
 */
public record KeyRanges(Range operator, Range client, Range job) {
  /** Keys from {@code first} to {@code last}, both of them included, without the membership bit. */
  public record Range(int first, int last) {
    /** Every key that a tenant can have. */
    public static final Range ALL = new Range(1, PKeys.LAST);

    public Range {
      if (first < 1 || last > PKeys.LAST || first > last) {
        throw new IllegalArgumentException("no range of keys: " + first + " to " + last);
      }
    }

    boolean has(int key) {
      return key >= first && key <= last;
    }

    @Override
    public String toString() {
      return "0x%x-0x%x".formatted(first, last);
    }
  }

  /** Every key for everybody. */
  public static final KeyRanges ALL = new KeyRanges(Range.ALL, Range.ALL, Range.ALL);

  private static final Map<Origin, String> CONFIGURATION =
      Map.of(
          Origin.OPERATOR, "tenant_keys",
          Origin.SITE, "tenant_keys",
          Origin.CLIENT, "client_keys",
          Origin.JOBS, "job_keys",
          Origin.JOB, "job_keys",
          Origin.SHARED, "job_keys",
          Origin.UNKNOWN, "client_keys");

  /**
   * True if a partition of an origin may have a key; the default partition's is everybody's, and
   * what a site had before keeps its key.
   */
  public boolean allow(Origin origin, int key) {
    return key == PartitionOptions.MANAGEMENT || origin == Origin.SITE || of(origin).has(key);
  }

  /** The keys of an origin. */
  public Range of(Origin origin) {
    return switch (origin) {
      case OPERATOR, SITE -> operator;
      case CLIENT, UNKNOWN -> client;
      case JOBS, JOB, SHARED -> job;
    };
  }

  /** The name of an origin's range in a controller's configuration. */
  public static String key(Origin origin) {
    return CONFIGURATION.get(origin);
  }
}
