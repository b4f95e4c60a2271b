package org.heddle.verify.isolation;

import org.heddle.tenancy.PartitionMember;

/** Chooses the destinations that count in {@link IsolationAudit#contention}. */
@FunctionalInterface
public interface Receivers {
  /**
   * True if the LIDs of this member count as destinations of this partition's routes.
   *
   * @param partition index in the tenancy
   */
  boolean test(int partition, PartitionMember member);
}
