package org.heddle.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.heddle.addressing.VmPlacement;
import org.heddle.allocation.Allocation;
import org.heddle.allocation.AllocationBinder;
import org.heddle.allocation.AllocationBuilder;
import org.heddle.allocation.Plant;
import org.heddle.catalog.Catalog;
import org.heddle.catalog.EngineFallback;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.fabric.Lid;
import org.heddle.fabric.Machines;
import org.heddle.fabric.VirtualLids;
import org.heddle.plan.model.Breach;
import org.heddle.plan.model.Drained;
import org.heddle.plan.model.HostRef;
import org.heddle.plan.model.LinkRef;
import org.heddle.plan.model.Policy;
import org.heddle.plan.model.Tenant;
import org.heddle.plan.model.TenantSpec;
import org.heddle.routing.EngineNames;
import org.heddle.routing.RoutingEngine;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.tenancy.Tenancy;
import org.heddle.topology.FatTree;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.Recognition;
import org.heddle.topology.SlowLinks;
import org.heddle.topology.TreeFinding;

/**
 * A fabric with what does not depend on tenants: its tree, its plant, the tables under the tenants'
 * own. Immutable, but for these, which are made when they are first asked for; made anew when the
 * fabric changes.
 */
public final class PhysicalFabric {
  private static final String ISOLATING = EngineNames.PFTREE_EXT;

  /** Slow machines that are named. */
  private static final int SHOWN = 4;

  private final ServiceState out;

  /** What is in service; ids are those of the whole fabric. */
  private final Fabric fabric;

  private final Recognition.Found found;

  /** Of the whole fabric if that is one, else of what is in service. */
  private final FatTree tree;

  private final Plant plant;
  private final String engine;
  private final long switches;
  private final AllocationBinder binder;
  private final List<String> ofPlant;

  /** Null until it is asked for. */
  private EngineFallback.Choice base;

  /** Null until it is asked for. */
  private HostPorts hostPorts;

  private List<String> notes;

  private PhysicalFabric(
      ServiceState out,
      Recognition.Found found,
      FatTree tree,
      Plant plant,
      String engine,
      List<String> notes) {
    this.out = out;
    this.fabric = out.used();
    this.found = found;
    this.tree = tree;
    this.plant = plant;
    this.engine = engine;
    this.switches = switches(fabric);
    this.binder = new AllocationBinder(plant);
    this.ofPlant = notes;
  }

  /** A site, or why there is none. */
  public sealed interface Outcome {
    record Built(PhysicalFabric site) implements Outcome {}

    record Refused(String reason, List<String> details) implements Outcome {}
  }

  /**
   * The site of a fabric without machines, which some engine can route. LIDs that are missing are
   * given.
   *
   * @param engineName of the tables wanted; {@link EngineFallback} if it cannot route the fabric
   */
  public static Outcome of(Fabric given, String engineName, Drained drained) {
    ServiceState out =
        ServiceState.of(given.withVirtualLids(VirtualLids.NONE).withAssignedLids(), drained);
    Recognition found = FatTreeRecogniser.recognise(out.used());
    Outcome outcome = of(out, found, engineName);
    return outcome instanceof Outcome.Built built
            && built.site().base() instanceof RoutingResult.Unsupported no
        ? new Outcome.Refused(no.reason(), no.details())
        : outcome;
  }

  /**
   * The site of a fabric that has its LIDs, and nothing is out of service in it. Whether it can be
   * routed is not asked before {@link #base} is.
   */
  public static Outcome unrouted(Fabric fabric, Recognition recognition, String engineName) {
    return of(ServiceState.of(fabric, Drained.NONE), recognition, engineName);
  }

  private static Outcome of(ServiceState out, Recognition recognition, String engineName) {
    if (!(recognition instanceof Recognition.Found found)) {
      String without = out.isEmpty() ? "" : " without what is out of service";
      return new Outcome.Refused("the fabric is no fat-tree" + without, List.of());
    }
    FatTree tree =
        !out.isEmpty()
                && FatTreeRecogniser.recognise(out.whole()) instanceof Recognition.Found whole
            ? whole.tree()
            : found.tree();
    return switch (Plant.of(out.used(), found.tree())) {
      case Plant.Outcome.Unsupported no -> new Outcome.Refused(no.reason(), List.of());
      case Plant.Outcome.Built built ->
          new Outcome.Built(
              new PhysicalFabric(out, found, tree, built.plant(), engineName, built.notes()));
    };
  }

