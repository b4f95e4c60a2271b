package org.heddle.control;

import java.util.Arrays;
import java.util.List;
import org.heddle.addressing.VmPlacement;
import org.heddle.allocation.Allocation;
import org.heddle.allocation.AllocationBuilder;
import org.heddle.allocation.Plant;
import org.heddle.catalog.Catalog;
import org.heddle.control.model.Drained;
import org.heddle.control.model.HostRef;
import org.heddle.control.model.LinkRef;
import org.heddle.control.model.Tenant;
import org.heddle.control.model.TenantSpec;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Lid;
import org.heddle.fabric.VirtualLids;
import org.heddle.routing.EngineNames;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.RoutingEngine;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.tenancy.Tenancy;
import org.heddle.topology.FatTree;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.Recognition;

/**
 * A fabric with what does not depend on tenants: its tree, its plant, the tables under the tenants'
 * own. Immutable; made anew when the fabric changes.
 */
final class Site {
  private static final String ISOLATING = EngineNames.PFTREE_EXT;

  private final OutOfService out;

  /** What is in service; ids are those of the whole fabric. */
  private final Fabric fabric;

  private final Recognition.Found found;

  /** Of the whole fabric if that is one, else of what is in service. */
  private final FatTree tree;

  private final Plant plant;
  private final ForwardingTables base;
  private final long switches;

  /** By port id of a link's lower end: leaf or level-2 switch, and the number there. */
  private final int[] place;

  private final int[] number;
  private final boolean[] rootLink;

  private Site(
      OutOfService out, Recognition.Found found, FatTree tree, Plant plant, ForwardingTables base) {
    this.out = out;
    this.fabric = out.used();
    this.found = found;
    this.tree = tree;
    this.plant = plant;
    this.base = base;
    this.switches = switches(fabric);
    this.place = new int[fabric.portIdLimit()];
    this.number = new int[place.length];
    this.rootLink = new boolean[place.length];
    Arrays.fill(place, Fabric.NONE);
    index();
  }

  /** A site, or why there is none. */
  sealed interface Outcome {
    record Built(Site site, List<String> notes) implements Outcome {}

    record Refused(String reason, List<String> details) implements Outcome {}
  }

  /** The site of a fabric without machines. LIDs that are missing are given. */
  static Outcome of(Fabric given, String engineName, Drained drained) {
    OutOfService out =
        OutOfService.of(given.withVirtualLids(VirtualLids.NONE).withAssignedLids(), drained);
    Fabric fabric = out.used();
    RoutingEngine engine = Catalog.engine(engineName).orElse(null);
    if (engine == null) {
      return new Outcome.Refused("there is no engine '" + engineName + "'", List.of());
    }
    if (!(FatTreeRecogniser.recognise(fabric) instanceof Recognition.Found found)) {
      String without = out.isEmpty() ? "" : " without what is out of service";
      return new Outcome.Refused("the fabric is no fat-tree" + without, List.of());
    }
    FatTree tree =
        !out.isEmpty()
                && FatTreeRecogniser.recognise(out.whole()) instanceof Recognition.Found whole
            ? whole.tree()
            : found.tree();
    return switch (Plant.of(fabric, found.tree())) {
      case Plant.Outcome.Unsupported no -> new Outcome.Refused(no.reason(), List.of());
      case Plant.Outcome.Built built ->
          switch (engine.route(RoutingRequest.of(fabric, found))) {
            case RoutingResult.Unsupported no ->
                new Outcome.Refused(engineName + " refuses: " + no.reason(), no.details());
            case RoutingResult.Routed yes ->
                new Outcome.Built(
                    new Site(out, found, tree, built.plant(), yes.tables()), built.notes());
          };
    };
  }

  /** The whole fabric. */
  Fabric fabric() {
    return out.whole();
  }

