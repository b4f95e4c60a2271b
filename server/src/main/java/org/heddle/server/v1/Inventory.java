package org.heddle.server.v1;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.heddle.fabric.Fabric;
import org.heddle.plan.DesiredState;
import org.heddle.plan.LinkUse;
import org.heddle.plan.model.HostRef;
import org.heddle.plan.model.LinkRef;
import org.heddle.plan.model.Member;
import org.heddle.plan.model.Tenant;

/**
 * Nodes and links of one state in a fixed order, with whose they are. What a tenant holds and the
 * fabric does not have is among them. Immutable but for the counting of loads, which waits until
 * somebody asks.
 */
final class Inventory {
  /**
   * A node.
   *
   * @param node in the fabric, or {@link Fabric#NONE}
   * @param holder of the host, or null
   * @param names of all tenants that have a port of it
   */
  record Node(long guid, String name, int node, Tenant holder, List<String> names) {}

  /**
   * A cable.
   *
   * @param port its lower end, or {@link Fabric#NONE}
   * @param ref its ends by GUID, from below
   * @param owner whose own it is, or the holder of the host at its end; null if nobody's
   */
  record Link(int port, LinkRef ref, Tenant owner) {}

  static final Comparator<Node> BY_GUID = (a, b) -> Long.compareUnsigned(a.guid, b.guid);

  final DesiredState view;
  final List<Node> nodes = new ArrayList<>();
  final List<Link> links = new ArrayList<>();
  private final Map<Long, Tenant> holders = new HashMap<>();
  private LinkUse use;

  Inventory(DesiredState view) {
    this.view = view;
    addNodes();
    addLinks();
  }

  /** Loads, counted when they are first asked for. */
  synchronized LinkUse use() {
    use = use == null ? LinkUse.of(view) : use;
    return use;
  }

  private void addNodes() {
    Fabric f = view.fabric();
    Map<Long, Set<String>> names = new HashMap<>();
    for (Tenant t : view.all()) {
      for (HostRef h : view.adapters(t)) {
        holders.put(h.guid(), t);
        names.computeIfAbsent(h.guid(), _ -> new HashSet<>()).add(t.name());
        if (f.findNode(h.guid()) == Fabric.NONE) {
          nodes.add(new Node(h.guid(), h.name(), Fabric.NONE, t, List.of(t.name())));
        }
      }
      for (Member m : view.members(t)) {
        int port = f.findPort(m.guid());
        if (port != Fabric.NONE) {
          long guid = f.nodeGuid(f.nodeOf(port));
          names.computeIfAbsent(guid, _ -> new HashSet<>()).add(t.name());
        }
      }
    }
    for (long guid : view.drained().switches()) {
      if (f.findNode(guid) == Fabric.NONE) {
        nodes.add(new Node(guid, "", Fabric.NONE, null, List.of()));
      }
    }
    for (int node = 0; node < f.nodeCount(); node++) {
      long guid = f.nodeGuid(node);
      List<String> of = names.getOrDefault(guid, Set.of()).stream().sorted().toList();
      nodes.add(new Node(guid, f.description(node), node, holders.get(guid), of));
    }
    nodes.sort(BY_GUID);
  }

  private void addLinks() {
    Fabric f = view.fabric();
    Map<Integer, Tenant> own = new HashMap<>();
    Set<LinkRef> gone = new HashSet<>();
    for (Tenant t : view.all()) {
      for (LinkRef l : t.links()) {
        int port = find(l);
        if (port == Fabric.NONE) {
          links.add(new Link(Fabric.NONE, l, t));
          gone.add(l);
        } else {
          own.put(port, t);
        }
      }
    }
    for (LinkRef l : view.drained().links()) {
      if (find(l) == Fabric.NONE && !gone.contains(l)) {
        links.add(new Link(Fabric.NONE, l, null));
      }
    }
    for (int node = 0; node < f.nodeCount(); node++) {
      for (int number = 1; number <= f.portCount(node); number++) {
        int port = f.port(node, number);
        int peer = f.peer(port);
        if (peer != Fabric.NONE && below(view, port, peer)) {
          Tenant holder = f.isSwitch(node) ? own.get(port) : holders.get(f.nodeGuid(node));
          links.add(new Link(port, ref(f, port, peer), holder));
        }
      }
    }
    links.sort((a, b) -> compare(a.ref, b.ref.from(), b.ref.port()));
  }

  /** The order of links: the lower end's GUID, then its port. */
  static int compare(LinkRef link, long guid, int port) {
    int byGuid = Long.compareUnsigned(link.from(), guid);
    return byGuid != 0 ? byGuid : Integer.compare(link.port(), port);
  }

  /** The port of a link's lower end, if the cable is as it was. */
  private int find(LinkRef l) {
    Fabric f = view.fabric();
    int node = f.findNode(l.from());
    if (node == Fabric.NONE || l.port() > f.portCount(node)) {
      return Fabric.NONE;
    }
    int port = f.port(node, l.port());
    int peer = f.peer(port);
    return peer != Fabric.NONE
            && f.nodeGuid(f.nodeOf(peer)) == l.to()
            && f.numberOf(peer) == l.toPort()
        ? port
        : Fabric.NONE;
  }

  private static LinkRef ref(Fabric f, int port, int peer) {
    return new LinkRef(
        f.nodeGuid(f.nodeOf(port)), f.numberOf(port), f.nodeGuid(f.nodeOf(peer)), f.numberOf(peer));
  }

  /** The cable in a port, from its lower end. */
  static Optional<LinkRef> cable(DesiredState v, long guid, int number) {
    Fabric f = v.fabric();
    int node = f.findNode(guid);
    if (node == Fabric.NONE || number < 1 || number > f.portCount(node)) {
      return Optional.empty();
    }
    int port = f.port(node, number);
    int peer = f.peer(port);
    if (peer == Fabric.NONE) {
      return Optional.empty();
    }
    return Optional.of(below(v, port, peer) ? ref(f, port, peer) : ref(f, peer, port));
  }

  /** True if the first of two ends is the lower one; among equals that of the smaller id. */
  private static boolean below(DesiredState v, int port, int peer) {
    int mine = level(v, v.fabric().nodeOf(port));
    int other = level(v, v.fabric().nodeOf(peer));
    return mine != other ? mine < other : port < peer;
  }

  /** -1 for hosts, 0 for switches that are no part of the tree. */
  private static int level(DesiredState v, int node) {
    return v.fabric().isSwitch(node) ? v.tree().level(node) : -1;
  }
}
