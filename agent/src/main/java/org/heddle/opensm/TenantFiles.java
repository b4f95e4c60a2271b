package org.heddle.opensm;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.PathRate;
import org.heddle.tenancy.IsolationPolicy;
import org.heddle.tenancy.Lanes;
import org.heddle.tenancy.Partition;
import org.heddle.tenancy.PartitionMember;
import org.heddle.text.opensm.PartitionsConf;
import org.heddle.text.opensm.PartitionsConf.Definition;
import org.heddle.text.opensm.PartitionsConf.GroupFlags;
import org.heddle.text.opensm.PartitionsConf.Member;
import org.heddle.text.opensm.PartitionsConf.MemberKind;
import org.heddle.text.opensm.PartitionsConf.Membership;
import org.heddle.text.opensm.QosPolicy;
import org.heddle.text.tenants.ResolvedTenants;
import org.heddle.text.tenants.TenantsFile;

/**
 * What OpenSM has to know about tenants: the partitions, and the service level of their paths. Lane
 * and service level have the same number.
 */
public final class TenantFiles {
  private TenantFiles() {}

  /** Which tenants get a broadcast group, without which there is no IP over InfiniBand. */
  public enum Ipoib {
    /**
     * All but physically isolated ones: OpenSM computes multicast trees by itself, and they take
     * channels of other tenants.
     */
    AUTO,
    /** All tenants. */
    ALL,
    /** No tenant. */
    NONE;

    /** True if a tenant gets one: what its file says comes before what holds for all. */
    public boolean of(ResolvedTenants.Details tenant, IsolationPolicy policy) {
      return tenant
          .ipOverIb()
          .map(TenantsFile.IpOverIb::wanted)
          .orElse(this == ALL || this == AUTO && policy != IsolationPolicy.PHY);
    }
  }

  /**
   * The partitions. In the default partition everybody is a limited member, except switches and the
   * subnet manager: hosts reach management and it them, and not each other. It has no broadcast
   * group, which would be a tree over all tenants that none of them can use. Pending members are
   * named with the others; OpenSM passes over GUIDs it does not see, and takes them in when they
   * come.
   */
  public static PartitionsConf partitions(
      Fabric fabric, ResolvedTenants tenants, Lanes lanes, Ipoib ipoib) {
    List<Member> everybody = everybody();
    int defaultLevel = 0;
    List<Definition> definitions = new ArrayList<>();
    for (int p = 0; p < tenants.tenants().size(); p++) {
      Partition partition = tenants.tenancy().partitions().get(p);
      List<Member> members = members(fabric, partition, tenants.tenants().get(p));
      if (partition.pkey() == PartitionsConf.DEFAULT_PKEY) {
        everybody.addAll(members);
        defaultLevel = lanes.lane(p);
      } else {
        ResolvedTenants.Details details = tenants.tenants().get(p);
        definitions.add(
            definition(
                partition.name(),
                partition.pkey(),
                ipoib.of(details, partition.policy()),
                flags(details, lanes.lane(p)),
                members));
      }
    }
    GroupFlags flags = flags(0, 0, defaultLevel);
    definitions.addFirst(
        definition("Default", PartitionsConf.DEFAULT_PKEY, false, flags, everybody));
    return new PartitionsConf(definitions);
  }

  /** The members of the default partition; a list to add to. */
  static List<Member> everybody() {
    return new ArrayList<>(
        List.of(
            Member.of(MemberKind.ALL, Membership.LIMITED),
            Member.of(MemberKind.ALL_SWITCHES, Membership.FULL),
            Member.of(MemberKind.SELF, Membership.FULL)));
  }

  private static List<Member> members(
      Fabric fabric, Partition partition, ResolvedTenants.Details details) {
    List<Member> out = new ArrayList<>();
    for (PartitionMember member : partition.members()) {
      out.add(Member.of(fabric.portGuid(member.port()), membership(member.full())));
    }
    for (ResolvedTenants.Pending pending : details.pending()) {
      out.add(Member.of(pending.guid().value(), membership(pending.full())));
    }
    return out;
  }

  private static Membership membership(boolean full) {
    return full ? Membership.FULL : Membership.LIMITED;
  }

  private static GroupFlags flags(ResolvedTenants.Details tenant, int sl) {
    return tenant
        .ipOverIb()
        .map(ip -> flags(ip.mtu(), ip.rate(), sl))
        .orElseGet(() -> flags(0, 0, sl));
  }

  /**
   * What a partition's multicast groups are like.
   *
   * @param mtu in bytes, 0 for OpenSM's choice
   * @param rate in Gbit/s, 0 for OpenSM's choice
   */
  static GroupFlags flags(int mtu, double rate, int sl) {
    GroupFlags usual = GroupFlags.DEFAULT;
    return new GroupFlags(
        PathRate.mtuCode(mtu).orElse(usual.mtu()),
        PathRate.of(rate).map(PathRate::code).orElse(usual.rate()),
        sl,
        0,
        0,
        0,
        0);
  }

  private static Definition definition(
      String name, int pkey, boolean ipoib, GroupFlags flags, List<Member> members) {
    return new Definition(
        0, name, pkey, false, false, ipoib, flags, Membership.LIMITED, members, List.of());
  }

  /** The policy for path records. */
  public static QosPolicy policy(ResolvedTenants tenants, Lanes lanes) {
    List<Partition> partitions = tenants.tenancy().partitions();
    List<PartitionLevels.Partition> byKey = new ArrayList<>();
    for (int p = 0; p < tenants.tenants().size(); p++) {
      byKey.add(new PartitionLevels.Partition(partitions.get(p).pkey(), lanes.lane(p)));
    }
    byKey.sort(Comparator.comparingInt(PartitionLevels.Partition::pkey));
    int levels = byKey.isEmpty() ? 0 : lanes.used();
    return PartitionLevels.policy(byKey, IntStream.range(0, levels).boxed().toList());
  }
}
