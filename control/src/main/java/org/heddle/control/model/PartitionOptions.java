package org.heddle.control.model;

/**
 * A tenant's partition.
 *
 * @param pkey 0x1 to 0x7ffe; 0 in a request leaves the choice to the controller
 * @param partition name of the partition on the fabric; empty for the tenant's
 * @param ipOverIb whether IP over InfiniBand gets its broadcast group
 * @param index0 whether the key goes to index 0 at ports of hosts
 * @param mtu in bytes, 0 for the default
 * @param rate in Gbit/s, 0 for the default
 * @param serviceLevel 0 to 15
 * @param ephemeral true if the tenant goes with its last member, as partitions do that a UFM client
 *     made by adding members
 */
public record PartitionOptions(
    int pkey,
    String partition,
    boolean ipOverIb,
    boolean index0,
    int mtu,
    double rate,
    int serviceLevel,
    boolean ephemeral) {
  /** The controller chooses the key. */
  public static final PartitionOptions AUTOMATIC = ofKey(0);

  /** That key, everything else as usual. */
  public static PartitionOptions ofKey(int pkey) {
    return new PartitionOptions(pkey, "", false, false, 0, 0, 0, false);
  }

  /** The same with another key. */
  public PartitionOptions withKey(int other) {
    return new PartitionOptions(
        other, partition, ipOverIb, index0, mtu, rate, serviceLevel, ephemeral);
  }

  /** True if a key can be a tenant's. */
  public static boolean isKey(int pkey) {
    return pkey >= 1 && pkey <= 0x7ffe;
  }
}
