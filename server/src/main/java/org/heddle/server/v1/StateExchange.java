package org.heddle.server.v1;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.heddle.allocation.AllocationBinder;
import org.heddle.allocation.Rails;
import org.heddle.catalog.Catalog;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.plan.DesiredState;
import org.heddle.plan.model.Change;
import org.heddle.plan.model.HostRef;
import org.heddle.plan.model.LinkRef;
import org.heddle.plan.model.Member;
import org.heddle.plan.model.PartitionOptions;
import org.heddle.plan.model.Policy;
import org.heddle.plan.model.Tenant;
import org.heddle.plan.model.TenantSpec;
import org.heddle.routing.RoutingOption;
import org.heddle.server.http.Problem;
import org.heddle.tenancy.IsolationPolicy;
import org.heddle.tenancy.PartitionMember;
import org.heddle.text.Parsed;
import org.heddle.text.state.StateFile;
import org.heddle.text.state.StateTenants;
import org.heddle.text.tenants.ResolvedTenants;
import org.heddle.text.tenants.TenantsFile;
import org.heddle.text.tenants.TenantsFile.LinkEnd;
import org.heddle.text.tenants.TenantsFile.OwnLinks;
import org.heddle.text.tenants.TenantsResolver;

/**
 * Tenants files and state files against the desired state: the changes that make the state what a
 * file says, and the file that says what the state is. What a file cannot say of a tenant (owner,
 * allocator, label, service level) stays as it is; for a new tenant it is the usual.
 *
 * <p>Partitions that come and go with their members, and management's, belong to the clients that
 * made them, and those that a site had and that say what a tenants file cannot, to the site: no
 * file has them, and none takes them away.
 */
final class StateExchange {
  private final DesiredState view;
  private final Fabric fabric;

  /** Against that state. */
  StateExchange(DesiredState view) {
    this.view = view;
    this.fabric = view.fabric();
  }

  private static boolean isOthers(Tenant t) {
    PartitionOptions options = t.spec().partition();
    return t.pkey() == PartitionOptions.MANAGEMENT
        || options.ephemeral()
        || !options.kept().isEmpty();
  }

  // ---- a file becomes changes

  /**
   * The changes, in an order in which they can be made: who goes first, then who changes, in file
   * order; then who comes, those whose hosts are named before those that count, and among these
   * those with links of their own first, as {@code heddle plan} places them.
   *
   * @param keep tenants that are not in the file stay
   * @param allocators who is to place new tenants, by name, if not the usual one
   * @throws Problem if the file does not fit the fabric, or says what a controller cannot do
   */
  List<Change> changes(TenantsFile file, boolean keep, Map<String, String> allocators) {
    file.rules().engine().ifPresent(wanted -> sameEngine(file, wanted));
    Parsed<ResolvedTenants> parsed = TenantsResolver.resolve(file.withoutCounts(), fabric);
    if (!parsed.ok()) {
      throw Problem.malformed(
          String.join("\n", parsed.problems().stream().map(Object::toString).toList()));
    }
    ResolvedTenants named = parsed.get();
    List<Change> out = new ArrayList<>();
    Set<String> names = new HashSet<>(file.names());
    for (Tenant t : view.all()) {
      if (!keep && !names.contains(t.name()) && !isOthers(t)) {
        out.add(new Change.Delete(t.name(), OptionalLong.of(t.changed())));
      }
    }
    List<Change> coming = new ArrayList<>();
    Map<String, Integer> order = new HashMap<>();
    for (int i = 0; i < file.tenants().size(); i++) {
      TenantsFile.Tenant t = file.tenants().get(i);
      Wanted wanted = wanted(file, named, i);
      Optional<Tenant> there = view.tenant(t.name());
      if (there.isPresent()) {
        changed(there.get(), t, wanted).ifPresent(out::add);
      } else {
        order.put(t.name(), t.counts() ? t.links() ? 1 : 2 : 0);
        coming.add(
            new Change.Create(
                fresh(t, wanted, allocators.get(t.name())), links(t, Optional.empty())));
      }
    }
    coming.sort(Comparator.comparing(c -> order.get(c.subject()))); // stable
    out.addAll(coming);
    return out;
  }

