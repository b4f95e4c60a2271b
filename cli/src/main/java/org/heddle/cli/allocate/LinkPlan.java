package org.heddle.cli.allocate;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.heddle.allocation.Allocation;
import org.heddle.allocation.AllocationBinder;
import org.heddle.allocation.AllocationBuilder;
import org.heddle.allocation.AllocationRequest;
import org.heddle.allocation.Allocator;
import org.heddle.allocation.Holder;
import org.heddle.allocation.HostChoice;
import org.heddle.allocation.NearbyHosts;
import org.heddle.allocation.Occupancy;
import org.heddle.allocation.Placing;
import org.heddle.allocation.Plant;
import org.heddle.cli.shell.Allocators;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Session;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.routing.RoutingResult;
import org.heddle.tenancy.IsolationPolicy;
import org.heddle.tenancy.Partition;
import org.heddle.tenancy.Tenancy;
import org.heddle.text.Parsed;
import org.heddle.text.tenants.ResolvedTenants;
import org.heddle.text.tenants.TenantsFile;
import org.heddle.text.tenants.TenantsResolver;
import org.heddle.topology.Recognition;
import org.heddle.verify.links.AllocationAudit;
import org.heddle.verify.links.AllocationFinding;

/**
 * The place of a tenants file's tenants: hosts of those that leave the choice to Heddle, links of
 * those with {@code links: exclusive}, and the tables in which these keep to them. Tenants whose
 * hosts are named come first, then those that count, both in file order; hosts that another tenant
 * names are not for them.
 */
public final class LinkPlan {
  private final TenantsFile file;
  private final Fabric fabric;
  private final Recognition.Found tree;
  private final List<LinkTables.Tenant> tenants;

  private LinkPlan(
      TenantsFile file, Fabric fabric, Recognition.Found tree, List<LinkTables.Tenant> tenants) {
    this.file = file;
    this.fabric = fabric;
    this.tree = tree;
    this.tenants = List.copyOf(tenants);
  }

  /**
   * Places the tenants.
   *
   * @param recognition the fabric's tree, asked for only if there is something to place
   * @throws Failure exit code 1 if one of them has no place
   */
  public static LinkPlan of(
      Session session,
      String name,
      TenantsFile file,
      Fabric fabric,
      Supplier<Recognition> recognition) {
    boolean links = file.tenants().stream().anyMatch(TenantsFile.Tenant::links);
    if (!links && file.tenants().stream().noneMatch(TenantsFile.Tenant::counts)) {
      return new LinkPlan(file, fabric, null, List.of());
    }
    if (!(recognition.get() instanceof Recognition.Found tree)) {
      if (!links) {
        return new LinkPlan(file, fabric, null, List.of());
      }
      throw Failure.refused(
          "'links: exclusive' needs a fat-tree, and this fabric is none",
          List.of("'heddle fabric check' says why"));
    }
    Plant plant;
    if (links) {
      plant = AllocationState.plant(session, fabric, tree);
    } else if (Plant.of(fabric, tree.tree()) instanceof Plant.Outcome.Built built) {
      plant = built.plant();
    } else {
      return new LinkPlan(file, fabric, null, List.of());
    }
    Parsed<ResolvedTenants> named = TenantsResolver.resolve(file.withoutCounts(), fabric);
    if (!named.ok()) {
      throw Failure.unusable(name, named.problems());
    }
    return new Placer(file, plant, tree, named.get()).place();
  }

  /** What tenants with links of their own hold, by name. */
  public Map<String, Allocation> held() {
    Map<String, Allocation> out = new HashMap<>();
    tenants.forEach(t -> out.put(t.name(), t.allocation()));
    return out;
  }

  private static boolean isCount(TenantsFile.Member member) {
    return member.selector() instanceof TenantsFile.Count;
  }

  /** The file in which the hosts that were chosen are named. */
  public TenantsFile file() {
    return file;
  }

  /**
   * The partitions for the base engine, which need not keep apart those with links of their own.
   */
  public Tenancy forEngine(Tenancy tenancy) {
    if (tenants.isEmpty()) {
      return tenancy;
    }
    List<Partition> out = new ArrayList<>();
    for (Partition p : tenancy.partitions()) {
      boolean own = tenants.stream().anyMatch(t -> t.name().equals(p.name()));
      IsolationPolicy policy = own ? IsolationPolicy.DEF : p.policy();
      out.add(new Partition(p.name(), p.pkey(), policy, p.members(), p.pending()));
    }
    return new Tenancy(tenancy.rules(), out);
  }

