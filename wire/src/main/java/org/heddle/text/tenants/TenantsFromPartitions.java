package org.heddle.text.tenants;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.fabric.PathRate;
import org.heddle.tenancy.IsolationPolicy;
import org.heddle.text.Hostlist;
import org.heddle.text.TextOut;
import org.heddle.text.opensm.PartitionsConf;
import org.heddle.text.opensm.PartitionsConf.Definition;
import org.heddle.text.opensm.PartitionsConf.GroupFlags;
import org.heddle.text.opensm.PartitionsConf.MemberKind;
import org.heddle.text.opensm.PartitionsConf.Membership;
import org.heddle.text.tenants.TenantsFile.ByGuid;
import org.heddle.text.tenants.TenantsFile.Hosts;
import org.heddle.text.tenants.TenantsFile.IpOverIb;
import org.heddle.text.tenants.TenantsFile.Member;
import org.heddle.text.tenants.TenantsFile.Rules;
import org.heddle.text.tenants.TenantsFile.Tenant;

/** Makes a tenants file of a {@code partitions.conf}. */
final class TenantsFromPartitions {
  private final Optional<Fabric> fabric;
  private final Optional<TenantsHosts> hosts;
  private final PartitionNames names = new PartitionNames(Set.of());
  private final List<String> notes = new ArrayList<>();

  TenantsFromPartitions(Optional<Fabric> fabric) {
    this.fabric = fabric;
    this.hosts = fabric.map(TenantsHosts::new);
  }

  byte[] text(PartitionsConf conf) {
    Map<Integer, List<Definition>> byKey = new LinkedHashMap<>();
    for (Definition d : conf.definitions()) {
      byKey.computeIfAbsent(d.pkey(), k -> new ArrayList<>()).add(d);
    }
    List<Tenant> tenants = new ArrayList<>();
    byKey.forEach(
        (pkey, definitions) -> {
          if (pkey != PartitionsConf.DEFAULT_PKEY) {
            tenants.add(tenant(pkey, definitions));
          }
        });
    List<String> comments = new ArrayList<>();
    comments.add(
        "Made of a partitions.conf. Every policy is def: choose phy or vlane where wanted.");
    if (byKey.containsKey(PartitionsConf.DEFAULT_PKEY)) {
      comments.add("The default partition, 0x7fff, is not a tenant and is left out.");
    }
    comments.addAll(notes);
    return TenantsFileWriter.write(
        new TenantsFile("(made of partitions)", Rules.DEFAULT, List.of(), tenants), comments);
  }

  /** What the entries of one key come to: everybody or nobody, then ports one by one. */
  private static final class Merged {
    Boolean everybody;
    final TreeMap<Guid, Boolean> ports = new TreeMap<>();
  }

  private Tenant tenant(int pkey, List<Definition> definitions) {
    String name = name(definitions.get(0).name(), pkey);
    Merged merged = new Merged();
    for (Definition d : definitions) {
      for (PartitionsConf.Member m : d.members()) {
        merge(name, m, merged);
      }
      if (d.flags().sl() != 0) {
        notes.add(
            name + ": sl=" + d.flags().sl() + " is left out; Heddle assigns the lanes itself.");
      }
      if (!d.groups().isEmpty()) {
        notes.add(
            name
                + ": "
                + Counted.of(d.groups().size(), "multicast group is", "multicast groups are")
                + " left out.");
      }
    }
    boolean anyFull =
        merged.everybody != null && merged.everybody || merged.ports.containsValue(true);
    boolean full = anyFull || merged.everybody == null && merged.ports.isEmpty();
    List<Member> members = new ArrayList<>();
    if (merged.everybody != null) {
      members.add(hosts(List.of("*"), merged.everybody, full));
    }
    // Behind "*" an entry that does not say keeps what "*" says.
    boolean silent = merged.everybody == null;
    members(merged, true, silent && full, members);
    members(merged, false, !silent || full, members);
    return new Tenant(0, name, pkey, 0, IsolationPolicy.DEF, full, 0, false, members, List.of())
        .withIpOverIb(ipOverIb(name, definitions));
  }

