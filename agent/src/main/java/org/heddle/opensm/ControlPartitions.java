package org.heddle.opensm;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.heddle.plan.model.Partition;
import org.heddle.plan.model.PartitionOptions;
import org.heddle.text.Parsed;
import org.heddle.text.Source;
import org.heddle.text.opensm.PartitionsConf;
import org.heddle.text.opensm.PartitionsConf.Definition;
import org.heddle.text.opensm.PartitionsConf.GroupFlags;
import org.heddle.text.opensm.PartitionsConf.Member;
import org.heddle.text.opensm.PartitionsConf.Membership;
import org.heddle.text.opensm.PartitionsConfReader;

/**
 * The controller's partitions as OpenSM's. The default partition is that of {@link TenantFiles},
 * unless a site had another. What a site's definitions said that tenants cannot is written as it
 * was, before the members. Members the fabric does not have yet are named with the others. OpenSM
 * puts a key at index 0 for all members of its partition or for none: it does where every member
 * asks for that. All other indices are OpenSM's choice.
 */
public final class ControlPartitions {
  private ControlPartitions() {}

  /** Partitions by ascending key. */
  public static PartitionsConf of(List<Partition> partitions) {
    List<Member> everybody = TenantFiles.everybody();
    List<Definition> sites = List.of();
    List<Definition> definitions = new ArrayList<>();
    for (Partition p : partitions) {
      List<Member> members = new ArrayList<>();
      p.members()
          .forEach(
              m ->
                  members.add(
                      Member.of(m.guid(), m.full() ? Membership.FULL : Membership.LIMITED)));
      if (p.options().pkey() == PartitionOptions.MANAGEMENT) {
        sites = kept(p, members);
        everybody.addAll(members);
      } else if (!p.options().kept().isEmpty()) {
        definitions.addAll(kept(p, members));
      } else {
        definitions.add(
            definition(
                p.name(),
                p.options().pkey(),
                indexZero(p),
                p.options().ipOverIb(),
                TenantFiles.flags(
                    p.options().mtu(), p.options().rate(), p.options().serviceLevel()),
                members));
      }
    }
    if (sites.isEmpty()) {
      definitions.addFirst(
          definition(
              "Default", PartitionsConf.DEFAULT_PKEY, false, false, GroupFlags.DEFAULT, everybody));
    } else {
      definitions.addAll(0, sites);
    }
    return new PartitionsConf(definitions);
  }

  /**
   * The definitions that a site had of a partition, and the members in the last of them; none if it
   * had none. The key is the tenant's, and the service level, if that was changed since.
   *
   * @throws IllegalStateException if the text is not what {@link SiteImport} makes
   */
  private static List<Definition> kept(Partition p, List<Member> members) {
    PartitionOptions options = p.options();
    if (options.kept().isEmpty()) {
      return List.of();
    }
    Parsed<PartitionsConf> text =
        PartitionsConfReader.read(Source.of("partition " + p.name(), options.kept()));
    if (!text.ok()) {
      throw new IllegalStateException(
          "the definitions that were kept of partition '"
              + p.name()
              + "' cannot be read: "
              + text.problems());
    }
    List<Definition> all = text.get().definitions();
    boolean sameLevel = all.getFirst().flags().sl() == options.serviceLevel();
    List<Definition> out = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      Definition d = all.get(i);
      List<Member> joined = new ArrayList<>(d.members());
      joined.addAll(i == all.size() - 1 ? members : List.of());
      GroupFlags f = d.flags();
      int sl = sameLevel ? f.sl() : options.serviceLevel();
      out.add(
          new Definition(
              0,
              d.name(),
              options.pkey(),
              false,
              d.indexZero(),
              d.ipoib(),
              new GroupFlags(
                  f.mtu(), f.rate(), sl, f.scopes(), f.qKey(), f.trafficClass(), f.flowLabel()),
              d.defaultMembership(),
              joined,
              d.groups()));
    }
    return out;
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
