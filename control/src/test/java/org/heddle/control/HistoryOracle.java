package org.heddle.control;

import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.plan.DesiredState;
import org.heddle.plan.Differences;
import org.heddle.plan.model.Breach;
import org.heddle.plan.model.HostRef;
import org.heddle.plan.model.LinkRef;
import org.heddle.plan.model.Member;
import org.heddle.plan.model.Policy;
import org.heddle.plan.model.Tenant;
import org.heddle.routing.ForwardingTables;
import org.heddle.tenancy.IsolationPolicy;
import org.heddle.tenancy.Lanes;
import org.heddle.tenancy.Partition;
import org.heddle.tenancy.PartitionMember;
import org.heddle.tenancy.Tenancy;
import org.heddle.verify.Audit;
import org.heddle.verify.AuditOptions;
import org.heddle.verify.Severity;
import org.heddle.verify.isolation.IsolationAudit;
import org.heddle.verify.isolation.IsolationOptions;
import org.heddle.verify.isolation.IsolationReport;
import org.heddle.verify.links.LinkConfinement;

/**
 * What must hold after every step of a history, worked out from the published view, from cables and
 * GUIDs, and from the audits: nothing of the controller's own bookkeeping is used.
 */
final class HistoryOracle {
  private final DesiredState view;
  private final Fabric fabric;
  private final List<String> wrong = new ArrayList<>();

  /** Nothing is missing or out of service. */
  private final boolean whole;

  private HistoryOracle(DesiredState view, boolean whole) {
    this.view = view;
    this.whole = whole;
    this.fabric = view.fabric();
  }

  /** Everything that is wrong. */
  static List<String> look(HistoryWorld world) {
    DesiredState view = world.controller.view();
    boolean whole = world.isWhole() && Differences.none(world.whole, view.fabric());
    HistoryOracle o = new HistoryOracle(view, whole);
    o.heldOnce();
    o.freeHosts();
    o.flags();
    o.tables();
    o.isolation();
    o.restart(world);
    if (whole) {
      for (Tenant t : o.view.all()) {
        o.require(t.broken().isEmpty(), t.name() + " is broken on a whole fabric: " + t.broken());
      }
    }
    return o.wrong;
  }

  private void require(boolean holds, String otherwise) {
    if (!holds) {
      wrong.add(otherwise);
    }
  }

  private void heldOnce() {
    Map<Long, String> hosts = new HashMap<>();
    Map<String, String> ends = new HashMap<>();
    for (Tenant t : view.all()) {
      for (HostRef h : t.hosts()) {
        String other = hosts.put(h.guid(), t.name());
        require(other == null, "host " + h.name() + " is held by " + other + " and " + t.name());
      }
      for (LinkRef l : t.links()) {
        for (String end : List.of(l.from() + ":" + l.port(), l.to() + ":" + l.toPort())) {
          String other = ends.put(end, t.name());
          require(other == null, "link " + l.id() + " is held by " + other + " and " + t.name());
        }
      }
    }
  }

  /** True if a tenant could have the host: all its ports lead to switches, in service. */
  private boolean isThere(int node) {
    boolean there = node != Fabric.NONE && !fabric.isSwitch(node);
    for (int k = 1; there && k <= fabric.portCount(node); k++) {
      int port = fabric.port(node, k);
      there = fabric.attachedSwitch(port) != Fabric.NONE && !view.cableIsOut(port);
    }
    return there;
  }

  private void freeHosts() {
    Set<Long> listed = new HashSet<>();
    view.all().forEach(t -> t.hosts().forEach(h -> listed.add(h.guid())));
    int free = 0;
    for (int node = fabric.switchCount(); node < fabric.nodeCount(); node++) {
      free += isThere(node) && !listed.contains(fabric.nodeGuid(node)) ? 1 : 0;
    }
    // damage may cut a leaf off, in one of its rails say: nobody is given its hosts then
    require(
        whole ? free == view.freeHosts() : free >= view.freeHosts(),
        view.freeHosts() + " hosts count as free, not " + free);
  }

  private int port(LinkRef l) {
    int node = fabric.findNode(l.from());
    if (node == Fabric.NONE || l.port() > fabric.portCount(node)) {
      return Fabric.NONE;
    }
    int port = fabric.port(node, l.port());
    int peer = fabric.peer(port);
    boolean same =
        peer != Fabric.NONE
            && fabric.nodeGuid(fabric.nodeOf(peer)) == l.to()
            && fabric.numberOf(peer) == l.toPort()
            && !view.cableIsOut(port);
    return same && !isSlow(port) ? port : Fabric.NONE;
  }

  /** Slower than half of the links of its level. All machines here are as fast as whole links. */
  private boolean isSlow(int port) {
    int usual = Integer.MAX_VALUE;
    List<Integer> rates = new ArrayList<>();
    for (int p = 0; p < fabric.portIdLimit(); p++) {
      if (p < fabric.peer(p) && !view.cableIsOut(p) && level(p) > 0 && level(p) == level(port)) {
        rates.add(fabric.linkMegabits(p));
      }
    }
    for (int rate : rates) {
      long reach = rates.stream().filter(r -> r >= rate).count();
      usual =
          2 * reach >= rates.size() && (usual == Integer.MAX_VALUE || rate > usual) ? rate : usual;
    }
    return usual < Integer.MAX_VALUE && fabric.linkMegabits(port) < usual;
  }

