package org.heddle.plan.model;

import java.util.List;

/**
 * A partition as the fabric should have it.
 *
 * @param name of its tenant
 * @param members ports of the tenant's hosts and those it named
 */
public record Partition(String name, PartitionOptions options, List<Member> members) {
  public Partition {
    members = List.copyOf(members);
  }
}
