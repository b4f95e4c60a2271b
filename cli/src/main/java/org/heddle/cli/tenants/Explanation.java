package org.heddle.cli.tenants;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.tenancy.IsolationPolicy;
import org.heddle.tenancy.Partition;
import org.heddle.tenancy.PartitionMember;
import org.heddle.tenancy.Tenancy;
import org.heddle.text.tenants.ResolvedTenants;
import org.heddle.text.tenants.TenantsEnvironment;
import org.heddle.text.tenants.TenantsNames;

/**
 * What a tenants file comes to on a fabric; the JSON output of {@code heddle tenants explain}, and
 * what is printed for people. {@code docs/json.md} explains the keys.
 *
 * @param sharedHosts hosts in several tenants: they tie these together
 * @param freeHosts hosts in no tenant
 */
record Explanation(
    String format,
    String file,
    String fabric,
    boolean strict,
    int dataLanes,
    double physicalShare,
    List<Tenant> tenants,
    List<SharedHost> sharedHosts,
    List<String> freeHosts) {

  /** One tenant. */
  record Tenant(
      String name,
      int line,
      String pkey,
      String pkeyFull,
      boolean automaticKey,
      IsolationPolicy policy,
      String policyInWords,
      boolean exclusive,
      List<String> mayShareWith,
      int hosts,
      int full,
      int limited,
      List<Leaf> leaves,
      List<Member> members,
      List<Pending> pending,
      List<String> environment) {}

  /** A leaf with members: how the tenant is spread. */
  record Leaf(String name, String guid, int ports, List<String> hosts) {}

  /** A member port. */
  record Member(String host, String guid, int port, boolean full, int weight) {}

  /** A member without a usable port. */
  record Pending(String guid, int line, boolean full, ResolvedTenants.Reason reason) {}

  /** A host in several tenants. */
  record SharedHost(String host, List<String> tenants) {}

  static Explanation of(String file, String fabricFile, ResolvedTenants resolved, Fabric fabric) {
    Tenancy tenancy = resolved.tenancy();
    TenantsNames names = new TenantsNames(fabric);
    Map<String, Set<String>> owners = new LinkedHashMap<>();
    names.all().forEach(host -> owners.put(host, new LinkedHashSet<>()));
    List<Tenant> tenants = new ArrayList<>();
    for (int i = 0; i < tenancy.partitions().size(); i++) {
      Partition p = tenancy.partitions().get(i);
      for (PartitionMember m : p.members()) {
        owners.computeIfAbsent(names.of(m.port()), k -> new LinkedHashSet<>()).add(p.name());
      }
      tenants.add(tenant(tenancy, i, resolved.tenants().get(i), fabric, names));
    }
    List<SharedHost> shared = new ArrayList<>();
    List<String> free = new ArrayList<>();
    owners.forEach(
        (host, in) -> {
          if (in.size() > 1) {
            shared.add(new SharedHost(host, List.copyOf(in)));
          } else if (in.isEmpty()) {
            free.add(host);
          }
        });
    return new Explanation(
        "heddle.tenants-explain/1",
        file,
        fabricFile,
        tenancy.rules().strict(),
        tenancy.rules().dataLanes(),
        tenancy.rules().physicalShare(),
        tenants,
        shared,
        free);
  }

  private static Tenant tenant(
      Tenancy tenancy,
      int index,
      ResolvedTenants.Details details,
      Fabric fabric,
      TenantsNames names) {
    Partition p = tenancy.partitions().get(index);
    List<String> share = new ArrayList<>();
    for (int other = 0; other < tenancy.partitions().size(); other++) {
      if (other != index && tenancy.mayShare(index, other)) {
        share.add(tenancy.partitions().get(other).name());
      }
    }
    List<Member> members = new ArrayList<>();
    int full = 0;
    for (PartitionMember m : p.members()) {
      full += m.full() ? 1 : 0;
      members.add(
          new Member(
              names.of(m.port()),
              Guid.format(fabric.portGuid(m.port())),
              fabric.numberOf(m.port()),
              m.full(),
              m.weight()));
    }
    List<Pending> pending = new ArrayList<>();
    for (ResolvedTenants.Pending q : details.pending()) {
      pending.add(new Pending(q.guid().toString(), q.line(), q.full(), q.reason()));
    }
    return new Tenant(
        p.name(),
        details.line(),
        "0x%04x".formatted(p.pkey()),
        "0x%04x".formatted(p.pkey() | 0x8000),
        details.automaticKey(),
        p.policy(),
        words(p.policy()),
        details.exclusive(),
        share,
        details.hosts().size(),
        full,
        members.size() - full,
        leaves(p, fabric, names),
        members,
        pending,
        TenantsEnvironment.lines(p));
  }

  private static String words(IsolationPolicy policy) {
    return switch (policy) {
      case PHY -> "its traffic shares no channel between switches with another tenant's";
      case VLANE -> "where it shares a channel with another tenant, it is on another virtual lane";
      case DEF -> "kept apart from others as far as balance and lanes allow";
    };
  }

  private static List<Leaf> leaves(Partition p, Fabric fabric, TenantsNames names) {
    TreeMap<Integer, Set<String>> hosts = new TreeMap<>();
    TreeMap<Integer, Integer> ports = new TreeMap<>();
    for (PartitionMember m : p.members()) {
      int leaf = fabric.attachedSwitch(m.port());
      hosts.computeIfAbsent(leaf, k -> new LinkedHashSet<>()).add(names.of(m.port()));
      ports.merge(leaf, 1, Integer::sum);
    }
    List<Leaf> out = new ArrayList<>();
    hosts.forEach(
        (leaf, set) ->
            out.add(
                leaf == Fabric.NONE
                    ? new Leaf("(no switch)", null, ports.get(leaf), List.copyOf(set))
                    : new Leaf(
                        fabric.description(leaf),
                        Guid.format(fabric.nodeGuid(leaf)),
                        ports.get(leaf),
                        List.copyOf(set))));
    return out;
  }
}