  /**
   * What a tenant of a file asks for.
   *
   * @param count so many hosts; 0 if they are named, or there are none
   * @param hosts node GUIDs of hosts of its own that are named
   * @param ports port GUIDs in its partition, true for full members; those of counted hosts not
   */
  private record Wanted(int count, Set<Long> hosts, Map<Long, Boolean> ports) {}

  private Wanted wanted(TenantsFile file, ResolvedTenants named, int i) {
    TenantsFile.Tenant t = file.tenants().get(i);
    int count = 0;
    for (TenantsFile.Member m : t.members()) {
      if (m.selector() instanceof TenantsFile.Count c) {
        boolean all = m.ports().isEmpty() && m.hca().isEmpty();
        if (!all || !m.full().orElse(t.full())) {
          throw cannot(file, t, "hosts that are counted are full members with all their ports");
        }
        count += c.hosts();
      }
    }
    Map<Long, Boolean> ports = new LinkedHashMap<>();
    for (PartitionMember m : named.tenancy().partitions().get(i).members()) {
      ports.put(fabric.portGuid(m.port()), m.full());
    }
    Set<Long> hosts = new HashSet<>();
    Set<Long> held = heldHosts(t.name());
    for (ResolvedTenants.Pending p : named.tenants().get(i).pending()) {
      long host = hostOf(p.guid().value());
      if (t.ownsHosts() && held.contains(host)) {
        hosts.add(host); // it is gone or dark, and its own nevertheless
      } else {
        ports.put(p.guid().value(), p.full());
      }
    }
    if (t.ownsHosts() && count == 0) {
      BitSet own = named.ownNodes(fabric, i);
      for (int node = own.nextSetBit(0); node >= 0; node = own.nextSetBit(node + 1)) {
        hosts.add(machine(node));
        for (long port : ports(node)) {
          if (!ports.containsKey(port)) {
            String host = fabric.node(node).display();
            throw cannot(file, t, "only some ports of " + host + " are members of it");
          }
        }
      }
    }
    return new Wanted(count, hosts, ports);
  }

  /**
   * Tables of a plan and of a controller come from one engine. Those that route for partitions are
   * what a controller keeps tenants apart with, whatever its own is.
   */
  private void sameEngine(TenantsFile file, TenantsFile.Engine wanted) {
    String here = view.engine().wanted();
    boolean apart =
        Catalog.engine(wanted.name())
            .filter(e -> e.uses().contains(RoutingOption.PARTITIONS))
            .isPresent();
    if (!apart && !wanted.name().equals(here)) {
      throw Problem.malformed(
          ("%s:%d: the file wants tables of the engine '%s', this controller has those of '%s':"
                  + " restart it with --engine %s, or leave 'engine' out of the file")
              .formatted(file.source(), wanted.line(), wanted.name(), here, wanted.name()));
    }
  }

  private Problem cannot(TenantsFile file, TenantsFile.Tenant t, String what) {
    return Problem.malformed(
        "%s:%d: a controller cannot do this for '%s': %s"
            .formatted(file.source(), t.line(), t.name(), what));
  }

  private Set<Long> heldHosts(String tenant) {
    Set<Long> out = new HashSet<>();
    view.tenant(tenant).ifPresent(t -> t.hosts().forEach(h -> out.add(hostOf(h))));
    return out;
  }

  /** The GUID that stands for the machine of an adapter: that of its first one. */
  private long machine(int node) {
    int machine = fabric.machines().of(node);
    return fabric.nodeGuid(machine == Fabric.NONE ? node : fabric.machines().adapter(machine, 0));
  }

  private long hostOf(HostRef host) {
    int node = host.node(fabric);
    return node == Fabric.NONE ? host.guid() : machine(node);
  }

  /** The host of a port or node GUID; the GUID itself if the fabric does not have it. */
  private long hostOf(long guid) {
    int port = fabric.findPort(guid);
    int node = port == Fabric.NONE ? fabric.findNode(guid) : fabric.nodeOf(port);
    return node == Fabric.NONE ? guid : machine(node);
  }

  /** Port GUIDs of a machine's linked ports: those that a tenant gets with the host. */
  private List<Long> ports(int host) {
    int machine = fabric.machines().of(host);
    int[] nodes = machine == Fabric.NONE ? new int[] {host} : fabric.machines().adapters(machine);
    List<Long> out = new ArrayList<>();
    for (int node : nodes) {
      addPorts(node, out);
    }
    return out;
  }

