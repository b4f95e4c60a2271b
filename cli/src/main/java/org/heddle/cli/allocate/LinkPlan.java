package org.heddle.cli.allocate;

import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.heddle.allocation.Allocation;
import org.heddle.allocation.AllocationBinder;
import org.heddle.allocation.Allocator;
import org.heddle.allocation.Plant;
import org.heddle.allocation.Rails;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Session;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.plan.ChangePlanner;
import org.heddle.plan.DraftState;
import org.heddle.plan.PhysicalFabric;
import org.heddle.plan.StateProof;
import org.heddle.plan.StateRouter;
import org.heddle.plan.Tables;
import org.heddle.plan.model.Change;
import org.heddle.plan.model.HostRef;
import org.heddle.plan.model.LinkRef;
import org.heddle.plan.model.Outcome;
import org.heddle.plan.model.PartitionOptions;
import org.heddle.plan.model.Policy;
import org.heddle.plan.model.Tenant;
import org.heddle.plan.model.TenantSpec;
import org.heddle.routing.EngineNames;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.RoutingResult;
import org.heddle.tenancy.Tenancy;
import org.heddle.text.Parsed;
import org.heddle.text.tenants.ResolvedTenants;
import org.heddle.text.tenants.TenantsFile;
import org.heddle.text.tenants.TenantsResolver;
import org.heddle.topology.Recognition;
import org.heddle.verify.isolation.IsolationReport;

/**
 * The place of a tenants file's tenants: hosts of those that leave the choice to Heddle, links of
 * those with {@code links: exclusive}, as a desired state to which the tenants come one after
 * another. Tenants whose hosts are named come first, then those that count, both in file order;
 * hosts that another tenant names are not for them.
 */
public final class LinkPlan {
  private final TenantsFile file;

  /** Empty if there was nothing to place. */
  private final Optional<DraftState> state;

