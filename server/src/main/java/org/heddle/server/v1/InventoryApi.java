package org.heddle.server.v1;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.heddle.control.Controller;
import org.heddle.control.model.Actor;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.fabric.NodeType;
import org.heddle.plan.DesiredState;
import org.heddle.plan.LinkUse;
import org.heddle.plan.model.LinkRef;
import org.heddle.plan.model.Tenant;
import org.heddle.server.http.Call;
import org.heddle.server.http.Listing;
import org.heddle.server.http.Problem;
import org.heddle.server.http.Reply;
import org.heddle.server.http.Route;

/**
 * Nodes and links as lists. A tenant's token sees the hosts it holds, their cables, and the links
 * that are its own, with the load of its own traffic.
 */
public final class InventoryApi {
  private static final String UP = "up";
  private static final String GONE = "gone";
  private static final Set<String> STATES = Set.of(UP, GONE, ServiceApi.DRAINED);

  private final Controller controller;

  /** Of the last state that somebody asked about. */
  private Inventory last;

  public InventoryApi(Controller controller) {
    this.controller = controller;
  }

  /** A node; level and plane of switches only, 0 and -1 for one that is no part of the tree. */
  record NodeDocument(
      String guid,
      String name,
      String kind,
      String state,
      Optional<Integer> level,
      Optional<Integer> plane,
      int ports,
      int linkedPorts,
      List<String> tenants,
      @JsonInclude(JsonInclude.Include.NON_NULL) String machine) {}

  record End(String guid, String name, int port) {}

  /** Destinations of a tenant over a link, away from and towards its lower end. */
  record Traffic(String tenant, int up, int down) {}

  record Load(int up, int down) {}

  record LinkDocument(
      String id,
      String kind,
      String state,
      boolean present,
      End from,
      End to,
      Optional<String> width,
      Optional<String> speed,
      Optional<String> owner,
      Load load,
      List<Traffic> tenants) {}

  public List<Route> routes() {
    return List.of(
        new Route("GET", "/v1/nodes", false, "Switches and hosts, by GUID", this::nodes)
            .taking(Listing.PART, "kind", "state", "tenant")
            .lists(NodeDocument.class),
        new Route("GET", "/v1/links", false, "Links, by GUID and port", this::links)
            .taking(Listing.PART, "kind", "state", "tenant")
            .lists(LinkDocument.class));
  }

  /** Of the state as it is. */
  synchronized Inventory inventory() {
    DesiredState v = controller.view();
    if (last == null || last.view != v) {
      last = new Inventory(v);
    }
    return last;
  }

  private static String word(Call call, String name, Set<String> words) {
    String word = call.query().getOrDefault(name, "");
    if (!word.isEmpty() && !words.contains(word)) {
      throw Problem.malformed(
          "'" + name + "' is one of " + String.join(", ", new TreeSet<>(words)));
    }
    return word;
  }

  /** True if the sender sees what this tenant holds; null for what nobody does. */
  static boolean mine(Call call, Tenant t) {
    return call.actor().role() != Actor.Role.TENANT
        || t != null && call.actor().sees(t.spec().owner());
  }

  private Reply nodes(Call call) {
    String kind = word(call, "kind", Set.of("switch", "host", "router"));
    String state = word(call, "state", STATES);
    String tenant = call.query().getOrDefault("tenant", "");
    Optional<long[]> after = cursor(call, false);
    int limit = call.limit();
    Inventory all = inventory();
    List<NodeDocument> out = new ArrayList<>();
    for (Inventory.Node n : all.nodes) {
      boolean wanted =
          (after.isEmpty() || Long.compareUnsigned(n.guid(), after.get()[0]) > 0)
              && mine(call, n.holder())
              && (tenant.isEmpty() || visible(call, all.view, n.names()).contains(tenant));
      if (!wanted) {
        continue;
      }
      NodeDocument d = node(call, all.view, n);
      if ((kind.isEmpty() || kind.equals(d.kind)) && (state.isEmpty() || state.equals(d.state))) {
        if (out.size() == limit) {
          return page(out, out.getLast().guid);
        }
        out.add(d);
      }
    }
    return page(out, null);
  }

  private static Reply page(List<?> items, String next) {
    return Reply.ok(new ApiV1.Page(items, Optional.ofNullable(next)));
  }

  private static List<String> visible(Call call, DesiredState v, List<String> names) {
    return names.stream().filter(n -> v.tenant(n).filter(t -> mine(call, t)).isPresent()).toList();
  }

  static NodeDocument node(Call call, DesiredState v, Inventory.Node n) {
    List<String> tenants = visible(call, v, n.names());
    if (n.node() == Fabric.NONE) {
      boolean drained = v.drained().hasSwitch(n.guid());
      return new NodeDocument(
          Guid.format(n.guid()),
          n.name(),
          drained ? "switch" : "host",
          drained ? ServiceApi.DRAINED : GONE,
          none(),
          none(),
          0,
          0,
          tenants,
          null);
    }
    Fabric f = v.fabric();
    boolean sw = f.isSwitch(n.node());
    int linked = 0;
    for (int p = 1; p <= f.portCount(n.node()); p++) {
      linked += f.peer(f.port(n.node(), p)) == Fabric.NONE ? 0 : 1;
    }
    return new NodeDocument(
        Guid.format(n.guid()),
        n.name(),
        sw ? "switch" : f.nodeType(n.node()) == NodeType.ROUTER ? "router" : "host",
        sw && v.switchIsOut(n.node()) ? ServiceApi.DRAINED : UP,
        sw ? Optional.of(v.tree().level(n.node())) : none(),
        sw ? Optional.of(v.tree().plane(n.node())) : none(),
        f.portCount(n.node()),
        linked,
        tenants,
        machine(f, n.node()));
  }