  private void addPorts(int node, List<Long> out) {
    for (int k = 1; k <= fabric.portCount(node); k++) {
      int port = fabric.port(node, k);
      if (fabric.attachedSwitch(port) != Fabric.NONE) {
        out.add(fabric.portGuid(port));
      }
    }
  }

  private static Policy policy(TenantsFile.Tenant t) {
    return t.links() ? Policy.LINKS : Policy.of(t.policy().word()).orElseThrow();
  }

  private TenantSpec fresh(TenantsFile.Tenant t, Wanted wanted, String allocator) {
    TenantSpec usual = TenantSpec.links(t.name(), "", 0);
    return new TenantSpec(
        t.name(),
        "",
        policy(t),
        wanted.count,
        wanted.hosts.stream().sorted(Long::compareUnsigned).toList(),
        t.ownLinks().map(OwnLinks::oversubscription).orElse(1),
        t.ownLinks().map(OwnLinks::rails).orElse(Rails.SEPARATE),
        allocator == null ? usual.allocator() : allocator,
        ipOverIb(t, PartitionOptions.ofKey(t.pkey())),
        members(wanted, wanted.hosts, List.of()));
  }

  /** What the file says of IP over InfiniBand; if it says nothing, that stays as it is. */
  private static PartitionOptions ipOverIb(TenantsFile.Tenant t, PartitionOptions before) {
    return t.ipOverIb()
        .map(
            ip ->
                before
                    .withIpOverIb(ip.wanted())
                    .withQuality(ip.mtu(), ip.rate(), before.serviceLevel()))
        .orElse(before);
  }

  /** Members besides what hosts bring, with index and label as they are already. */
  private List<Member> members(Wanted wanted, Set<Long> hosts, List<Member> before) {
    Set<Long> brought = new HashSet<>();
    for (long host : hosts) {
      int node = fabric.findNode(host);
      if (node != Fabric.NONE) {
        brought.addAll(ports(node));
      }
    }
    Map<Long, Member> known = new HashMap<>();
    before.forEach(m -> known.put(m.guid(), m));
    List<Member> out = new ArrayList<>();
    wanted.ports.forEach(
        (guid, full) -> {
          Member was = known.get(guid);
          if (was != null) {
            out.add(new Member(guid, full, was.index0(), was.label()));
          } else if (!full || !brought.contains(guid)) {
            out.add(new Member(guid, full, false));
          }
        });
    return out;
  }

  private Optional<Change> changed(Tenant there, TenantsFile.Tenant t, Wanted wanted) {
    TenantSpec before = there.spec();
    Set<Long> held = heldHosts(t.name());
    boolean sameHosts =
        wanted.count > 0
            ? wanted.count == held.size()
                || before.named().isEmpty() && wanted.count == before.hosts()
            : wanted.hosts.equals(held);
    Map<Long, Boolean> now = new HashMap<>();
    view.members(there).forEach(m -> now.put(m.guid(), m.full()));
    Map<Long, Boolean> then = new HashMap<>(wanted.ports);
    if (wanted.count > 0 && sameHosts) {
      for (long host : held) {
        int node = fabric.findNode(host);
        if (node != Fabric.NONE) {
          ports(node).forEach(p -> then.putIfAbsent(p, true));
        }
      }
    }
    Policy policy = policy(t);
    int oversubscription =
        t.ownLinks().map(OwnLinks::oversubscription).orElse(before.oversubscription());
    Rails rails = t.ownLinks().map(OwnLinks::rails).orElse(before.rails());
    List<LinkRef> links = links(t, Optional.of(there));
    // looked for anew, a place must still be on the hosts that the file names
    boolean samePlace =
        sameHosts
            && policy == before.policy()
            && oversubscription == before.oversubscription()
            && rails == before.rails()
            && links.isEmpty();
    List<Long> named = wanted.hosts.stream().sorted(Long::compareUnsigned).toList();
    TenantSpec spec =
        new TenantSpec(
            t.name(),
            before.owner(),
            policy,
            samePlace ? before.hosts() : wanted.count,
            samePlace ? before.named() : named,
            oversubscription,
            rails,
            before.allocator(),
            ipOverIb(t, before.partition()).withKey(t.pkey() == 0 ? there.pkey() : t.pkey()),
            sameHosts && now.equals(then)
                ? before.members()
                : members(wanted, sameHosts ? held : wanted.hosts, before.members()));
    return spec.equals(before) && links.isEmpty()
        ? Optional.empty()
        : Optional.of(new Change.Replace(spec, OptionalLong.of(there.changed()), links));
  }

