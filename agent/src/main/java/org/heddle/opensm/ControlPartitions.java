package org.heddle.opensm;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.heddle.plan.model.Partition;
import org.heddle.plan.model.PartitionOptions;
import org.heddle.text.opensm.PartitionsConf;
import org.heddle.text.opensm.PartitionsConf.Definition;
import org.heddle.text.opensm.PartitionsConf.GroupFlags;
import org.heddle.text.opensm.PartitionsConf.Member;
import org.heddle.text.opensm.PartitionsConf.Membership;

/**
 * The controller's partitions as OpenSM's. The default partition is that of {@link TenantFiles}.
 * Members the fabric does not have yet are named with the others. OpenSM puts a key at index 0 for
 * all members of its partition or for none: it does where every member asks for that. All other
 * indices are OpenSM's choice.
 */
public final class ControlPartitions {
  private static final int MTU_2048 = 4;
  private static final int MTU_4096 = 5;

  /** Codes of rates in Gbit/s, of PathRecord and multicast groups. */
  private static final Map<Double, Integer> RATES =
      Map.ofEntries(
          Map.entry(2.5, 2),
          Map.entry(5.0, 5),
          Map.entry(10.0, 3),
          Map.entry(14.0, 11),
          Map.entry(20.0, 6),
          Map.entry(25.0, 15),
          Map.entry(30.0, 4),
          Map.entry(40.0, 7),
          Map.entry(56.0, 12),
          Map.entry(60.0, 8),
          Map.entry(80.0, 9),
          Map.entry(100.0, 16),
          Map.entry(112.0, 13),
          Map.entry(120.0, 10),
          Map.entry(168.0, 14),
          Map.entry(200.0, 17),
          Map.entry(300.0, 18));

  private ControlPartitions() {}

  /** Partitions by ascending key. */
  public static PartitionsConf of(List<Partition> partitions) {
    List<Member> everybody = TenantFiles.everybody();
    List<Definition> definitions = new ArrayList<>();
    for (Partition p : partitions) {
      List<Member> members = new ArrayList<>();
      p.members()
          .forEach(
              m ->
                  members.add(
                      Member.of(m.guid(), m.full() ? Membership.FULL : Membership.LIMITED)));
      if (p.options().pkey() == PartitionOptions.MANAGEMENT) {
        everybody.addAll(members);
      } else {
        definitions.add(
            definition(
                p.name(),
                p.options().pkey(),
                indexZero(p),
                p.options().ipOverIb(),
                flags(p.options()),
                members));
      }
    }
    definitions.addFirst(
        definition(
            "Default", PartitionsConf.DEFAULT_PKEY, false, false, GroupFlags.DEFAULT, everybody));
    return new PartitionsConf(definitions);
  }

  /** True if a partition's key goes to index 0 of its members' tables. */
  public static boolean indexZero(Partition p) {
    return !p.members().isEmpty()
        && p.members().stream().allMatch(org.heddle.plan.model.Member::index0);
  }

  /**
   * Lanes for partitions with service levels, as those of a plan have them; without one QoS stays
   * off.
   *
   * @param partitions by ascending key
   */
  public static Optional<OpensmFiles.Qos> qos(List<Partition> partitions) {
    if (partitions.stream().allMatch(p -> p.options().serviceLevel() == 0)) {
      return Optional.empty();
    }
    List<PartitionLevels.Partition> byKey = new ArrayList<>();
    TreeSet<Integer> used = new TreeSet<>();
    for (Partition p : partitions) {
      PartitionOptions options = p.options();
      if (options.pkey() != PartitionOptions.MANAGEMENT) {
        used.add(options.serviceLevel());
        byKey.add(new PartitionLevels.Partition(options.pkey(), options.serviceLevel()));
      }
    }
    return Optional.of(
        new OpensmFiles.Qos(
            new QosOptions(PartitionOptions.LANES), PartitionLevels.policy(byKey, used)));
  }

  private static GroupFlags flags(PartitionOptions options) {
    GroupFlags usual = GroupFlags.DEFAULT;
    return new GroupFlags(
        options.mtu() == 0 ? usual.mtu() : options.mtu() > 2048 ? MTU_4096 : MTU_2048,
        RATES.getOrDefault(options.rate(), usual.rate()),
        options.serviceLevel(),
        0,
        0,
        0,
        0);
  }

  private static Definition definition(
      String name,
      int pkey,
      boolean indexZero,
      boolean ipoib,
      GroupFlags flags,
      List<Member> members) {
    return new Definition(
        0, name, pkey, false, indexZero, ipoib, flags, Membership.LIMITED, members, List.of());
  }
}
