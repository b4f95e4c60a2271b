package org.heddle.cli.allocate;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.heddle.allocation.Advisor;
import org.heddle.allocation.Allocation;
import org.heddle.allocation.AllocationRequest;
import org.heddle.allocation.AllocationResult;
import org.heddle.allocation.Allocator;
import org.heddle.allocation.HostChoice;
import org.heddle.allocation.Occupancy;
import org.heddle.allocation.Plant;
import org.heddle.cli.shell.Allocators;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Session;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.routing.RoutingResult;
import org.heddle.tenancy.IsolationPolicy;
import org.heddle.tenancy.Partition;
import org.heddle.tenancy.PartitionMember;
import org.heddle.tenancy.Tenancy;
import org.heddle.text.Parsed;
import org.heddle.text.ResolvedTenants;
import org.heddle.text.TenantsFile;
import org.heddle.text.TenantsResolver;
import org.heddle.topology.Recognition;

/**
 * The tenants of a tenants file with {@code links: exclusive}: their hosts and links, and the
 * tables in which they keep to them. Tenants whose hosts are named come first, then those that
 * leave the choice to the allocator, both in file order; hosts that another tenant names are not
 * for them.
 */
public final class LinkPlan {
  private final Session session;
  private final TenantsFile file;
  private final Fabric fabric;
  private final Recognition.Found tree;
  private final List<LinkTables.Tenant> tenants;

  private LinkPlan(
      Session session,
      TenantsFile file,
      Fabric fabric,
      Recognition.Found tree,
      List<LinkTables.Tenant> tenants) {
    this.session = session;
    this.file = file;
    this.fabric = fabric;
    this.tree = tree;
    this.tenants = List.copyOf(tenants);
  }

  /**
   * Places the tenants.
   *
   * @param recognition the fabric's tree, asked for only if a tenant has links of its own
   * @throws Failure exit code 1 if one of them has no place
   */
  public static LinkPlan of(
      Session session,
      String name,
      TenantsFile file,
      Fabric fabric,
      Supplier<Recognition> recognition) {
    if (file.tenants().stream().noneMatch(TenantsFile.Tenant::links)) {
      return new LinkPlan(session, file, fabric, null, List.of());
    }
    if (!(recognition.get() instanceof Recognition.Found tree)) {
      throw Failure.refused(
          "'links: exclusive' needs a fat-tree, and this fabric is none",
          List.of("'heddle fabric check' says why"));
    }
    Parsed<ResolvedTenants> named = TenantsResolver.resolve(withoutCounts(file), fabric);
    if (!named.ok()) {
      throw Failure.unusable(name, named.problems());
    }
    Plant plant = Site.plant(session, fabric, tree);
    return new Placing(session, file, plant, tree, named.get().tenancy()).place();
  }