  private LinkPlan(TenantsFile file, Optional<DraftState> state) {
    this.file = file;
    this.state = state;
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
      return new LinkPlan(file, Optional.empty());
    }
    PhysicalFabric site;
    if (links) {
      site = AllocationState.site(session, fabric, recognition.get(), ENGINE);
    } else if (PhysicalFabric.unrouted(fabric, recognition.get(), ENGINE)
        instanceof PhysicalFabric.Outcome.Built built) {
      site = built.site();
    } else {
      return new LinkPlan(file, Optional.empty());
    }
    Parsed<ResolvedTenants> named = TenantsResolver.resolve(file.withoutCounts(), fabric);
    if (!named.ok()) {
      throw Failure.unusable(name, named.problems());
    }
    return new Placer(file, site, named.get()).place();
  }

  /** Of tables that are not asked for: {@link #over} is given them. */
  private static final String ENGINE = EngineNames.PFTREE_EXT;

  /** What tenants with links of their own hold, by name. */
  public Map<String, Allocation> held() {
    Map<String, Allocation> out = new HashMap<>();
    state.ifPresent(
        w ->
            w.holders().stream()
                .filter(h -> h.allocation().guaranteed())
                .forEach(h -> out.put(h.name(), h.allocation())));
    return out;
  }

  /** The file in which the hosts that were chosen are named. */
  public TenantsFile file() {
    return file;
  }

  /** The partitions for engine and audit, which need not keep apart those with own links. */
  public Tenancy besideLinks(Tenancy tenancy) {
    return state.map(w -> StateRouter.besideLinks(w, tenancy)).orElse(tenancy);
  }

  /**
   * The tables of an engine with these tenants on their own links.
   *
   * @throws Failure exit code 1 if there are none
   */
  public RoutingResult.Routed over(RoutingResult.Routed base) {
    Map<String, Allocation> own = held();
    if (own.isEmpty()) {
      return base;
    }
    Tables routed = StateRouter.over(state.orElseThrow(), base);
    if (!routed.ok()) {
      throw Failure.refused(routed.trouble(), List.of());
    }
    List<String> notes = new ArrayList<>(routed.notes());
    for (TenantsFile.Tenant t : file.tenants()) {
      if (own.containsKey(t.name())) {
        notes.add(t.name() + " has links of its own: " + own.get(t.name()));
      }
    }
    return new RoutingResult.Routed(routed.plain(), notes, base.lanes());
  }

  /**
   * What the tables make of the tenants' links.
   *
   * @param audited {@link #besideLinks}
   */
  public StateProof.Findings findings(
      ForwardingTables tables, Tenancy audited, IsolationReport isolation) {
    return state
        .map(w -> StateProof.findings(w, tables, audited, isolation))
        .orElse(new StateProof.Findings(List.of(), List.of()));
  }

  /** One run of placing. */
  private static final class Placer {
    private final TenantsFile file;
    private final Fabric fabric;
    private final Plant plant;
    private final ResolvedTenants named;
    private final DraftState w;

    Placer(TenantsFile file, PhysicalFabric site, ResolvedTenants named) {
      this.file = file;
      this.fabric = site.fabric();
      this.plant = site.plant();
      this.named = named;
      w = new DraftState(site, ENGINE);
    }

    LinkPlan place() {
      w.holdings = w.holdings.withdrawn(nobodys());
      for (int i = 0; i < file.tenants().size(); i++) {
        TenantsFile.Tenant t = file.tenants().get(i);
        BitSet hosts = named.ownNodes(fabric, i);
        if (t.counts() || hosts.isEmpty()) { // all pending: nothing to route yet
          continue;
        }
        if (t.links()) {
          create(t, hosts, 0, hints(hosts));
        } else {
          hold(t, hosts);
        }
      }
      List<TenantsFile.Tenant> tenants = new ArrayList<>();
      for (TenantsFile.Tenant t : file.tenants()) {
        if (t.counts() && (t.links() || countsAnyHosts(t))) {
          create(t, new BitSet(), wanted(t), List.of());
          tenants.add(t.withMembers(members(t, w.holdings.of(t.name()).charged())));
        } else {
          tenants.add(t);
        }
      }
      return new LinkPlan(file.withTenants(tenants), Optional.of(w));
    }

    /**
     * Hosts that several tenants name, or one that counts others besides: no departure would free
     * them.
     */
    private BitSet nobodys() {
      BitSet once = new BitSet();
      BitSet out = new BitSet();
      for (int i = 0; i < file.tenants().size(); i++) {
        BitSet hosts = named.ownNodes(fabric, i);
        BitSet again = (BitSet) hosts.clone();
        if (!file.tenants().get(i).counts()) {
          again.and(once);
        }
        out.or(again);
        once.or(hosts);
      }
      return out;
    }

    /** Hosts of a tenant without links, those that are nobody else's. */
    private void hold(TenantsFile.Tenant t, BitSet hosts) {
      List<HostRef> free =
          plant.machines(hosts).stream()
              .filter(w.holdings::isFreeHost)
              .mapToObj(w.site::host)
              .toList();
      if (!free.isEmpty()) {
        long next = w.tenants.size();
        Tenant tenant =
            new Tenant(spec(t, hosts, 0), free, List.of(), next, next, Instant.EPOCH, List.of());
        w.add(tenant, w.site.remains(tenant, w.holdings).held().charged());
      }
    }

    private static boolean countsAnyHosts(TenantsFile.Tenant t) {
      return t.members().stream()
          .filter(m -> m.selector() instanceof TenantsFile.Count)
          .allMatch(m -> m.ports().isEmpty() && m.hca().isEmpty());
    }

    private static int wanted(TenantsFile.Tenant t) {
      int wanted = 0;
      for (TenantsFile.Member m : t.members()) {
        wanted += m.selector() instanceof TenantsFile.Count c ? c.hosts() : 0;
      }
      return wanted;
    }

    /** Its key is chosen with those of all others, by the resolver. */
    private TenantSpec spec(TenantsFile.Tenant t, BitSet hosts, int count) {
      return new TenantSpec(
          t.name(),
          "",
          t.links() ? Policy.LINKS : Policy.DEF,
          count,
          hosts.stream().mapToObj(fabric::nodeGuid).toList(),
          t.ownLinks().map(TenantsFile.OwnLinks::oversubscription).orElse(1),
          t.ownLinks().map(TenantsFile.OwnLinks::rails).orElse(Rails.SEPARATE),
          Allocator.DEFAULT,
          PartitionOptions.AUTOMATIC,
          List.of());
    }

    /**
     * Has a tenant come.
     *
     * @param more what helps besides
     */
    private void create(TenantsFile.Tenant t, BitSet hosts, int count, List<String> more) {
      List<LinkRef> links = new ArrayList<>();
      for (TenantsFile.LinkEnd end :
          t.ownLinks().map(TenantsFile.OwnLinks::held).orElse(List.of())) {
        links.add(LinkRef.of(AllocationBinder.link(fabric, end.guid().value(), end.port())));
      }
      Change create = new Change.Create(spec(t, hosts, count), links);
      if (ChangePlanner.of(w).decide(create)
          instanceof ChangePlanner.Decision.Settled(Outcome.Refused no, var place)) {
        List<String> hints = new ArrayList<>(no.allHints());
        hints.addAll(place.isPresent() ? more : List.of());
        throw Failure.refused(
            "%s:%d: no %s for tenant '%s': %s"
                .formatted(
                    file.source(), t.line(), t.links() ? "links" : "hosts", t.name(), no.reason()),
            hints);
      }
    }

    private List<String> hints(BitSet hosts) {
      TreeMap<Integer, Integer> perLeaf = new TreeMap<>();
      BitSet machines = plant.machines(hosts);
      machines.stream().forEach(node -> perLeaf.merge(plant.leafOfHost(node), 1, Integer::sum));
      StringBuilder text = new StringBuilder("hosts by leaf:");
      perLeaf.forEach(
          (leaf, n) ->
              text.append(' ')
                  .append(fabric.description(plant.leafSwitch(leaf)))
                  .append(' ')
                  .append(n));
      return List.of(
          text.toString(),
          "'members: [{count: %d}]' lets Heddle choose".formatted(machines.cardinality()));
    }

    /** The members by GUID, where they were counted: the next hosts for every entry. */
    private List<TenantsFile.Member> members(TenantsFile.Tenant t, Allocation a) {
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
          for (int i = 0; i < plant.adapterCount(a.host(next)); i++) {
            addPorts(m, plant.adapter(a.host(next), i), ports, out);
          }
        }
      }
      return out;
    }

    private void addPorts(
        TenantsFile.Member m, int node, BitSet ports, List<TenantsFile.Member> out) {
      for (int number = 1; number <= fabric.portCount(node); number++) {
        int port = fabric.port(node, number);
        if (ports.get(port) && (m.ports().isEmpty() || m.ports().contains(number))) {
          Guid guid = new Guid(fabric.portGuid(port));
          out.add(
              new TenantsFile.Member(
                  m.line(), new TenantsFile.ByGuid(guid), m.full(), m.weight(), List.of(), ""));
        }
      }
    }
  }
}
