package org.heddle.tenancy;

/**
 * A port in a partition.
 *
 * @param port port id in the fabric the tenancy belongs to, a linked port of a channel adapter or
 *     router
 * @param full full member; two limited members cannot talk to each other
 * @param weight how much traffic it receives, relative to others, 1 or more; 1 where nothing is
 *     known
 */
public record PartitionMember(int port, boolean full, int weight) {
  public PartitionMember {
    if (port < 0 || weight < 1) {
      throw new IllegalArgumentException("port " + port + ", weight " + weight);
    }
  }
}