  /** Levels of the whole fabric. */
  FatTree tree() {
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

  OutOfService out() {
    return out;
  }

  Drained drained() {
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

  Plant plant() {
    return plant;
  }

  ForwardingTables base() {
    return base;
  }

  /** Tables of the engine that keeps partitions apart, for these, in the place of {@link #base}. */
  RoutingResult base(Tenancy tenancy) {
    return Catalog.engine(ISOLATING)
        .orElseThrow()
        .route(RoutingRequest.of(fabric, found).withTenancy(tenancy));
  }

  private void index() {
    for (int rail = 0; rail < plant.rails(); rail++) {
      for (int l = 0; l < plant.leafCount(); l++) {
        for (int p = 0; p < plant.positions(); p++) {
          note(plant.upPort(rail, l, p), l, p, false);
        }
      }
      for (int s = 0; s < plant.subtreeCount() * plant.planes(); s++) {
        for (int r = 0; r < plant.rootLinks(); r++) {
          note(plant.rootPort(rail, s / plant.planes(), s % plant.planes(), r), s, r, true);
        }
      }
    }
  }

  private void note(int port, int at, int which, boolean root) {
    if (port != Fabric.NONE) {
      place[port] = at;
      number[port] = which;
      rootLink[port] = root;
    }
  }

  /** Ports by which the hosts of an allocation are reached, by host and port number. */
  int[] hostPorts(Allocation a) {
    int[] out = new int[Math.max(1, a.hostCount() * plant.rails() * 2)];
    int n = 0;
    for (int node : a.hosts()) {
      for (int k = 1; k <= fabric.portCount(node); k++) {
        int port = fabric.port(node, k);
        if (fabric.attachedSwitch(port) != Fabric.NONE && fabric.lid(port) != Lid.NONE) {
          out = n == out.length ? Arrays.copyOf(out, 2 * n) : out;
          out[n++] = port;
        }
      }
    }
    return Arrays.copyOf(out, n);
  }

  /** The hosts of an allocation as they are kept. */
  List<HostRef> hosts(Allocation a) {
    return Arrays.stream(a.hosts()).mapToObj(this::host).toList();
  }

  /** A node as it is kept. */
  HostRef host(int node) {
    return new HostRef(fabric.nodeGuid(node), fabric.description(node));
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
    return Arrays.stream(a.links())
        .mapToObj(
            port -> {
              int peer = fabric.peer(port);
              return new LinkRef(
                  fabric.nodeGuid(fabric.nodeOf(port)),
                  fabric.numberOf(port),
                  fabric.nodeGuid(fabric.nodeOf(peer)),
                  fabric.numberOf(peer));
            })
        .toList();
  }

  /**
   * What of a tenant's hosts and links is there, in this plant's coordinates.
   *
   * @param lost gets a sentence for everything that is not
   */
  Allocation bind(Tenant tenant, List<String> lost) {
    TenantSpec spec = tenant.spec();
    AllocationBuilder builder =
        new AllocationBuilder(
            plant,
            Math.max(1, tenant.hosts().size()),
            spec.oversubscription(),
            spec.policy() == org.heddle.control.model.Policy.LINKS);
    for (HostRef host : tenant.hosts()) {
      int node = fabric.findNode(host.guid());
      if (node == Fabric.NONE || plant.leafOfHost(node) == Fabric.NONE) {
        lost.add("host " + host.name() + lost(node));
      } else {
        builder.host(plant.leafOfHost(node), plant.slotOfHost(node));
      }
    }
    for (LinkRef link : tenant.links()) {
      int port = port(link);
      if (port == Fabric.NONE) {
        boolean drained =
            out.drained().hasPort(link.from(), link.port())
                || out.drained().hasSwitch(link.from())
                || out.drained().hasSwitch(link.to());
        String why = drained ? " is out of service" : " is gone";
        lost.add("link from " + name(link.from()) + " port " + link.port() + why);
      } else if (rootLink[port]) {
        int at = place[port];
        builder.root(at / plant.planes(), at % plant.planes(), number[port]);
      } else {
        builder.up(place[port], number[port]);
      }
    }
    return builder.build();
  }

  private String lost(int node) {
    if (node == Fabric.NONE) {
      return " is gone";
    }
    boolean linked = false;
    for (int k = 1; k <= fabric.portCount(node); k++) {
      linked |= out.hasPort(fabric.port(node, k));
    }
    return linked ? " is out of service" : " has no link";
  }

  /** The port of a link's lower end, if the cable is as it was and counts on all rails. */
  private int port(LinkRef link) {
    int node = fabric.findNode(link.from());
    if (node == Fabric.NONE || !fabric.isSwitch(node) || link.port() > fabric.portCount(node)) {
      return Fabric.NONE;
    }
    int port = fabric.port(node, link.port());
    int peer = fabric.peer(port);
    boolean same =
        peer != Fabric.NONE
            && fabric.numberOf(peer) == link.toPort()
            && fabric.nodeGuid(fabric.nodeOf(peer)) == link.to();
    return same && place[port] != Fabric.NONE && onAllRails(port) ? port : Fabric.NONE;
  }

  private boolean onAllRails(int port) {
    boolean all = true;
    int s = place[port];
    for (int rail = 0; rail < plant.rails(); rail++) {
      int there =
          rootLink[port]
              ? plant.rootPort(rail, s / plant.planes(), s % plant.planes(), number[port])
              : plant.upPort(rail, s, number[port]);
      all &= there != Fabric.NONE;
    }
    return all;
  }

  private String name(long guid) {
    int node = fabric.findNode(guid);
    return node == Fabric.NONE ? org.heddle.fabric.Guid.format(guid) : fabric.node(node).display();
  }
}
