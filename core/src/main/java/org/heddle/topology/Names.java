package org.heddle.topology;

import org.heddle.fabric.Fabric;

/** How nodes and ports are called in messages. */
final class Names {
  private Names() {}

  static String node(Fabric fabric, int node) {
    return fabric.node(node).display();
  }

  static String port(Fabric fabric, int port) {
    return node(fabric, fabric.nodeOf(port)) + " port " + fabric.numberOf(port);
  }
}
