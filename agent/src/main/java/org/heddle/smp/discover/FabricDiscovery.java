package org.heddle.smp.discover;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntConsumer;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.FabricBuilder;
import org.heddle.fabric.Guid;
import org.heddle.fabric.Lid;
import org.heddle.fabric.LinkSpeed;
import org.heddle.fabric.LinkWidth;
import org.heddle.fabric.NodeType;
import org.heddle.mad.AttributeId;
import org.heddle.mad.NodeDescription;
import org.heddle.mad.NodeInfo;
import org.heddle.mad.PortInfo;
import org.heddle.mad.Smp;
import org.heddle.mad.SwitchInfo;
import org.heddle.smp.client.SmpClient;
import org.heddle.smp.client.SmpOutcome;
import org.heddle.smp.client.SmpRoute;

/**
 * Finds a fabric by directed-route SMPs, breadth first from the port the client is at, as
 * ibnetdiscover does and with the same result.
 *
 * <p>Level by level: who is behind every link of the last level (NodeInfo), then what the new nodes
 * are (NodeDescription, SwitchInfo, PortInfo of every port). Answers are used in the order of the
 * questions, so that the outcome does not depend on which came first. Needs no LIDs and no
 * forwarding tables. About one SMP per switch port, and two per link and node.
 *
 * <p>What cannot be: ports without a link say little (no GUID of an adapter's dark port), and a
 * second port of the adapter the client is at is seen only if its network is the same.
 */
public final class FabricDiscovery {
  /** A link to look behind. */
  private record Probe(DiscoveredNode from, int port, SmpRoute route) {}

  /** A port of a node. */
  private record PortOf(DiscoveredNode node, int port) {}

  /**
   * A node that may be another one of the same GUID: it was entered by a port that leads elsewhere,
   * or nowhere, at the node known.
   */
  private record Doubt(DiscoveredNode known, int port, Probe probe) {}

  private final SmpClient client;
  private final IntConsumer progress;
  private final FabricBuilder builder = new FabricBuilder();
  private final Map<Long, DiscoveredNode> byGuid = new HashMap<>();
  private final List<DiscoveredNode> nodes = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();
  private final List<Doubt> doubts = new ArrayList<>();
  private final Map<Long, PortOf> portOfGuid = new HashMap<>();
  private final Set<String> doubles = new LinkedHashSet<>();
  private final BitSet lidsTaken = new BitSet();

  private FabricDiscovery(SmpClient client, IntConsumer progress) {
    this.client = client;
    this.progress = progress;
  }

  /** Discovers; see {@link #run(SmpClient, IntConsumer)}. */
  public static DiscoveredFabric run(SmpClient client) {
    return run(client, count -> {});
  }

  /**
   * Discovers.
   *
   * @param progress told the number of nodes found, level by level
   * @return the fabric; without nodes if not even the own port answers
   */
  public static DiscoveredFabric run(SmpClient client, IntConsumer progress) {
    return new FabricDiscovery(client, progress).run();
  }

  private DiscoveredFabric run() {
    List<Probe> frontier = List.of(new Probe(null, 0, SmpRoute.HERE));
    while (!frontier.isEmpty()) {
      frontier = level(frontier);
      progress.accept(nodes.size());
    }
    doubts.stream().filter(this::isDouble).forEach(d -> doubles.add(twoNodes(d.known, d.probe)));
    settleRates();
    nodes.forEach(this::setLids);
    return result();
  }

  private String twoNodes(DiscoveredNode known, Probe probe) {
    return "2 nodes have the node GUID "
        + Guid.format(known.guid)
        + ": "
        + known.display()
        + ", and another behind "
        + place(probe)
        + "; give each a GUID of its own";
  }

