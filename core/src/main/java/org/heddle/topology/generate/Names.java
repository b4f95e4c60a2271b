package org.heddle.topology.generate;

import org.heddle.fabric.Fabric;

/** How nodes and ports are called in messages. */
public final class Names {
  private Names() {}

  public static String node(Fabric fabric, int node) {
    return fabric.node(node).display();
  }

  public static String port(Fabric fabric, int port) {
    return node(fabric, fabric.nodeOf(port)) + " port " + fabric.numberOf(port);
  }
}