  /** Machines that can be had, and have a port that is slower than its peers. */
  private Optional<String> slowMachines() {
    Map<Integer, String> slow = new TreeMap<>();
    for (TreeFinding f : SlowLinks.find(fabric, found)) {
      int port = fabric.port(f.node(), f.port());
      int node = fabric.peerNode(port);
      if (plant.leafOfHost(node) != Fabric.NONE) {
        int host = plant.host(plant.leafOfHost(node), plant.slotOfHost(node));
        slow.putIfAbsent(
            host,
            "%s (%s%s)".formatted(plant.name(host), fabric.width(port).text(), fabric.speed(port)));
      }
    }
    if (slow.isEmpty()) {
      return Optional.empty();
    }
    int more = slow.size() - SHOWN;
    return Optional.of(
        Counted.of(slow.size(), "machine has", "machines have")
            + " a port that is slower than its peers: "
            + String.join(", ", slow.values().stream().limit(SHOWN).toList())
            + (more > 0 ? ", and " + more + " more" : ""));
  }

  /** What tenants cannot have of the fabric as it is, and what is slow; a sentence each. */
  public synchronized List<String> notes() {
    if (notes == null) {
      List<String> all = new ArrayList<>(ofPlant);
      slowMachines().ifPresent(all::add);
      notes = List.copyOf(all);
    }
    return notes;
  }

  /** The whole fabric. */
  public Fabric fabric() {
    return out.whole();
  }

  /** Levels of the whole fabric. */
  public FatTree tree() {
    return tree;
  }

  /** What is in service, with the ids of the whole fabric. */
  Fabric used() {
    return fabric;
  }

  /** The tree of what is in service, which plant and routing go by. */
  FatTree usedTree() {
    return found.tree();
  }

  public ServiceState out() {
    return out;
  }

  public Drained drained() {
    return out.drained();
  }

  /** What tells the switches of one fabric, in their order, from those of another. */
  long switches() {
    return switches;
  }

  private static long switches(Fabric fabric) {
    long h = fabric.switchCount();
    for (int sw = 0; sw < fabric.switchCount(); sw++) {
      h = (h ^ fabric.nodeGuid(sw)) * 0x9e3779b97f4a7c15L;
      h ^= h >>> 29;
    }
    return h;
  }

  /** Hosts and links that tenants can have. */
  public Plant plant() {
    return plant;
  }

  AllocationBinder binder() {
    return binder;
  }

  /** The tables under the tenants' own; made when they are asked for first. */
  public RoutingResult base() {
    return choice().result();
  }

  /** The same, with the engine whose tables they are. */
  private synchronized EngineFallback.Choice choice() {
    if (base == null) {
      RoutingResult none =
          new RoutingResult.Unsupported(
              "there is no engine '" + engine + "' ('heddle engines' lists them)", List.of());
      base =
          Catalog.engine(engine)
              .map(this::routed)
              .orElse(new EngineFallback.Choice(none, engine, Optional.empty()));
    }
    return base;
  }

  private EngineFallback.Choice routed(RoutingEngine wanted) {
    EngineFallback.Choice out = EngineFallback.choose(wanted, RoutingRequest.of(fabric, found));
    return out.result() instanceof RoutingResult.Unsupported no
        ? new EngineFallback.Choice(
            new RoutingResult.Unsupported(engine + " refuses: " + no.reason(), no.details()),
            out.engine(),
            out.why())
        : out;
  }

  /**
   * Whose tables a state has.
   *
   * @param apart true if tenants are kept apart by the tables
   */
  EngineInForce engine(boolean apart) {
    return apart
        ? new EngineInForce(engine, ISOLATING, Optional.empty())
        : new EngineInForce(engine, choice().engine(), choice().why());
  }

  /** Tables of the engine that keeps partitions apart, for these, in the place of {@link #base}. */
  RoutingResult base(Tenancy tenancy) {
    return Catalog.engine(ISOLATING)
        .orElseThrow()
        .route(RoutingRequest.of(fabric, found).withTenancy(tenancy));
  }

  /** The ports of {@link Allocation#hostPorts} that have a LID. */
  public int[] hostPorts(Allocation a) {
    return Arrays.stream(a.hostPorts()).filter(port -> fabric.lid(port) != Lid.NONE).toArray();
  }

  /** The hosts of an allocation as they are kept. */
  List<HostRef> hosts(Allocation a) {
    return Arrays.stream(a.hosts()).mapToObj(this::host).toList();
  }

  /** A node as it is kept. */
  public HostRef host(int node) {
    String name =
        plant.leafOfHost(node) == Fabric.NONE ? fabric.description(node) : plant.name(node);
    return new HostRef(fabric.nodeGuid(node), name, cabled(node));
  }