  /**
   * Asks both ways again, at one time: if a port of one number answers behind two cables, or behind
   * one although it has none, there are two nodes. Otherwise a cable was moved meanwhile.
   */
  private boolean isDouble(Doubt doubt) {
    DiscoveredNode known = doubt.known;
    int port = doubt.port;
    boolean[] there = new boolean[2];
    entered(doubt.probe.route(), known.guid, port, there, 0);
    boolean cabled = port > 0 && builder.isCabled(known.handle, port);
    DiscoveredNode peer = cabled ? nodes.get(builder.peerNode(known.handle, port)) : null;
    boolean samePlace =
        peer == null
            || peer == doubt.probe.from()
                && builder.peerPort(known.handle, port) == doubt.probe.port();
    if (!samePlace && peer.route.canGrow()) {
      SmpRoute way = peer.route.then(builder.peerPort(known.handle, port));
      entered(way, known.guid, port, there, 1);
    } else if (samePlace && port > 0 && known.type == NodeType.SWITCH) {
      client.get(
          known.route,
          AttributeId.PORT_INFO,
          port,
          outcome ->
              there[1] =
                  outcome instanceof SmpOutcome.Answer(Smp smp)
                      && new PortInfo().wrap(smp).physicalState() != PortInfo.PHYSICAL_LINK_UP);
    }
    client.drain();
    return there[0] && there[1];
  }

  /** Notes whether a node of that GUID is entered by that port. */
  private void entered(SmpRoute route, long guid, int port, boolean[] there, int index) {
    client.get(
        route,
        AttributeId.NODE_INFO,
        0,
        outcome -> {
          if (outcome instanceof SmpOutcome.Answer(Smp smp)) {
            NodeInfo info = new NodeInfo().wrap(smp);
            there[index] = info.nodeGuid() == guid && info.localPortNum() == port;
          }
        });
  }

  /** Looks behind all links of a level; returns the links of the nodes that are new. */
  private List<Probe> level(List<Probe> frontier) {
    DiscoveredNode.Sighting[] seen = new DiscoveredNode.Sighting[frontier.size()];
    SmpOutcome[] failed = new SmpOutcome[frontier.size()];
    NodeInfo info = new NodeInfo();
    for (int i = 0; i < seen.length; i++) {
      int index = i;
      client.get(
          frontier.get(i).route(),
          AttributeId.NODE_INFO,
          0,
          outcome -> {
            if (outcome instanceof SmpOutcome.Answer answer) {
              seen[index] = DiscoveredNode.Sighting.of(info.wrap(answer.smp()));
            } else {
              failed[index] = outcome;
            }
          });
    }
    client.drain();
    int before = nodes.size();
    for (int i = 0; i < seen.length; i++) {
      if (seen[i] == null) {
        warnings.add("nothing usable behind " + place(frontier.get(i)) + ": " + failed[i]);
      } else {
        arrive(frontier.get(i), seen[i]);
      }
    }
    client.drain();
    List<DiscoveredNode> fresh = nodes.subList(before, nodes.size());
    return probes(fresh);
  }

  private static String place(Probe probe) {
    return probe.from() == null
        ? "the port the datagrams start from"
        : "port " + probe.port() + " of " + probe.from().display();
  }

  private void arrive(Probe probe, DiscoveredNode.Sighting seen) {
    if (seen.guid() == 0) {
      warnings.add("the node behind " + place(probe) + " has no GUID; it is left out");
      return;
    }
    DiscoveredNode node = byGuid.get(seen.guid());
    if (node == null) {
      node = add(probe.route(), seen);
    } else if (node.type != seen.type() || node.portCount != seen.portCount()) {
      warnings.add(
          "two nodes have the GUID "
              + Guid.format(seen.guid())
              + ", the second behind "
              + place(probe)
              + "; it is left out");
      doubles.add(twoNodes(node, probe));
      return;
    }
    if (seen.localPort() > node.portCount) {
      warnings.add(node.display() + " says it is entered by port " + seen.localPort());
      return;
    }
    portGuid(seen.portGuid(), node, node.type == NodeType.SWITCH ? 0 : seen.localPort());
    if (node.type != NodeType.SWITCH) {
      builder.setPortGuid(node.handle, seen.localPort(), seen.portGuid());
      askPort(node, seen.localPort(), probe.route());
    }
    if (probe.from() != null) {
      connect(probe, node, seen.localPort());
    }
  }