  /** The links that a file gives; empty if it gives none, or those that the tenant has. */
  private List<LinkRef> links(TenantsFile.Tenant t, Optional<Tenant> there) {
    List<LinkEnd> ends = t.ownLinks().map(OwnLinks::held).orElse(List.of());
    Set<String> said = new HashSet<>();
    ends.forEach(e -> said.add(e.toString()));
    Set<String> held = new HashSet<>();
    there.ifPresent(x -> x.links().forEach(l -> held.add(l.id())));
    if (ends.isEmpty() || said.equals(held)) {
      return List.of();
    }
    List<LinkRef> out = new ArrayList<>();
    for (LinkEnd end : ends) {
      out.add(LinkRef.of(AllocationBinder.link(fabric, end.guid().value(), end.port())));
    }
    return out;
  }

  // ---- the state becomes a file

  /** The tenants in the order of their admission, hosts and links as they hold them. */
  TenantsFile tenantsFile() {
    List<TenantsFile.Tenant> out = new ArrayList<>();
    Map<Long, Integer> keys = new HashMap<>();
    Set<Long> held = new HashSet<>();
    view.all().forEach(t -> held.addAll(heldHosts(t.name())));
    for (Tenant t : view.all()) {
      if (!isOthers(t)) {
        out.add(tenant(t, held));
        view.members(t).forEach(m -> keys.merge(m.guid(), 1, Integer::sum));
      }
    }
    int most = keys.values().stream().mapToInt(n -> n).max().orElse(0);
    TenantsFile.Rules usual = TenantsFile.Rules.DEFAULT;
    TenantsFile.Rules rules =
        new TenantsFile.Rules(
            true,
            PartitionOptions.LANES,
            usual.physicalShare(),
            Math.max(usual.pkeyTable(), most + 1),
            List.of());
    return new TenantsFile("tenants of " + view.name(), rules, List.of(), out);
  }

  /**
   * One of the tenants.
   *
   * @param held hosts that are anybody's: who only has a port of one in its partition is a guest
   */
  private TenantsFile.Tenant tenant(Tenant t, Set<Long> held) {
    boolean holds = !t.hosts().isEmpty();
    boolean links = t.spec().policy() == Policy.LINKS;
    Map<Long, Boolean> ports = new LinkedHashMap<>();
    view.members(t).forEach(m -> ports.put(m.guid(), m.full()));
    List<TenantsFile.Member> members = new ArrayList<>();
    for (HostRef host : t.hosts()) {
      int node = host.node(fabric);
      List<Long> brought = node == Fabric.NONE ? List.of() : ports(node);
      if (brought.isEmpty()) {
        members.add(member(host.guid(), true, false)); // gone or dark, and still its own
      }
      for (long port : brought) {
        members.add(member(port, ports.remove(port), false));
      }
    }
    ports.forEach(
        (guid, full) ->
            members.add(member(guid, full, holds || links || held.contains(hostOf(guid)))));
    IsolationPolicy policy =
        switch (t.spec().policy()) {
          case LINKS, PHY -> IsolationPolicy.PHY;
          case VLANE -> IsolationPolicy.VLANE;
          case DEF -> IsolationPolicy.DEF;
        };
    List<LinkEnd> ends =
        t.links().stream().map(l -> new LinkEnd(0, new Guid(l.from()), l.port())).toList();
    return new TenantsFile.Tenant(
        0,
        t.name(),
        t.pkey(),
        0,
        policy,
        true,
        0,
        holds || links,
        links
            ? Optional.of(new OwnLinks(t.spec().oversubscription(), t.spec().rails(), ends))
            : Optional.empty(),
        ipOverIb(t.spec().partition()),
        members,
        List.of());
  }