  /** Node GUIDs of the adapters of a machine that have a cable; none for a machine of one. */
  private List<Long> cabled(int node) {
    List<Long> out = new ArrayList<>();
    for (int adapter : PartitionMembers.machine(fabric, node)) {
      if (LostPorts.hasLink(fabric, adapter)) {
        out.add(fabric.nodeGuid(adapter));
      }
    }
    return out.size() < 2 ? List.of() : out;
  }

  /** The adapters that a tenant's hosts once had a cable at and have none now. */
  List<Breach.LostPort> lostAdapters(Tenant tenant) {
    List<Breach.LostPort> out = new ArrayList<>();
    for (HostRef host : tenant.hosts()) {
      for (long guid : host.adapters()) {
        int node = fabric.findNode(guid);
        if (node == Fabric.NONE) {
          out.add(new Breach.LostPort(host.name(), Guid.format(guid), 1, Breach.Why.GONE));
        } else if (!LostPorts.hasLink(fabric, node)) {
          String adapter = Machines.adapterName(fabric, node);
          out.add(new Breach.LostPort(host.name(), adapter, 1, Breach.Why.UNLINKED));
        }
      }
    }
    return out;
  }

  /** The port of a host that can run machines, the first if there are several. */
  int hypervisor(int node) {
    Fabric f = fabric(); // machines on a host that is drained by force run on
    for (int k = 1; k <= f.portCount(node); k++) {
      if (VmPlacement.isHypervisor(f, f.port(node, k))) {
        return f.port(node, k);
      }
    }
    return Fabric.NONE;
  }

  /** The links of an allocation as they are kept. */
  List<LinkRef> links(Allocation a) {
    return AllocationBinder.links(a).stream().map(LinkRef::of).toList();
  }

  /**
   * What a tenant has of what it lists.
   *
   * @param lost what it has not, and why
   */
  public record Remains(Holdings.Held held, List<Breach> lost) {}

  /** The ports of a tenant's hosts that were in use on another fabric and are of no use here. */
  List<Breach.LostPort> lossesSince(PhysicalFabric before, Tenant tenant) {
    List<Breach.LostPort> out = new ArrayList<>();
    for (HostRef host : tenant.hosts()) {
      out.addAll(ports().lossesSince(before.used(), host));
    }
    return out;
  }

  /** What of a tenant's hosts and links is there and not held by others. O(what it lists). */
  public Remains remains(Tenant tenant, Holdings others) {
    TenantSpec spec = tenant.spec();
    List<Breach> lost = new ArrayList<>();
    AllocationBuilder builder =
        new AllocationBuilder(
                plant,
                Math.max(1, tenant.hosts().size()),
                spec.oversubscription(),
                spec.policy() == Policy.LINKS)
            .rails(spec.rails());
    for (HostRef host : tenant.hosts()) {
      int node = host.node(fabric);
      boolean placed = node != Fabric.NONE && plant.leafOfHost(node) != Fabric.NONE;
      if (!placed
          && plant.blocks().size() == 1
          && spec.policy() != Policy.LINKS
          && isReached(node)) {
        continue; // no place for links, and none are promised; nobody else is given it either
      }
      if (!placed) {
        lost.addAll(ports().losses(host.name(), node));
      } else if (others.isFreeHost(node)) {
        builder.host(plant.leafOfHost(node), plant.slotOfHost(node));
      } else {
        String other = others.holderOfHost(node).orElseThrow();
        lost.add(new Breach.MeetsTenant("host " + host.name(), other));
      }
    }
    int[] links = new int[tenant.links().size()];
    int n = 0;
    for (LinkRef link : tenant.links()) {
      int port = binder.port(link.link());
      boolean free = port != Fabric.NONE && others.isFreeCoordinate(port);
      Optional<String> other =
          free || port == Fabric.NONE ? Optional.empty() : others.holderOfLink(port);
      if (port == Fabric.NONE) {
        lost.add(new Breach.LostLink(name(link.from()), link.port(), why(link)));
      } else if (other.isPresent()) {
        String what = "link from " + name(link.from()) + " port " + link.port();
        lost.add(new Breach.MeetsTenant(what, other.get()));
      } else {
        links[n++] = port;
        if (free) {
          binder.add(builder, port);
        }
      }
    }
    links = Arrays.stream(links, 0, n).sorted().distinct().toArray();
    Holdings.Held held = new Holdings.Held(builder.build(), links);
    if (lost.isEmpty() && held.charged().guaranteed()) {
      if (held.charged().joined()) {
        overloaded(held).ifPresent(lost::add);
      } else {
        lost.add(new Breach.Unroutable("no cables join all of its hosts"));
      }
    }
    return new Remains(held, lost);
  }