  /** The machine of an adapter, if it has several of them. */
  private static String machine(Fabric f, int node) {
    int machine = f.machines().of(node);
    return machine == Fabric.NONE || f.machines().adapterCount(machine) == 1
        ? null
        : f.machines().name(machine);
  }

  private static Optional<Integer> none() {
    return Optional.empty();
  }

  private Reply links(Call call) {
    String kind = word(call, "kind", Set.of("switch", "host"));
    String state = word(call, "state", STATES);
    String tenant = call.query().getOrDefault("tenant", "");
    Optional<long[]> after = cursor(call, true);
    int limit = call.limit();
    Inventory all = inventory();
    List<LinkDocument> out = new ArrayList<>();
    for (Inventory.Link l : all.links) {
      boolean wanted =
          (after.isEmpty() || Inventory.compare(l.ref(), after.get()[0], (int) after.get()[1]) > 0)
              && mine(call, l.owner())
              && (state.isEmpty() || state.equals(state(call, all.view, l)))
              && (kind.isEmpty() || kind.equals(kind(all.view, l)));
      if (!wanted) {
        continue;
      }
      LinkDocument d = link(call, all, l);
      if (tenant.isEmpty() || isOf(d, tenant)) {
        if (out.size() == limit) {
          return page(out, out.getLast().id);
        }
        out.add(d);
      }
    }
    return page(out, null);
  }

  /**
   * Who may see the whole fabric is told what is out of service; for a tenant its broken promises
   * say it.
   */
  private static String state(Call call, DesiredState v, Inventory.Link l) {
    boolean out =
        l.port() == Fabric.NONE
            ? v.drained().hasPort(l.ref().from(), l.ref().port())
            : v.cableIsOut(l.port());
    if (out && call.actor().role() != Actor.Role.TENANT) {
      return ServiceApi.DRAINED;
    }
    return l.port() == Fabric.NONE ? GONE : UP;
  }

  private static boolean isOf(LinkDocument d, String tenant) {
    return d.owner.filter(tenant::equals).isPresent()
        || d.tenants.stream().anyMatch(t -> t.tenant.equals(tenant));
  }

  private static String kind(DesiredState v, Inventory.Link l) {
    Fabric f = v.fabric();
    return l.port() == Fabric.NONE || f.isSwitch(f.nodeOf(l.port())) ? "switch" : "host";
  }

  static LinkDocument link(Call call, Inventory all, Inventory.Link l) {
    Fabric f = all.view.fabric();
    LinkRef ref = l.ref();
    boolean up = l.port() != Fabric.NONE;
    List<Traffic> traffic = new ArrayList<>();
    LinkUse use = all.use();
    int sumUp = 0;
    int sumDown = 0;
    for (int t = 0; up && t < use.tenants().size(); t++) {
      if (mine(call, use.tenants().get(t))) {
        int there = use.destinations(t, l.port());
        int back = use.destinations(t, f.peer(l.port()));
        sumUp += there;
        sumDown += back;
        if (there + back > 0) {
          traffic.add(new Traffic(use.tenants().get(t).name(), there, back));
        }
      }
    }
    return new LinkDocument(
        ref.id(),
        kind(all.view, l),
        state(call, all.view, l),
        up,
        end(f, ref.from(), ref.port()),
        end(f, ref.to(), ref.toPort()),
        up ? Optional.of(f.width(l.port()).toString()) : Optional.empty(),
        up ? Optional.of(f.speed(l.port()).toString()) : Optional.empty(),
        Optional.ofNullable(l.owner()).filter(t -> mine(call, t)).map(Tenant::name),
        new Load(sumUp, sumDown),
        traffic);
  }

  private static End end(Fabric f, long guid, int port) {
    int node = f.findNode(guid);
    return new End(Guid.format(guid), node == Fabric.NONE ? "" : f.description(node), port);
  }

  /** Where the last page ended: a GUID, for links with a port. */
  private static Optional<long[]> cursor(Call call, boolean withPort) {
    String text = call.query().getOrDefault("after", "");
    if (text.isEmpty()) {
      return Optional.empty();
    }
    if (!text.matches(withPort ? "0x[0-9a-f]{1,16}:\\d{1,3}" : "0x[0-9a-f]{1,16}")) {
      throw Problem.malformed("'after' is the 'next' of another page");
    }
    String[] parts = text.substring(2).split(":");
    return Optional.of(
        new long[] {Long.parseUnsignedLong(parts[0], 16), withPort ? Long.parseLong(parts[1]) : 0});
  }
}