  /** Nothing of a partition that has none. */
  private static Optional<TenantsFile.IpOverIb> ipOverIb(PartitionOptions options) {
    return options.ipOverIb()
        ? Optional.of(new TenantsFile.IpOverIb(true, options.mtu(), options.rate()))
        : Optional.empty();
  }

  private static TenantsFile.Member member(long guid, boolean full, boolean guest) {
    return new TenantsFile.Member(
        0,
        new TenantsFile.ByGuid(new Guid(guid)),
        full ? Optional.empty() : Optional.of(false),
        0,
        List.of(),
        "",
        guest);
  }

  /**
   * The same as a state file of {@code heddle allocate}.
   *
   * @param engine of the base tables
   * @throws Problem if there is what such a file cannot say
   */
  StateFile stateFile(String engine) {
    List<String> hints = new ArrayList<>();
    List<StateFile.Tenant> out = new ArrayList<>();
    for (Tenant t : view.all()) {
      if (isOthers(t)) {
        continue;
      }
      Policy policy = t.spec().policy();
      if (policy == Policy.PHY || policy == Policy.VLANE) {
        hints.add("'" + t.name() + "' has policy " + policy.word());
      } else if (t.spec().partition().ipOverIb()) {
        hints.add("'" + t.name() + "' has IP over InfiniBand");
      } else if (t.hosts().isEmpty() || !t.spec().members().isEmpty()) {
        hints.add("'" + t.name() + "' has members besides hosts of its own");
      } else {
        out.add(StateTenants.of(t));
      }
    }
    if (!hints.isEmpty()) {
      hints.add("a tenants file can say it: format=tenants");
      throw new Problem(409, "conflict", "a state file cannot say what there is", hints);
    }
    return StateFile.empty("state of " + view.name()).withEngine(engine).with(fabric, out);
  }

  // ---- a state file becomes a tenants file

  /**
   * A state file as the tenants file that says the same of this fabric.
   *
   * @throws Problem if a link leads elsewhere now, or the state is another fabric's
   */
  TenantsFile tenantsFile(StateFile state) {
    state
        .machines()
        .unlike(fabric)
        .ifPresent(
            name -> {
              throw Problem.malformed(
                  "%s: machine '%s' has other adapters there than here; start 'heddle serve' with the --machines that 'heddle allocate' had"
                      .formatted(state.source(), name));
            });
    boolean found = state.tenants().isEmpty();
    List<TenantsFile.Tenant> out = new ArrayList<>();
    for (StateFile.Tenant t : state.tenants()) {
      List<TenantsFile.Member> members = new ArrayList<>();
      for (StateFile.Host host : t.hosts()) {
        int node = StateTenants.host(host).node(fabric);
        found |= node != Fabric.NONE;
        List<Long> ports = node == Fabric.NONE ? List.of() : ports(node);
        if (ports.isEmpty()) {
          members.add(member(host.guid().value(), true, false));
        }
        ports.forEach(p -> members.add(member(p, true, false)));
      }
      List<LinkEnd> ends = new ArrayList<>();
      for (StateFile.Link l : t.links()) {
        AllocationBinder.Link now = AllocationBinder.link(fabric, l.from().value(), l.port());
        if (now.to() != l.to().value() || now.toPort() != l.toPort()) {
          throw Problem.malformed(
              "%s:%d: the link %s:%d of '%s' is gone or leads elsewhere; 'heddle allocate ... repair' finds another"
                  .formatted(state.source(), l.line(), l.from(), l.port(), t.name()));
        }
        ends.add(new LinkEnd(l.line(), l.from(), l.port()));
      }
      out.add(
          new TenantsFile.Tenant(
              t.line(),
              t.name(),
              t.pkey(),
              t.line(),
              t.guaranteed() ? IsolationPolicy.PHY : IsolationPolicy.DEF,
              true,
              0,
              true,
              t.guaranteed()
                  ? Optional.of(new OwnLinks(t.oversubscription(), t.rails(), ends))
                  : Optional.empty(),
              Optional.empty(),
              members,
              List.of()));
    }
    if (!found) {
      throw Problem.malformed(
          state.source() + ": the state of another fabric: none of its hosts is in this one");
    }
    return new TenantsFile(state.source(), TenantsFile.Rules.DEFAULT, List.of(), out);
  }
}