  /** Notes which port has a GUID; whoever may use a partition with one may with the other. */
  private void portGuid(long guid, DiscoveredNode node, int port) {
    PortOf first = portOfGuid.putIfAbsent(guid, new PortOf(node, port));
    if (guid != 0 && first != null && (first.node != node || first.port != port)) {
      doubles.add(
          "2 ports have the port GUID "
              + Guid.format(guid)
              + ": port "
              + first.port
              + " of "
              + first.node.display()
              + ", and port "
              + port
              + " of "
              + node.display()
              + "; give each a GUID of its own");
    }
  }

  private void connect(Probe probe, DiscoveredNode node, int port) {
    int from = probe.from().handle;
    boolean cabled = builder.isCabled(from, probe.port());
    if (cabled
        && builder.peerNode(from, probe.port()) == node.handle
        && builder.peerPort(from, probe.port()) == port) {
      return; // seen from the other end already
    }
    if (cabled || port == 0 || builder.isCabled(node.handle, port)) {
      warnings.add(
          place(probe)
              + " and port "
              + port
              + " of "
              + node.display()
              + " are not each other's only partners; the link is left out");
      doubts.add(new Doubt(node, port, probe));
      return;
    }
    if (node.type == NodeType.SWITCH && node.ports[port] != null && !node.linkUp(port)) {
      doubts.add(new Doubt(node, port, probe));
    }
    builder.connect(from, probe.port(), node.handle, port);
  }

  private DiscoveredNode add(SmpRoute route, DiscoveredNode.Sighting seen) {
    int handle = builder.addNode(seen.type(), seen.guid(), seen.portCount(), "");
    builder.setIds(handle, seen.vendorId(), seen.deviceId(), seen.systemGuid());
    DiscoveredNode node = new DiscoveredNode(handle, route, seen);
    byGuid.put(seen.guid(), node);
    nodes.add(node);
    NodeDescription description = new NodeDescription();
    ask(
        node,
        AttributeId.NODE_DESCRIPTION,
        0,
        route,
        answer -> {
          node.description = description.wrap(answer.smp()).text();
          builder.setDescription(handle, node.description);
        });
    if (seen.type() == NodeType.SWITCH) {
      askSwitch(node);
    }
    return node;
  }

  private void askSwitch(DiscoveredNode node) {
    if (node.guid != node.portGuid) {
      for (int port = 0; port <= node.portCount; port++) {
        builder.setPortGuid(node.handle, port, node.portGuid);
      }
    }
    SwitchInfo info = new SwitchInfo();
    ask(
        node,
        AttributeId.SWITCH_INFO,
        0,
        node.route,
        answer -> {
          info.wrap(answer.smp());
          builder.setEnhancedPort0(node.handle, info.enhancedPort0());
          int at = answer.smp().dataOffset();
          node.switchInfo = Arrays.copyOfRange(answer.smp().buffer(), at, at + Smp.DATA_SIZE);
        });
    for (int port = 0; port <= node.portCount; port++) {
      askPort(node, port, node.route);
    }
  }

  private void askPort(DiscoveredNode node, int port, SmpRoute route) {
    ask(
        node,
        AttributeId.PORT_INFO,
        port,
        route,
        answer ->
            node.ports[port] = new PortInfo().wrap(new PortInfo().wrap(answer.smp()).copy(), 0));
  }

  private interface Use {
    void use(SmpOutcome.Answer answer);
  }

  private void ask(DiscoveredNode node, int attributeId, int modifier, SmpRoute route, Use use) {
    client.get(
        route,
        attributeId,
        modifier,
        outcome -> {
          if (outcome instanceof SmpOutcome.Answer answer) {
            use.use(answer);
          } else {
            warnings.add(
                AttributeId.name(attributeId)
                    + " "
                    + modifier
                    + " of "
                    + node.display()
                    + ": "
                    + outcome);
          }
        });
  }

