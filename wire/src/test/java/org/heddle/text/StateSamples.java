package org.heddle.text;

import org.heddle.fabric.Fabric;
import org.heddle.fabric.FabricBuilder;

/** Fabrics that have lost something. */
public final class StateSamples {
  private StateSamples() {}

  /** The fabric without a node and a link. */
  public static Fabric without(Fabric fabric, int node, int link) {
    FabricBuilder out = new FabricBuilder();
    for (int n = 0; n < fabric.nodeCount(); n++) {
      if (n != node) {
        out.addNode(
            fabric.nodeType(n), fabric.nodeGuid(n), fabric.portCount(n), fabric.description(n));
      }
    }
    for (int p = 0; p < fabric.portIdLimit(); p++) {
      int q = fabric.peer(p);
      boolean gone = p == link || q == link || fabric.nodeOf(p) == node;
      if (q > p && !gone && fabric.nodeOf(q) != node) {
        out.connect(
            out.find(fabric.nodeGuid(fabric.nodeOf(p))),
            fabric.numberOf(p),
            out.find(fabric.nodeGuid(fabric.nodeOf(q))),
            fabric.numberOf(q));
      }
    }
    return out.build();
  }
}
