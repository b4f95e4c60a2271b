package org.heddle.text.topology;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.heddle.fabric.Guid;
import org.heddle.fabric.LinkSpeed;
import org.heddle.fabric.LinkWidth;
import org.heddle.fabric.NodeType;
import org.heddle.text.IdentityCode;
import org.heddle.text.Place;
import org.heddle.text.ProblemGroup;
import org.heddle.text.Problems;
import org.heddle.text.Tokens;

/**
 * What a topology file says, before anybody asks whether it fits together: nodes with their port
 * lines, peers still by name or GUID. {@link FabricAssembler} makes a fabric of it.
 *
 * <p>Bounded: files that claim more than about {@value #MAX_PORT_SLOTS} ports are refused, since a
 * few bytes of text could otherwise ask for any amount of memory.
 */
final class TopologyDraft {
  /** Ports of all nodes together, a node counting as eight; large fabrics have some 500,000. */
  static final int MAX_PORT_SLOTS = 2_000_000;

  private static final int NODE_SLOTS = 8;

  /** A node as the file describes it. */
  static final class Node {
    final int line;
    final NodeType type;
    final long guid;
    final String name;
    final int portCount;
    String description = "";
    long portGuid;
    long systemGuid;
    int vendorId;
    int deviceId;
    boolean enhancedPort0;

    /** True where port n has the node's GUID plus n, as in a netlist that names no GUIDs. */
    boolean countedPortGuids;

    int lid;
    int lmc;
    Port[] ports = NO_PORTS;

    /** The port by which a neighbour's line spoke of the node, where that came first; or null. */
    Port mentioned;

    /** The record of this GUID that stands before this one, or null. */
    Node earlier;

    /** True if only neighbours speak of the node. */
    boolean mentionedOnly;

    int handle;

    Node(int line, NodeType type, long guid, String name, int portCount) {
      this.line = line;
      this.type = type;
      this.guid = guid;
      this.name = name;
      this.portCount = portCount;
    }

    /** What the file says about a port, or null. */
    Port port(int number) {
      return number < ports.length ? ports[number] : null;
    }

    void put(Port port) {
      if (port.number >= ports.length) {
        int small = Math.min(8, portCount + 1);
        ports = Arrays.copyOf(ports, port.number < small ? small : portCount + 1);
      }
      ports[port.number] = port;
    }

    /** Name for messages. */
    String display() {
      String id = name.isEmpty() ? Guid.format(guid) : name;
      return description.isEmpty() || description.equals(name)
          ? "'" + Tokens.excerpt(id) + "'"
          : "'" + Tokens.excerpt(description) + "' (" + Tokens.excerpt(id) + ")";
    }
  }

  /** One port line: a claim that this port is cabled to that one, and what else it says. */
  static final class Port {
    int line;
    int number;
    String peerName = "";
    long peerGuid;
    int peerPort;
    long guid;
    long peerPortGuid;
    int lid = -1;
    int lmc;
    int peerLid = -1;
    LinkWidth width = LinkWidth.UNKNOWN;
    LinkSpeed speed = LinkSpeed.UNKNOWN;
    String label = "";
    Node peer;
    boolean linked;

    /** True if both lines name the same far end. */
    boolean sameClaim(Port o) {
      return peerGuid == o.peerGuid && peerPort == o.peerPort && peerName.equals(o.peerName);
    }
  }

  private static final Port[] NO_PORTS = {};

  final List<Node> nodes = new ArrayList<>();

  /** Further records of a GUID that has one. */
  private final List<Node> repeated = new ArrayList<>();

  private final Map<Long, Node> byGuid = new HashMap<>();
  private final Map<String, Node> byName = new HashMap<>();
  private long portSlots;
  private int repeatedPorts;

  /** Pairs that were reported; a list of links has two lines for each. */
  private final Set<String> reported = new HashSet<>();

  private final Problems problems;
  private final ProblemGroup recabled;

  /** True where a port has one line in a file, so that a second one is another node's. */
  private final boolean onePortLine;

  TopologyDraft(Problems problems) {
    this(problems, false);
  }

