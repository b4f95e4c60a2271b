package org.heddle.tenancy;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * All partitions of a fabric whose traffic counts, with the rules that apply to them. The default
 * partition, through which only management talks, is not among them unless the operator made it a
 * tenant. Immutable; valid for one fabric snapshot.
 *
 * @param rules what holds for the whole fabric
 * @param partitions in the order of the source; the position is the partition's index everywhere
 */
public record Tenancy(Rules rules, List<Partition> partitions) {

  /** No partitions: all traffic is one. */
  public static final Tenancy NONE = new Tenancy(Rules.BEST_EFFORT, List.of());

  /** The number of data lanes an InfiniBand port can have at most: VL15 is management's. */
  public static final int MAX_DATA_LANES = 15;

  public Tenancy {
    partitions = List.copyOf(partitions);
    Set<String> names = new HashSet<>();
    Set<Integer> keys = new HashSet<>();
    for (Partition p : partitions) {
      if (!names.add(p.name()) || !keys.add(p.pkey())) {
        throw new IllegalArgumentException("name or P_Key of " + p.name() + " used twice");
      }
    }
  }

  /**
   * Rules of the fabric.
   *
   * @param strict a policy that cannot be kept makes routing fail; otherwise it is kept as far as
   *     possible and reported
   * @param dataLanes data virtual lanes available, VL0 .. VL(n-1), 1..15
   * @param physicalShare largest share of the switch-to-switch channels that partitions with policy
   *     {@link IsolationPolicy#PHY} may take together, 0..1
   * @param sharing groups of partition indices that may share channels and lanes with each other
   *     whatever their policy
   */
  public record Rules(
      boolean strict, int dataLanes, double physicalShare, List<Set<Integer>> sharing) {
    /** Best effort, 8 lanes, no cap, no groups. */
    public static final Rules BEST_EFFORT = new Rules(false, 8, 1.0, List.of());

    public Rules {
      sharing = sharing.stream().map(Set::copyOf).toList();
      if (dataLanes < 1 || dataLanes > MAX_DATA_LANES) {
        throw new IllegalArgumentException(dataLanes + " data lanes are not 1..15");
      }
      if (!(physicalShare >= 0 && physicalShare <= 1)) {
        throw new IllegalArgumentException("share " + physicalShare + " is not 0..1");
      }
    }
  }

  /** True if the two partitions need not be kept apart. */
  public boolean mayShare(int a, int b) {
    if (a == b) {
      return true;
    }
    for (Set<Integer> group : rules.sharing()) {
      if (group.contains(a) && group.contains(b)) {
        return true;
      }
    }
    return false;
  }

  /** The same partitions under other rules. */
  public Tenancy withRules(Rules other) {
    return new Tenancy(other, partitions);
  }

  /** True if some partition's policy is physical isolation, the only one that decides routes. */
  public boolean hasPhysical() {
    return partitions.stream().anyMatch(p -> p.policy() == IsolationPolicy.PHY);
  }

  /** The same partitions, none of which is promised anything. */
  public Tenancy withoutPolicies() {
    List<Partition> free =
        partitions.stream()
            .map(
                p ->
                    new Partition(
                        p.name(), p.pkey(), IsolationPolicy.DEF, p.members(), p.pending()))
            .toList();
    return new Tenancy(rules, free);
  }
}