  /**
   * A leaf from which more hosts of a tenant may send at once than its links there carry, since one
   * of them hangs at another leaf than when the links were found.
   */
  private Optional<Breach> overloaded(Holdings.Held held) {
    Allocation a = held.charged();
    Map<Integer, Integer> ups = new HashMap<>();
    for (int port : held.links()) {
      ups.merge(fabric.nodeOf(port), 1, Integer::sum);
    }
    for (int i = 0; i < a.leafCount(); i++) {
      int here = a.hostsOn(i);
      int flows = Math.min(here, a.hostCount() - here);
      for (int rail = 0; rail < plant.rails() && flows > 0; rail++) {
        int leaf = plant.leafSwitch(rail, a.leaf(i));
        int links = ups.getOrDefault(leaf, 0);
        if (leaf != Fabric.NONE && flows > (long) links * a.oversubscription()) {
          return Optional.of(
              new Breach.Unroutable(
                  "it has %d of its hosts and %d of its links at %s"
                      .formatted(here, links, fabric.node(leaf).display())));
        }
      }
    }
    return a.acrossRails() ? cutOff(a, ups) : Optional.empty();
  }

  /**
   * A leaf switch without links of a tenant whose ports there are to meet some at other leaves of
   * the same unit: when the links were found, each rail of the unit was on one leaf.
   */
  private Optional<Breach> cutOff(Allocation a, Map<Integer, Integer> ups) {
    Map<Integer, Integer> ports = new TreeMap<>();
    Map<Integer, Integer> inPlane = new HashMap<>();
    for (int port : a.hostPorts()) {
      int leaf = fabric.attachedSwitch(port);
      ports.merge(leaf, 1, Integer::sum);
      inPlane.merge(tree().plane(leaf), 1, Integer::sum);
    }
    for (Map.Entry<Integer, Integer> at : ports.entrySet()) {
      int leaf = at.getKey();
      if (at.getValue() < inPlane.get(tree().plane(leaf)) && !ups.containsKey(leaf)) {
        return Optional.of(
            new Breach.Unroutable(
                "it has %d of its ports and none of its links at %s"
                    .formatted(at.getValue(), fabric.node(leaf).display())));
      }
    }
    return Optional.empty();
  }

  private Breach.Why why(LinkRef link) {
    boolean drained =
        out.drained().hasPort(link.from(), link.port())
            || out.drained().hasSwitch(link.from())
            || out.drained().hasSwitch(link.to());
    if (drained) {
      return Breach.Why.OUT_OF_SERVICE;
    }
    int port = binder.cable(link.link());
    if (port == Fabric.NONE) {
      return Breach.Why.GONE;
    }
    return plant.isSlow(port) || plant.isSlow(fabric.peer(port))
        ? Breach.Why.SLOW
        : Breach.Why.UNPLACED;
  }

  /** True if a port of an adapter of the machine is linked to a switch, in service. */
  private boolean isReached(int node) {
    return node != Fabric.NONE
        && Arrays.stream(PartitionMembers.machine(fabric, node))
            .anyMatch(adapter -> LostPorts.hasLink(fabric, adapter));
  }

  private synchronized HostPorts ports() {
    if (hostPorts == null) {
      hostPorts = new HostPorts(out, found.tree());
    }
    return hostPorts;
  }

  /**
   * True if everything that is in service in another site is so here: switches, hosts, and cables
   * at their rates. O(nodes + ports).
   */
  boolean covers(PhysicalFabric other) {
    Fabric f = other.fabric;
    for (int node = 0; node < f.nodeCount(); node++) {
      int here = fabric.findNode(f.nodeGuid(node));
      if (here == Fabric.NONE || fabric.portCount(here) < f.portCount(node)) {
        return false;
      }
      for (int k = 1; k <= f.portCount(node); k++) {
        int peer = f.peer(f.port(node, k));
        int there = peer == Fabric.NONE ? Fabric.NONE : fabric.peer(fabric.port(here, k));
        boolean same =
            peer == Fabric.NONE
                || there != Fabric.NONE
                    && fabric.numberOf(there) == f.numberOf(peer)
                    && fabric.nodeGuid(fabric.nodeOf(there)) == f.nodeGuid(f.nodeOf(peer))
                    && fabric.linkMegabits(there) >= f.linkMegabits(peer);
        if (!same) {
          return false;
        }
      }
    }
    return true;
  }

  private String name(long guid) {
    int node = fabric.findNode(guid);
    return node == Fabric.NONE ? Guid.format(guid) : fabric.node(node).display();
  }
}