  /**
   * @param onePortLine the format has one line a port: two that differ are of two nodes
   */
  TopologyDraft(Problems problems, boolean onePortLine) {
    this.problems = problems;
    this.onePortLine = onePortLine;
    this.recabled = new ProblemGroup(problems, "ports listed twice");
  }

  /** The node of that GUID, or null. */
  Node byGuid(long guid) {
    return byGuid.get(guid);
  }

  /** The node of that name, or null. */
  Node byName(String name) {
    return byName.get(name);
  }

  /** True once the file asked for more than any fabric has. */
  boolean full() {
    return portSlots > MAX_PORT_SLOTS;
  }

  /**
   * Adds a node. A file may repeat a record word for word (grouped ibnetdiscover output lists the
   * switches of a chassis twice); whether it does, or whether two nodes have one GUID, is seen once
   * both are complete: {@link #close}.
   *
   * @return the record to put port lines into, or null if it cannot be used (reported)
   */
  Node add(Node node) {
    if (node.guid == 0) {
      problems.error(node.line, "node GUID 0; every node needs a GUID of its own");
      return null;
    }
    portSlots += node.portCount + NODE_SLOTS;
    if (full()) {
      problems.error(node.line, "more nodes and ports than any fabric has");
      return null;
    }
    node.earlier = byGuid.get(node.guid);
    if (node.earlier == null) {
      byGuid.put(node.guid, node);
      if (!node.name.isEmpty()) {
        byName.putIfAbsent(node.name, node);
      }
      nodes.add(node);
    } else {
      repeated.add(node);
    }
    return node;
  }

  /** Adds a port line to its node; the first line about a port counts. */
  void add(Node node, Port port) {
    Port known = node.port(port.number);
    if (known == null) {
      node.put(port);
      return;
    }
    if (known.sameClaim(port)) {
      repeatedPorts++;
    } else if (onePortLine) {
      twoNodes(node, known, node, port);
    } else {
      recabled.warn(
          port.line,
          "port "
              + port.number
              + " of "
              + node.display()
              + " is listed twice; kept line "
              + known.line);
    }
  }

  /** Compares repeated records, and reports what was counted. */
  void close() {
    recabled.close();
    int merged = 0;
    for (Node node : repeated) {
      merged += merge(node) ? 1 : 0;
    }
    if (merged > 0) {
      problems.note(0, merged + " node(s) are listed more than once with the same content; merged");
    } else if (repeatedPorts > 0) {
      problems.note(0, repeatedPorts + " port line(s) are repeated word for word; ignored");
    }
  }

  /** Merges a repeated record if it says nothing else than the first. @return whether it did */
  private boolean merge(Node node) {
    Node first = node.earlier;
    Port here = IdentityCheck.firstPort(node);
    Port there = IdentityCheck.firstPort(first);
    boolean same =
        first.type == node.type
            && first.portCount == node.portCount
            && first.name.equals(node.name)
            && first.description.equals(node.description)
            && first.systemGuid == node.systemGuid
            && first.portGuid == node.portGuid;
    for (Port port : node.ports) {
      Port known = port == null ? null : first.port(port.number);
      boolean differs =
          port != null && (known == null || !known.sameClaim(port) || known.guid != port.guid);
      if (differs && same) {
        here = port;
        there = known == null ? there : known;
        same = false;
      }
    }
    if (!same) {
      twoNodes(first, there, node, here);
    }
    return same;
  }

  /** Two nodes have one GUID. */
  void twoNodes(Node a, Port portA, Node b, Port portB) {
    List<Place> places =
        List.of(IdentityCheck.place(this, a, portA), IdentityCheck.place(this, b, portB));
    String key =
        Guid.format(a.guid)
            + (portB == null ? "" : portB.peerGuid + "/" + portB.peerPort)
            + b.description;
    if (!reported.add(key)) {
      return;
    }
    problems.identity(
        IdentityCode.DUPLICATE_NODE_GUID,
        IdentityCheck.sentence(
            "2 nodes have the node GUID " + Guid.format(a.guid),
            places,
            "give each a GUID of its own, or take the dump again if it holds two states"),
        places);
  }
}
