package org.heddle.plan.model;

import java.util.Optional;

/**
 * A tenant's partition.
 *
 * @param pkey 0x1 to 0x7ffe; 0 in a request leaves the choice to the controller; {@link
 *     #MANAGEMENT} for the default partition's tenant
 * @param ipOverIb whether IP over InfiniBand gets its broadcast group
 * @param index0 whether the key goes to index 0 at ports of hosts
 * @param mtu in bytes, 0 for the default
 * @param rate in Gbit/s, 0 for the default
 * @param serviceLevel 0 to 15
 * @param ephemeral true if the tenant is deleted with its last member, like partitions that a UFM
 *     client made by adding members
 * @param origin who made it
 * @param label the client's name for it, such as OpenStack's network id; empty if it has none; see
 *     {@link #givenName}
 * @param kept definitions of OpenSM's {@code partitions.conf} that a site had and that say what a
 *     tenant cannot, such as {@code ALL=limited}: they are written as they are, before the members;
 *     empty if there are none
 */
public record PartitionOptions(
    int pkey,
    boolean ipOverIb,
    boolean index0,
    int mtu,
    double rate,
    int serviceLevel,
    boolean ephemeral,
    Origin origin,
    String label,
    String kept) {
  /** The default partition's key, in which every port is a limited member. */
  public static final int MANAGEMENT = 0x7fff;

  /** Data lanes that are counted on, VL0 to VL7; a service level's lane is its remainder. */
  public static final int LANES = 8;

  /** Begins the label of a partition whose name no tenant can have. */
  private static final String NAMED = "name=";

  /** The controller chooses the key. */
  public static final PartitionOptions AUTOMATIC = ofKey(0);

  /** Without definitions that are kept. */
  public PartitionOptions(
      int pkey,
      boolean ipOverIb,
      boolean index0,
      int mtu,
      double rate,
      int serviceLevel,
      boolean ephemeral,
      Origin origin,
      String label) {
    this(pkey, ipOverIb, index0, mtu, rate, serviceLevel, ephemeral, origin, label, "");
  }

  /** That key, everything else as usual. */
  public static PartitionOptions ofKey(int pkey) {
    return new PartitionOptions(pkey, false, false, 0, 0, 0, false, Origin.OPERATOR, "");
  }

  /** The same with another key. */
  public PartitionOptions withKey(int other) {
    return new PartitionOptions(
        other, ipOverIb, index0, mtu, rate, serviceLevel, ephemeral, origin, label, kept);
  }

  /** The same with or without IP over InfiniBand. */
  public PartitionOptions withIpOverIb(boolean other) {
    return new PartitionOptions(
        pkey, other, index0, mtu, rate, serviceLevel, ephemeral, origin, label, kept);
  }

  /** The same with another service level. */
  public PartitionOptions withServiceLevel(int level) {
    return withQuality(mtu, rate, level);
  }

  /** The same with another quality of service. */
  public PartitionOptions withQuality(int otherMtu, double otherRate, int level) {
    return new PartitionOptions(
        pkey, ipOverIb, index0, otherMtu, otherRate, level, ephemeral, origin, label, kept);
  }

  /** The same, going with its last member. */
  public PartitionOptions whileItHasMembers() {
    return new PartitionOptions(
        pkey, ipOverIb, index0, mtu, rate, serviceLevel, true, origin, label, kept);
  }

  /** The same under a client's name for it. */
  public PartitionOptions withLabel(String other) {
    return new PartitionOptions(
        pkey, ipOverIb, index0, mtu, rate, serviceLevel, ephemeral, origin, other, kept);
  }

  /** The same with definitions of a site that are written as they are. */
  public PartitionOptions withKept(String definitions) {
    return new PartitionOptions(
        pkey, ipOverIb, index0, mtu, rate, serviceLevel, ephemeral, origin, label, definitions);
  }

  /** The same as a change of another: who made that, and what a site had, stay. */
  public PartitionOptions ofBefore(PartitionOptions before) {
    return withOrigin(before.origin).withKept(before.kept);
  }

  /** The same under a name that tenants cannot have, as one with blanks; empty for none. */
  public PartitionOptions withGivenName(String name) {
    return withLabel(name.isEmpty() ? "" : NAMED + name);
  }

  /** The name that a client gave it, if tenants cannot have such a name. */
  public Optional<String> givenName() {
    return label.startsWith(NAMED)
        ? Optional.of(label.substring(NAMED.length()))
        : Optional.empty();
  }

  /** True if the label is the id of a client's network. */
  public boolean isNetwork() {
    return !label.isEmpty() && !label.startsWith(NAMED);
  }

  /** The same, made by somebody else. */
  public PartitionOptions withOrigin(Origin other) {
    return new PartitionOptions(
        pkey, ipOverIb, index0, mtu, rate, serviceLevel, ephemeral, other, label, kept);
  }

  /** True if a key can be a tenant's. */
  public static boolean isKey(int pkey) {
    return pkey >= 1 && pkey < MANAGEMENT;
  }
}