  /**
   * The tables of an engine with these tenants on their own links.
   *
   * @throws Failure exit code 1 if there are none
   */
  public RoutingResult.Routed over(RoutingResult.Routed base) {
    if (tenants.isEmpty()) {
      return base;
    }
    return switch (LinkTables.over(fabric, tree.tree(), base.tables(), base.notes(), tenants)) {
      case LinkTables.Outcome.Refused no -> throw Failure.refused(no.reason(), no.details());
      case LinkTables.Outcome.Routed yes -> {
        List<String> strays = LinkTables.strays(yes.bound(), tenants);
        if (!strays.isEmpty()) {
          throw Failure.refused("not every tenant keeps to its links", strays);
        }
        List<String> notes = new ArrayList<>(yes.notes());
        for (LinkTables.Tenant t : tenants) {
          notes.add(t.name() + " has links of its own: " + t.allocation());
        }
        yield new RoutingResult.Routed(yes.bound().tables(), notes, base.lanes());
      }
    };
  }

  /** One run of placing. */
  private static final class Placer {
    private final TenantsFile file;
    private final Plant plant;
    private final Fabric fabric;
    private final Recognition.Found tree;
    private final ResolvedTenants named;
    private final Occupancy occupancy;
    private final Allocator allocator = Allocators.named(Allocator.DEFAULT);
    private final Map<String, Allocation> placed = new HashMap<>();
    private final List<Holder> holders = new ArrayList<>();

    Placer(TenantsFile file, Plant plant, Recognition.Found tree, ResolvedTenants named) {
      this.file = file;
      this.plant = plant;
      this.fabric = plant.fabric();
      this.tree = tree;
      this.named = named;
      occupancy = Occupancy.empty(plant);
    }

    LinkPlan place() {
      withdrawShared();
      for (int i = 0; i < file.tenants().size(); i++) {
        TenantsFile.Tenant t = file.tenants().get(i);
        BitSet hosts = named.ownNodes(fabric, i);
        if (!t.links()) {
          takeHosts(t, hosts);
        } else if (!t.counts() && !hosts.isEmpty()) { // all pending: nothing to route yet
          placeNamed(t, hosts);
        }
      }
      boolean oneAdapter = everyHostIsOneAdapter();
      for (TenantsFile.Tenant t : file.tenants()) {
        if (t.counts() && (t.links() || oneAdapter && countsAnyHosts(t))) {
          placeCounted(t);
        }
      }
      List<TenantsFile.Tenant> tenants = new ArrayList<>();
      List<LinkTables.Tenant> own = new ArrayList<>();
      for (TenantsFile.Tenant t : file.tenants()) {
        Allocation a = placed.get(t.name());
        if (a != null && t.links()) {
          own.add(new LinkTables.Tenant(t.name(), t.pkey(), a));
        }
        tenants.add(a == null ? t : t.withMembers(members(t, a)));
      }
      return new LinkPlan(file.withTenants(tenants), fabric, tree, own);
    }

    /** Hosts that several tenants name are nobody's alone: no departure would free them. */
    private void withdrawShared() {
      BitSet once = new BitSet();
      BitSet shared = new BitSet();
      for (int i = 0; i < file.tenants().size(); i++) {
        BitSet hosts = named.ownNodes(fabric, i);
        BitSet again = (BitSet) hosts.clone();
        again.and(once);
        shared.or(again);
        once.or(hosts);
      }
      shared.stream().forEach(occupancy::withdrawHost);
    }

    private void takeHosts(TenantsFile.Tenant t, BitSet hosts) {
      AllocationBuilder builder =
          new AllocationBuilder(plant, Math.max(1, hosts.cardinality()), 1, false);
      BitSet free = NearbyHosts.among(occupancy, HostChoice.only(hosts), hosts.cardinality());
      free.stream().forEach(n -> builder.host(plant.leafOfHost(n), plant.slotOfHost(n)));
      hold(t, builder.build());
    }

    private void hold(TenantsFile.Tenant t, Allocation a) {
      occupancy.take(a);
      holders.add(new Holder(t.name(), a));
    }

    /** The resolver counts hosts of several adapters, and those of which only some ports count. */
    private boolean everyHostIsOneAdapter() {
      Set<String> names = new HashSet<>();
      for (int leaf = 0; leaf < plant.leafCount(); leaf++) {
        for (int slot = 0; slot < plant.slots(leaf); slot++) {
          String text = fabric.description(plant.host(leaf, slot)).strip();
          if (!text.isEmpty() && !names.add(text.split("\\s")[0])) {
            return false;
          }
        }
      }
      return true;
    }

    private static boolean countsAnyHosts(TenantsFile.Tenant t) {
      return t.members().stream()
          .filter(LinkPlan::isCount)
          .allMatch(m -> m.ports().isEmpty() && m.hca().isEmpty());
    }