  /** The links of new nodes that are up and not known from the other end. */
  private List<Probe> probes(List<DiscoveredNode> fresh) {
    List<Probe> probes = new ArrayList<>();
    for (DiscoveredNode node : fresh) {
      boolean forwards = node.type == NodeType.SWITCH || node.route.hops() == 0;
      if (!forwards) {
        continue;
      }
      for (int port = 1; port <= node.portCount; port++) {
        if (node.linkUp(port) && !builder.isCabled(node.handle, port)) {
          if (node.route.canGrow()) {
            probes.add(new Probe(node, port, node.route.then(port)));
          } else {
            warnings.add(node.display() + " is 63 hops away; nothing behind it can be reached");
          }
        }
      }
    }
    return probes;
  }

  /** Both ends of a cable get the slower of what they say. */
  private void settleRates() {
    new Fdr10Check(client, nodes).run();
    for (DiscoveredNode node : nodes) {
      for (int port = 1; port <= node.portCount; port++) {
        if (node.ports[port] == null || !builder.isCabled(node.handle, port)) {
          continue;
        }
        DiscoveredNode far = nodes.get(builder.peerNode(node.handle, port));
        int farPort = builder.peerPort(node.handle, port);
        LinkWidth width = slower(node.width(port), far.width(farPort), LinkWidth.UNKNOWN);
        LinkSpeed speed = slower(node.speed(port), far.speed(farPort), LinkSpeed.UNKNOWN);
        builder.setLink(node.handle, port, width, speed);
        builder.setMtuCode(node.handle, port, Math.min(5, node.ports[port].neighborMtu()));
      }
    }
  }

  private static <E extends Enum<E>> E slower(E a, E b, E unknown) {
    if (a == unknown || b == unknown) {
      return a == unknown ? b : a;
    }
    return a.compareTo(b) <= 0 ? a : b;
  }

  private void setLids(DiscoveredNode node) {
    int first = node.type == NodeType.SWITCH ? 0 : 1;
    int last = node.type == NodeType.SWITCH ? 0 : node.portCount;
    for (int port = first; port <= last; port++) {
      PortInfo info = node.ports[port];
      if (info == null || info.lid() == 0) {
        continue;
      }
      int lid = info.lid();
      int end = lid + (1 << info.lmc());
      int clash = lidsTaken.nextSetBit(lid);
      if (end - 1 > Lid.MAX_UNICAST || clash >= 0 && clash < end) {
        warnings.add(
            "LID "
                + lid
                + " of port "
                + port
                + " of "
                + node.display()
                + (clash >= 0 && clash < end
                    ? " belongs to another port as well"
                    : " is not a unicast LID")
                + "; it counts as having none");
        continue;
      }
      lidsTaken.set(lid, end);
      builder.setLid(node.handle, port, lid, info.lmc());
    }
  }

  private DiscoveredFabric result() {
    Fabric fabric = builder.build();
    Map<Long, SmpRoute> routes = new HashMap<>();
    Map<Long, byte[]> switchInfos = new HashMap<>();
    BitSet linkUp = new BitSet(fabric.portIdLimit());
    BitSet enforcing = new BitSet();
    for (DiscoveredNode node : nodes) {
      routes.put(node.guid, node.route);
      if (node.switchInfo != null) {
        switchInfos.put(node.guid, node.switchInfo);
      }
      int id = fabric.findNode(node.guid);
      for (int port = 1; port <= node.portCount; port++) {
        if (node.linkUp(port)) {
          linkUp.set(fabric.port(id, port));
          int at = 2 * fabric.port(id, port);
          enforcing.set(at, node.ports[port].partitionEnforcementInbound());
          enforcing.set(at + 1, node.ports[port].partitionEnforcementOutbound());
        }
      }
    }
    return new DiscoveredFabric(
        fabric, routes, switchInfos, linkUp, enforcing, warnings, List.copyOf(doubles));
  }
}
