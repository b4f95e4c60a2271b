package org.heddle.emulator;

import java.util.HashMap;
import java.util.Map;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.fabric.NodeType;

/**
 * Nodes by what people write: a GUID with 0x, the name in ibnetdiscover's and ibsim's files ({@code
 * S-}, {@code H-} or {@code R-} and the GUID), or the description, if only one node has it.
 */
public final class NodeFinder {
  private static final int SEVERAL = -2;

  private final Fabric fabric;
  private final Map<String, Integer> byName = new HashMap<>();

  public NodeFinder(Fabric fabric) {
    this.fabric = fabric;
    for (int node = 0; node < fabric.nodeCount(); node++) {
      byName.merge(fabric.description(node), node, (a, b) -> SEVERAL);
    }
    for (int node = 0; node < fabric.nodeCount(); node++) {
      byName.put(id(fabric, node), node);
    }
  }

  /** The name of a node in files. */
  public static String id(Fabric fabric, int node) {
    NodeType type = fabric.nodeType(node);
    String prefix = type == NodeType.SWITCH ? "S-" : type == NodeType.CA ? "H-" : "R-";
    return prefix + Guid.hex16(fabric.nodeGuid(node));
  }

  /**
   * Finds a node.
   *
   * @throws IllegalArgumentException if there is none, or several
   */
  public int find(String name) {
    if (name.startsWith("0x")) {
      long guid = Guid.parse(name).value();
      int node = fabric.findNode(guid);
      int port = node == Fabric.NONE ? fabric.findPort(guid) : Fabric.NONE;
      if (node == Fabric.NONE && port == Fabric.NONE) {
        throw new IllegalArgumentException("no node has the GUID " + name);
      }
      return node != Fabric.NONE ? node : fabric.nodeOf(port);
    }
    int node = byName.getOrDefault(name, Fabric.NONE);
    if (node == SEVERAL) {
      throw new IllegalArgumentException(
          "several nodes are described as '" + name + "'; give the GUID of one: 0x...");
    }
    if (node == Fabric.NONE) {
      throw new IllegalArgumentException("no node is named '" + name + "'");
    }
    return node;
  }

  /**
   * The port at which a program is that runs on a node: port 0 of a switch, otherwise the first
   * that has a cable.
   */
  public int port(int node) {
    if (fabric.isSwitch(node)) {
      return fabric.port(node, 0);
    }
    if (fabric.portCount(node) == 0) {
      throw new IllegalArgumentException("'" + fabric.description(node) + "' has no port");
    }
    for (int number = 1; number <= fabric.portCount(node); number++) {
      if (fabric.peer(fabric.port(node, number)) != Fabric.NONE) {
        return fabric.port(node, number);
      }
    }
    return fabric.port(node, 1);
  }

  /**
   * The port at which a program is that does not say where: of the first adapter with a port, or of
   * the first switch.
   */
  public int anyPort() {
    for (int node = fabric.switchCount(); node < fabric.nodeCount(); node++) {
      if (fabric.portCount(node) > 0) {
        return port(node);
      }
    }
    if (fabric.nodeCount() == 0) {
      throw new IllegalArgumentException("the fabric has no nodes");
    }
    return port(0);
  }
}