    private void placeNamed(TenantsFile.Tenant t, BitSet hosts) {
      TreeMap<Integer, Integer> perLeaf = new TreeMap<>();
      for (int node = hosts.nextSetBit(0); node >= 0; node = hosts.nextSetBit(node + 1)) {
        int leaf = plant.leafOfHost(node);
        if (leaf == Fabric.NONE) {
          throw refused(t, fabric.node(node).display() + " is at no leaf", List.of());
        }
        perLeaf.merge(leaf, 1, Integer::sum);
      }
      TenantsFile.OwnLinks own = t.ownLinks().orElseThrow();
      if (!own.held().isEmpty()) {
        Allocation a = bound(t, hosts, own);
        if (!occupancy.fits(a)) {
          throw refused(t, "'own_links' has links of another tenant", List.of());
        }
        placed.put(t.name(), a);
        hold(t, a);
        return;
      }
      List<String> hints = new ArrayList<>();
      StringBuilder text = new StringBuilder("hosts by leaf:");
      perLeaf.forEach(
          (leaf, n) ->
              text.append(' ')
                  .append(fabric.description(plant.leafSwitch(leaf)))
                  .append(' ')
                  .append(n));
      hints.add(text.toString());
      hints.add("'members: [{count: %d}]' lets Heddle choose".formatted(hosts.cardinality()));
      take(t, AllocationRequest.of(hosts.cardinality()).withChoice(HostChoice.only(hosts)), hints);
    }

    private Allocation bound(TenantsFile.Tenant t, BitSet hosts, TenantsFile.OwnLinks own) {
      List<AllocationBinder.Link> links = new ArrayList<>();
      for (TenantsFile.LinkEnd end : own.held()) {
        links.add(AllocationBinder.link(fabric, end.guid().value(), end.port()));
      }
      AllocationBinder.Bound bound =
          new AllocationBinder(plant)
              .bind(
                  new AllocationBinder.Known(
                      hosts.cardinality(),
                      own.oversubscription(),
                      true,
                      hosts.stream().mapToObj(fabric::nodeGuid).toList(),
                      links));
      if (!bound.whole()) {
        TenantsFile.LinkEnd lost = own.held().get(bound.lostLinks().getFirst());
        throw refused(t, "there is no link " + lost + " that a tenant can have", List.of());
      }
      List<AllocationFinding> wrong =
          new AllocationAudit(fabric, tree.tree(), null, 0).audit(List.of(bound.allocation()));
      if (!wrong.isEmpty()) {
        throw refused(t, "not with these links: " + wrong.getFirst(), List.of());
      }
      return bound.allocation();
    }

    private void placeCounted(TenantsFile.Tenant t) {
      int wanted = 0;
      for (TenantsFile.Member m : t.members()) {
        wanted += m.selector() instanceof TenantsFile.Count c ? c.hosts() : 0;
      }
      take(t, AllocationRequest.of(wanted), List.of());
    }

    private void take(TenantsFile.Tenant t, AllocationRequest plain, List<String> more) {
      AllocationRequest request =
          t.ownLinks()
              .map(own -> plain.withOversubscription(own.oversubscription()))
              .orElseGet(plain::withoutLinks);
      switch (Placing.place(allocator, request, occupancy, holders)) {
        case Placing.Outcome.Placed p -> {
          placed.put(t.name(), p.allocation());
          hold(t, p.allocation());
        }
        case Placing.Outcome.Refused no -> {
          List<String> hints = new ArrayList<>(no.refusal().lines());
          hints.addAll(more);
          throw refused(t, no.refusal().reason(), hints);
        }
      }
    }

    private Failure refused(TenantsFile.Tenant t, String reason, List<String> hints) {
      return Failure.refused(
          "%s:%d: no %s for tenant '%s': %s"
              .formatted(file.source(), t.line(), t.links() ? "links" : "hosts", t.name(), reason),
          hints);
    }

    /** The members by GUID, where they were counted: the next hosts for every entry. */
    private List<TenantsFile.Member> members(TenantsFile.Tenant t, Allocation a) {
      if (!t.counts()) {
        return t.members();
      }
      List<TenantsFile.Member> out = new ArrayList<>();
      int next = 0;
      BitSet ports = new BitSet();
      for (int port : a.hostPorts()) {
        ports.set(port);
      }
      for (TenantsFile.Member m : t.members()) {
        if (!(m.selector() instanceof TenantsFile.Count count)) {
          out.add(m);
          continue;
        }
        int end = next + count.hosts();
        for (; next < end; next++) {
          for (int number = 1; number <= fabric.portCount(a.host(next)); number++) {
            int port = fabric.port(a.host(next), number);
            if (port != Fabric.NONE
                && ports.get(port)
                && (m.ports().isEmpty() || m.ports().contains(number))) {
              Guid guid = new Guid(fabric.portGuid(port));
              out.add(
                  new TenantsFile.Member(
                      m.line(), new TenantsFile.ByGuid(guid), m.full(), m.weight(), List.of(), ""));
            }
          }
        }
      }
      return out;
    }
  }
}
