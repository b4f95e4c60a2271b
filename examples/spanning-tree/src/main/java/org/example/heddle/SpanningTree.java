package org.example.heddle;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.RoutingEngine;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;

/** All traffic over one spanning tree: slow, but any fabric, and free of credit loops. */
public final class SpanningTree implements RoutingEngine {
  @Override
  public String name() {
    return "spanning-tree";
  }

  @Override
  public String description() {
    return "everything over one spanning tree, an example of a plug-in";
  }

  @Override
  public String source() {
    return "IEEE 802.1D";
  }

  @Override
  public RoutingResult route(RoutingRequest request) {
    Fabric fabric = request.fabric();
    int switches = fabric.switchCount();
    if (switches == 0) {
      return new RoutingResult.Unsupported("the fabric has no switch", List.of("nothing to route"));
    }
    int[] root = new int[switches]; // of the tree that a switch is in
    int[] up = new int[switches]; // the port that leads to its parent there
    Arrays.fill(root, Fabric.NONE);
    for (int s = 0; s < switches; s++) {
      if (root[s] == Fabric.NONE) {
        grow(fabric, s, root, up);
      }
    }
    byte[][] rows = new byte[switches][fabric.topLid() + 1];
    for (byte[] row : rows) {
      Arrays.fill(row, (byte) ForwardingTables.NO_PORT);
    }
    for (int lid = 1; lid <= fabric.topLid(); lid++) {
      int port = fabric.portOfLid(lid);
      int at = port == Fabric.NONE ? Fabric.NONE : fabric.attachedSwitch(port);
      if (at == Fabric.NONE) {
        continue;
      }
      for (int s = 0; s < switches; s++) { // up, unless the destination is below
        if (root[s] == root[at] && s != root[s]) {
          rows[s][lid] = (byte) fabric.numberOf(up[s]);
        }
      }
      for (int s = at; s != root[s]; s = fabric.peerNode(up[s])) { // down from its ancestors
        rows[fabric.peerNode(up[s])][lid] = (byte) fabric.numberOf(fabric.peer(up[s]));
      }
      rows[at][lid] = (byte) (fabric.nodeOf(port) == at ? 0 : fabric.numberOf(fabric.peer(port)));
    }
    return new RoutingResult.Routed(ForwardingTables.ofRows(rows, fabric.topLid()), List.of());
  }

  /** Breadth first, in the order of switches and ports: same fabric, same tree. */
  private static void grow(Fabric fabric, int from, int[] root, int[] up) {
    List<Integer> queue = new ArrayList<>(List.of(from));
    root[from] = from;
    for (int i = 0; i < queue.size(); i++) {
      int s = queue.get(i);
      for (int number = 1; number <= fabric.portCount(s); number++) {
        int peer = fabric.peer(fabric.port(s, number));
        int next = peer == Fabric.NONE ? Fabric.NONE : fabric.nodeOf(peer);
        if (next != Fabric.NONE && fabric.isSwitch(next) && root[next] == Fabric.NONE) {
          root[next] = from;
          up[next] = peer;
          queue.add(next);
        }
      }
    }
  }
}
