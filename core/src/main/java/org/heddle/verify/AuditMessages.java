package org.heddle.verify;

import org.heddle.fabric.Fabric;

/**
 * The sentences of an audit, which name every node by description and GUID, and every port by
 * number.
 */
public final class AuditMessages {
  private AuditMessages() {}

  /** {@code 'S1' (0x...)}. */
  public static String node(Fabric fabric, int node) {
    return fabric.node(node).display();
  }

  /** {@code 'S1' (0x...) port 19}. */
  public static String port(Fabric fabric, int port) {
    return node(fabric, fabric.nodeOf(port)) + " port " + fabric.numberOf(port);
  }

  /** An endport: a switch without its port 0, others with the port. */
  static String endport(Fabric fabric, int port) {
    int node = fabric.nodeOf(port);
    return fabric.isSwitch(node) ? node(fabric, node) : port(fabric, port);
  }

  /** {@code LID 7 of 'H1' (0x...) port 1}. */
  static String lid(Fabric fabric, int lid, int owner) {
    return "LID " + lid + " of " + endport(fabric, owner);
  }

  /** Why the entry of a switch for a LID is wrong. */
  static String entry(Fabric fabric, int sw, int lid, int owner, int number, AuditCode code) {
    String start = node(fabric, sw) + " sends " + lid(fabric, lid, owner);
    String to = " to port " + number;
    return switch (code) {
      case PORT_OUT_OF_RANGE -> start + to + ", but its ports are 1 to " + fabric.portCount(sw);
      case DANGLING_PORT -> start + to + ", which has no cable";
      case PORT_ZERO -> start + to + ", its own management port";
      case WRONG_HOST ->
          start + to + ", which leads to " + port(fabric, fabric.peer(fabric.port(sw, number)));
      default ->
          node(fabric, sw)
              + (number == 255 ? " has no entry for its own LID " + lid : "")
              + (number == 255 ? "" : " sends its own LID " + lid + to + " instead of port 0");
    };
  }

  /** Why a route does not arrive; {@code end} is the switch where it ends. */
  static String outcome(Fabric fabric, int outcome, int end) {
    return switch (outcome) {
      case RouteTree.NO_ENTRY -> "no entry at " + node(fabric, end);
      case RouteTree.LOOP -> "the route runs in a circle";
      case RouteTree.PORT_OUT_OF_RANGE -> "port out of range at " + node(fabric, end);
      case RouteTree.DANGLING_PORT -> "port without cable at " + node(fabric, end);
      case RouteTree.PORT_ZERO -> "kept at port 0 of " + node(fabric, end);
      default -> "given to the wrong endport at " + node(fabric, end);
    };
  }

  /** Output ports in sequence: {@code 'S1' port 19 -> 'S2' port 3 -> 'S3'}. */
  static String path(Fabric fabric, int[] ports) {
    StringBuilder text = new StringBuilder();
    for (int port : ports) {
      text.append(port(fabric, port)).append(" -> ");
    }
    return text.append(node(fabric, fabric.peerNode(ports[ports.length - 1]))).toString();
  }

  /** {@code 1 switch}, {@code 2 switches}: the noun in both numbers. */
  public static String count(long n, String one, String many) {
    return n + " " + (n == 1 ? one : many);
  }
}
