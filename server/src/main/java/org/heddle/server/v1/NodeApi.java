package org.heddle.server.v1;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.plan.DesiredState;
import org.heddle.server.http.Call;
import org.heddle.server.http.Problem;
import org.heddle.server.http.Reply;
import org.heddle.server.http.Route;

/**
 * One switch or host with its ports and what hangs on them. A tenant's token sees the hosts it
 * holds; others are not there for it.
 */
public final class NodeApi {
  private final InventoryApi inventory;

  public NodeApi(InventoryApi inventory) {
    this.inventory = inventory;
  }

  /**
   * A port.
   *
   * @param guid of the port, empty for those of switches but 0
   * @param lid 0 if it has none
   * @param link what is plugged in, or null
   */
  record PortDocument(int port, String guid, int lid, Optional<InventoryApi.LinkDocument> link) {}

  /** A node as in lists, with its LID (of a switch, or of the first port that has one). */
  record Details(InventoryApi.NodeDocument node, int lid, List<PortDocument> ports) {}

  public List<Route> routes() {
    return List.of(
        new Route("GET", "/v1/nodes/{guid}", false, "A switch or host, its ports", this::node)
            .answers(Details.class));
  }

  private Reply node(Call call) {
    long guid = call.guid();
    Inventory all = inventory.inventory();
    Inventory.Node n =
        all.nodes.stream()
            .filter(x -> x.guid() == guid && InventoryApi.mine(call, x.holder()))
            .findFirst()
            .orElseThrow(Problem::notFound);
    List<PortDocument> ports = n.node() == Fabric.NONE ? List.of() : ports(call, all, n.node());
    int lid = ports.stream().mapToInt(PortDocument::lid).filter(l -> l > 0).findFirst().orElse(0);
    return Reply.ok(new Details(InventoryApi.node(call, all.view, n), lid, ports));
  }

  /** Ports by number: 0 of switches, which has the LID, and those from 1. O(links). */
  private static List<PortDocument> ports(Call call, Inventory all, int node) {
    DesiredState v = all.view;
    Fabric f = v.fabric();
    int count = f.portCount(node);
    List<Optional<InventoryApi.LinkDocument>> links = new ArrayList<>();
    for (int p = 0; p <= count; p++) {
      links.add(Optional.empty());
    }
    long guid = f.nodeGuid(node);
    for (Inventory.Link l : all.links) {
      boolean lower = l.ref().from() == guid;
      if (!lower && l.ref().to() != guid || l.port() == Fabric.NONE) {
        continue;
      }
      Optional<InventoryApi.LinkDocument> said = Optional.of(InventoryApi.link(call, all, l));
      if (lower) {
        links.set(l.ref().port(), said);
      }
      if (l.ref().to() == guid) {
        links.set(l.ref().toPort(), said);
      }
    }
    List<PortDocument> out = new ArrayList<>();
    for (int p = f.isSwitch(node) ? 0 : 1; p <= count; p++) {
      int port = f.port(node, p);
      boolean addressed = f.isEndport(port);
      String name = addressed ? Guid.format(f.portGuid(port)) : "";
      out.add(new PortDocument(p, name, addressed ? f.lid(port) : 0, links.get(p)));
    }
    return out;
  }
}
