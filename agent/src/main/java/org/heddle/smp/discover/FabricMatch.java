package org.heddle.smp.discover;

import java.util.ArrayList;
import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;

/** Whether a live fabric is the one that tables were made for. */
public final class FabricMatch {
  private FabricMatch() {}

  /**
   * What differs, one sentence each: nodes, cables between nodes of both, LIDs. Descriptions, rates
   * and labels may. If it is empty, node and port ids are the same in both. O(ports).
   *
   * @param file the fabric the tables belong to
   * @param live the fabric that was discovered
   */
  public static List<String> differences(Fabric file, Fabric live) {
    List<String> out = new ArrayList<>();
    for (int node = 0; node < file.nodeCount(); node++) {
      int other = live.findNode(file.nodeGuid(node));
      if (other == Fabric.NONE) {
        out.add(file.node(node).display() + " is not there");
      } else if (file.nodeType(node) != live.nodeType(other)
          || file.portCount(node) != live.portCount(other)) {
        out.add(file.node(node).display() + " is another kind of node");
      } else {
        ports(file, node, live, other, out);
      }
    }
    for (int node = 0; node < live.nodeCount(); node++) {
      if (file.findNode(live.nodeGuid(node)) == Fabric.NONE) {
        out.add(live.node(node).display() + " is new");
      }
    }
    return out;
  }

  private static void ports(Fabric file, int node, Fabric live, int other, List<String> out) {
    for (int number = 0; number <= file.portCount(node); number++) {
      int port = file.port(node, number);
      int now = live.port(other, number);
      String name = "port " + number + " of " + file.node(node).display();
      String before = far(file, port);
      String after = far(live, now);
      if (!before.equals(after)) {
        out.add(name + " leads to " + after + ", not to " + before);
      } else if (file.lid(port) != live.lid(now) || file.lmc(port) != live.lmc(now)) {
        out.add(name + " has LID " + live.lid(now) + ", not " + file.lid(port));
      }
    }
  }

  private static String far(Fabric fabric, int port) {
    int peer = fabric.peer(port);
    return peer == Fabric.NONE
        ? "nothing"
        : "port "
            + fabric.numberOf(peer)
            + " of "
            + Guid.format(fabric.nodeGuid(fabric.nodeOf(peer)));
  }
}