  /** OpenSM makes the broadcast group as the first definition that has one says. */
  private Optional<IpOverIb> ipOverIb(String name, List<Definition> definitions) {
    for (Definition d : definitions) {
      if (d.ipoib()) {
        GroupFlags usual = GroupFlags.DEFAULT;
        OptionalInt mtu = PathRate.mtuOfCode(d.flags().mtu());
        Optional<PathRate> rate = PathRate.ofCode(d.flags().rate());
        if (mtu.isEmpty() || rate.isEmpty()) {
          notes.add(name + ": mtu or rate has a number that InfiniBand does not; it is left out.");
        }
        return Optional.of(
            new IpOverIb(
                true,
                d.flags().mtu() == usual.mtu() ? 0 : mtu.orElse(0),
                d.flags().rate() == usual.rate() ? 0 : rate.map(PathRate::gigabits).orElse(0.0)));
      }
    }
    return Optional.of(new IpOverIb(false, 0, 0));
  }

  private void merge(String name, PartitionsConf.Member m, Merged merged) {
    boolean full = m.membership() != Membership.LIMITED;
    if (m.membership() == Membership.BOTH) {
      notes.add(name + ": 'both' has become full membership.");
    }
    switch (m.kind()) {
      case GUID -> merged.ports.put(new Guid(m.guid()), full);
      case ALL, ALL_CAS -> {
        merged.everybody = full;
        merged.ports.clear();
        if (m.kind() == MemberKind.ALL) {
          notes.add(name + ": ALL has become all hosts, without switches and routers.");
        }
      }
      default -> notes.add(name + ": " + m.kind() + " is not a host and is left out.");
    }
  }

  private static Member hosts(List<String> expressions, boolean full, boolean usual) {
    return new Member(
        0,
        new Hosts(expressions),
        full == usual ? Optional.empty() : Optional.of(full),
        0,
        List.of(),
        "");
  }

  /** The members of one kind: whole hosts as hostlists, then single ports. */
  private void members(Merged merged, boolean full, boolean usual, List<Member> out) {
    TreeSet<Guid> ports = new TreeSet<>();
    merged.ports.forEach(
        (guid, f) -> {
          if (f == full) {
            ports.add(guid);
          }
        });
    List<String> whole = new ArrayList<>();
    if (fabric.isPresent()) {
      takeWholeHosts(ports, whole);
    }
    for (String expression : Hostlist.compress(whole)) {
      out.add(hosts(List.of(expression), full, usual));
    }
    for (Guid guid : ports) {
      out.add(
          new Member(
              0,
              new ByGuid(guid),
              full == usual ? Optional.empty() : Optional.of(full),
              0,
              List.of(),
              ""));
    }
  }

  private void takeWholeHosts(TreeSet<Guid> ports, List<String> whole) {
    TenantsHosts all = hosts.get();
    for (int i = 0; i < all.size(); i++) {
      TenantsHosts.Host host = all.host(i);
      if (host.ambiguous() || !TenantsFiles.isPlain(host.name())) {
        continue;
      }
      List<Guid> own = linkedPorts(host);
      if (!own.isEmpty() && ports.containsAll(own)) {
        whole.add(host.name());
        own.forEach(ports::remove);
      }
    }
  }

  private List<Guid> linkedPorts(TenantsHosts.Host host) {
    List<Guid> out = new ArrayList<>();
    for (int node : host.nodes()) {
      for (int number = 1; number <= fabric.get().portCount(node); number++) {
        int port = fabric.get().port(node, number);
        if (fabric.get().isEndport(port)) {
          out.add(new Guid(fabric.get().portGuid(port)));
        }
      }
    }
    return out;
  }

  private String name(String wanted, int pkey) {
    String name = names.of(wanted, pkey);
    if (!name.equals(wanted)) {
      notes.add(name + ": called '" + TextOut.printable(wanted) + "' before.");
    }
    return name;
  }
}