  private static TenantsFile withoutCounts(TenantsFile file) {
    List<TenantsFile.Tenant> out = new ArrayList<>();
    for (TenantsFile.Tenant t : file.tenants()) {
      out.add(t.withMembers(t.members().stream().filter(m -> !isCount(m)).toList()));
    }
    return file.withTenants(out);
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
  private static final class Placing {
    private final Session session;
    private final TenantsFile file;
    private final Plant plant;
    private final Recognition.Found tree;
    private final Tenancy named;
    private final Occupancy occupancy;
    private final Allocator allocator = Allocators.named(Allocator.DEFAULT);
    private final Map<String, Allocation> placed = new HashMap<>();
    private final BitSet free = new BitSet();

    Placing(Session session, TenantsFile file, Plant plant, Recognition.Found tree, Tenancy named) {
      this.session = session;
      this.file = file;
      this.plant = plant;
      this.tree = tree;
      this.named = named;
      occupancy = Occupancy.empty(plant);
      free.set(0, plant.fabric().nodeCount());
      named.partitions().forEach(p -> free.andNot(nodes(p)));
    }

    LinkPlan place() {
      for (TenantsFile.Tenant t : file.tenants()) {
        if (t.links() && t.members().stream().noneMatch(LinkPlan::isCount)) {
          placeNamed(t);
        }
      }
      for (TenantsFile.Tenant t : file.tenants()) {
        if (t.links() && t.members().stream().anyMatch(LinkPlan::isCount)) {
          placeCounted(t);
        }
      }
      List<TenantsFile.Tenant> tenants = new ArrayList<>();
      List<LinkTables.Tenant> own = new ArrayList<>();
      for (TenantsFile.Tenant t : file.tenants()) {
        Allocation a = placed.get(t.name());
        if (a != null) {
          own.add(new LinkTables.Tenant(t.name(), a));
        }
        tenants.add(a == null ? t : t.withMembers(members(t, a)));
      }
      return new LinkPlan(session, file.withTenants(tenants), plant.fabric(), tree, own);
    }

    private BitSet nodes(Partition partition) {
      BitSet out = new BitSet();
      for (PartitionMember member : partition.members()) {
        out.set(plant.fabric().nodeOf(member.port()));
      }
      return out;
    }

    private void placeNamed(TenantsFile.Tenant t) {
      int index = file.names().indexOf(t.name());
      BitSet hosts = nodes(named.partitions().get(index));
      if (hosts.isEmpty()) {
        return; // all pending: nothing to route yet
      }
      TreeMap<Integer, Integer> perLeaf = new TreeMap<>();
      for (int node = hosts.nextSetBit(0); node >= 0; node = hosts.nextSetBit(node + 1)) {
        int leaf = plant.leafOfHost(node);
        if (leaf == Fabric.NONE) {
          throw refused(t, plant.fabric().node(node).display() + " is at no leaf", List.of());
        }
        perLeaf.merge(leaf, 1, Integer::sum);
      }
      List<String> hints = new ArrayList<>();
      StringBuilder text = new StringBuilder("hosts by leaf:");
      perLeaf.forEach(
          (leaf, n) ->
              text.append(' ')
                  .append(plant.fabric().description(plant.leafSwitch(leaf)))
                  .append(' ')
                  .append(n));
      hints.add(text.toString());
      hints.add("'members: [{count: %d}]' lets Heddle choose".formatted(hosts.cardinality()));
      take(t, AllocationRequest.of(hosts.cardinality()).withChoice(HostChoice.only(hosts)), hints);
    }

    private void placeCounted(TenantsFile.Tenant t) {
      int wanted = 0;
      for (TenantsFile.Member m : t.members()) {
        wanted += ((TenantsFile.Count) m.selector()).hosts();
      }
      take(t, AllocationRequest.of(wanted).withChoice(HostChoice.only(free)), List.of());
    }

    private void take(TenantsFile.Tenant t, AllocationRequest request, List<String> more) {
      switch (allocator.place(request, occupancy)) {
        case AllocationResult.Placed p -> {
          occupancy.take(p.allocation());
          placed.put(t.name(), p.allocation());
        }
        case AllocationResult.Rejected no -> {
          List<String> hints = new ArrayList<>(more);
          new Advisor(allocator)
              .largestThatFits(request, occupancy)
              .ifPresent(n -> hints.add("most of them that fit now: " + n));
          throw refused(t, no.reason().text(), hints);
        }
        case AllocationResult.Aborted stopped ->
            throw refused(t, "no place within " + stopped.steps() + " steps", more);
      }
    }

    private Failure refused(TenantsFile.Tenant t, String reason, List<String> hints) {
      return Failure.refused(
          "%s:%d: no links for tenant '%s': %s"
              .formatted(file.source(), t.line(), t.name(), reason),
          hints);
    }

    /** The members by GUID, where they were counted: the next hosts for every entry. */
    private List<TenantsFile.Member> members(TenantsFile.Tenant t, Allocation a) {
      if (t.members().stream().noneMatch(LinkPlan::isCount)) {
        return t.members();
      }
      Fabric fabric = plant.fabric();
      List<TenantsFile.Member> out = new ArrayList<>();
      int next = 0;
      BitSet ports = new BitSet();
      for (int port : a.hostPorts()) {
        ports.set(port);
      }
      for (TenantsFile.Member m : t.members()) {
        int end = next + ((TenantsFile.Count) m.selector()).hosts();
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
