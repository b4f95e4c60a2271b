package org.heddle.control;

import org.heddle.fabric.Fabric;
import org.heddle.fabric.FabricBuilder;

/** A fabric in which two hosts with one port each are plugged in at each other's place. */
final class TwoHostsSwapped {
  private TwoHostsSwapped() {}

  static Fabric of(Fabric fabric, long one, long other) {
    FabricBuilder out = new FabricBuilder();
    for (int node = 0; node < fabric.nodeCount(); node++) {
      int at =
          out.addNode(
              fabric.nodeType(node),
              fabric.nodeGuid(node),
              fabric.portCount(node),
              fabric.description(node));
      int first = fabric.isSwitch(node) ? 0 : 1;
      int port = fabric.port(node, first);
      out.setPortGuid(at, first, fabric.portGuid(port));
      out.setLid(at, first, fabric.lid(port), fabric.lmc(port));
    }
    for (int port = 0; port < fabric.portIdLimit(); port++) {
      int peer = fabric.peer(port);
      if (peer > port) {
        out.connect(
            swapped(fabric, fabric.nodeOf(port), one, other),
            fabric.numberOf(port),
            swapped(fabric, fabric.nodeOf(peer), one, other),
            fabric.numberOf(peer));
      }
    }
    return out.build();
  }

  private static int swapped(Fabric fabric, int node, long one, long other) {
    long guid = fabric.nodeGuid(node);
    return guid == one ? fabric.findNode(other) : guid == other ? fabric.findNode(one) : node;
  }
}
