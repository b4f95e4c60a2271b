package org.heddle.plan.model;

/**
 * A port in a partition, named by its port GUID. The port need not be in the fabric yet (a virtual
 * function that is not up): then it is pending.
 *
 * @param full full member, else limited
 * @param index0 true if the key goes to index 0 of the port's table
 * @param label the client's name for it, such as OpenStack's port id; empty if it has none
 */
public record Member(long guid, boolean full, boolean index0, String label) {
  /** Without a label. */
  public Member(long guid, boolean full, boolean index0) {
    this(guid, full, index0, "");
  }
}