  /** Of the lower end of a link between two levels; 0 for others. */
  private int level(int port) {
    int a = fabric.nodeOf(port);
    int b = fabric.peerNode(port);
    if (!fabric.isSwitch(a) || !fabric.isSwitch(b)) {
      return 0;
    }
    int low = Math.min(view.tree().level(a), view.tree().level(b));
    return low == Math.max(view.tree().level(a), view.tree().level(b)) - 1 ? low : 0;
  }

  /** Who has not what it lists says so; who says that something is gone has not got it. */
  private void flags() {
    for (Tenant t : view.all()) {
      boolean hosts = t.hosts().stream().allMatch(h -> isThere(fabric.findNode(h.guid())));
      boolean links = t.links().stream().allMatch(l -> port(l) != Fabric.NONE);
      require(hosts && links || !t.broken().isEmpty(), t.name() + " lists what is not there");
      for (Breach b : t.broken()) {
        boolean lost =
            switch (b) {
              case Breach.LostHost h -> !hosts || h.why() == Breach.Why.UNPLACED && !whole;
              case Breach.LostPort p -> !hosts || p.why() == Breach.Why.UNPLACED && !whole;
              case Breach.LostLink l -> !links || l.why() == Breach.Why.UNPLACED;
              case Breach.GaveWay g -> g.policy() == t.spec().policy();
              default -> false;
            };
        require(lost, t.name() + " has all it lists: " + t.broken());
      }
    }
  }

  private int[] hostPorts(Tenant t) {
    List<Integer> out = new ArrayList<>();
    for (HostRef h : t.hosts()) {
      int node = fabric.findNode(h.guid());
      for (int k = 1; node != Fabric.NONE && k <= fabric.portCount(node); k++) {
        if (fabric.attachedSwitch(fabric.port(node, k)) != Fabric.NONE) {
          out.add(fabric.port(node, k));
        }
      }
    }
    return out.stream().mapToInt(i -> i).toArray();
  }

  private void tables() {
    var options = AuditOptions.defaults().withThreads(1);
    Audit.run(fabric, view.tables(), options).findings().stream()
        .filter(f -> f.severity() == Severity.ERROR)
        .forEach(f -> wrong.add("tables: " + f.message()));
    for (Tenant t : view.all()) {
      if (t.spec().policy() == Policy.LINKS && t.broken().isEmpty()) {
        int[] links = t.links().stream().mapToInt(this::port).filter(p -> p >= 0).toArray();
        LinkConfinement.Result r =
            LinkConfinement.check(fabric, view.tables(), hostPorts(t), links);
        require(r.confined(), t.name() + ": " + r.example().orElse(""));
      }
    }
  }

  private void isolation() {
    List<Partition> partitions = new ArrayList<>();
    List<Integer> lanes = new ArrayList<>();
    for (Tenant t : view.all()) {
      TreeSet<Integer> ports = new TreeSet<>();
      for (Member m : view.members(t)) {
        int port = fabric.findPort(m.guid());
        if (port != Fabric.NONE && fabric.attachedSwitch(port) != Fabric.NONE) {
          ports.add(port);
        }
      }
      IsolationPolicy policy =
          t.spec().policy() == Policy.LINKS || !t.broken().isEmpty()
              ? IsolationPolicy.DEF
              : IsolationPolicy.valueOf(t.spec().policy().name());
      partitions.add(
          new Partition(
              t.name(),
              t.pkey(),
              policy,
              ports.stream().map(p -> new PartitionMember(p, true, 1)).toList(),
              List.of()));
      lanes.add(t.spec().partition().serviceLevel());
    }
    if (partitions.stream().allMatch(p -> p.policy() == IsolationPolicy.DEF)) {
      return;
    }
    IsolationReport report =
        IsolationAudit.run(
            fabric,
            view.tables(),
            new Tenancy(new Tenancy.Rules(true, 8, 1, List.of()), partitions),
            new Lanes(lanes.stream().mapToInt(i -> i).toArray()),
            IsolationOptions.defaults().withThreads(1));
    report.violations().forEach(v -> wrong.add("isolation: " + v.message()));
  }

  private record Shown(
      Collection<Tenant> tenants,
      ForwardingTables tables,
      int freeHosts,
      Map<Integer, String> keys,
      Object drained) {
    static Shown of(DesiredState v) {
      return new Shown(
          List.copyOf(v.all()), v.tables(), v.freeHosts(), new TreeMap<>(v.byKey()), v.drained());
    }
  }

  private void restart(HistoryWorld world) {
    try (Controller again = Controller.open(world.store, Clock.systemUTC(), "f")) {
      Shown now = Shown.of(view);
      Shown then = Shown.of(again.view());
      require(
          now.equals(then),
          "a restart shows something else: "
              + (now.tenants.equals(then.tenants)
                  ? "tables or keys"
                  : names(now.tenants) + " before, " + names(then.tenants) + " after"));
    }
  }

  private static String names(Collection<Tenant> tenants) {
    return tenants.stream()
        .map(t -> t.name() + t.broken() + t.links().stream().map(LinkRef::id).toList())
        .toList()
        .toString();
  }

  /** For messages. */
  static String describe(Fabric fabric, LinkRef l) {
    return name(fabric, l.from()) + ":" + l.port() + "-" + name(fabric, l.to()) + ":" + l.toPort();
  }

  private static String name(Fabric fabric, long guid) {
    int node = fabric.findNode(guid);
    return node == Fabric.NONE ? Guid.format(guid) : fabric.node(node).display();
  }
}
