package org.heddle.peer;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.routing.ForwardingTables;
import org.heddle.text.lft.BoundTables;

/** What two files about one fabric must have in common, as lines that can be compared. */
final class Cabling {
  private Cabling() {}

  /** Nodes with type, ports and description; cables with both ends, port GUIDs, width and speed. */
  static List<String> lines(Fabric fabric) {
    List<String> lines = new ArrayList<>();
    for (int node = 0; node < fabric.nodeCount(); node++) {
      lines.add(
          fabric.nodeType(node)
              + " "
              + Guid.format(fabric.nodeGuid(node))
              + " "
              + fabric.portCount(node)
              + " ports '"
              + fabric.description(node)
              + "'");
    }
    for (int port = 0; port < fabric.portIdLimit(); port++) {
      if (fabric.peer(port) != Fabric.NONE) {
        lines.add(
            end(fabric, port)
                + " - "
                + end(fabric, fabric.peer(port))
                + " "
                + fabric.width(port)
                + fabric.speed(port));
      }
    }
    return lines;
  }

  private static String end(Fabric fabric, int port) {
    return Guid.format(fabric.nodeGuid(fabric.nodeOf(port)))
        + "["
        + fabric.numberOf(port)
        + "]("
        + Guid.format(fabric.portGuid(port))
        + ")";
  }

  /** Entries in which two tables differ, ports named by GUID, so that LIDs may differ. Sorted. */
  static List<String> differences(BoundTables a, BoundTables b) {
    TreeSet<String> lines = new TreeSet<>();
    Fabric from = a.fabric();
    for (int port = 0; port < from.portIdLimit(); port++) {
      int other = from.isEndport(port) ? b.fabric().findPort(from.portGuid(port)) : Fabric.NONE;
      if (!from.isEndport(port)) {
        continue;
      }
      for (int sw = 0; sw < from.switchCount(); sw++) {
        int there = b.fabric().findNode(from.nodeGuid(sw));
        String name = Guid.format(from.nodeGuid(sw)) + " to " + Guid.format(from.portGuid(port));
        if (other == Fabric.NONE || there == Fabric.NONE) {
          lines.add(name + ": only in one fabric");
          continue;
        }
        int left = entry(a.tables(), sw, from.lid(port));
        int right = entry(b.tables(), there, b.fabric().lid(other));
        if (left != right) {
          lines.add(name + ": " + left + " / " + right);
        }
      }
    }
    return List.copyOf(lines);
  }

  private static int entry(ForwardingTables tables, int sw, int lid) {
    return lid == 0 ? ForwardingTables.NO_PORT : tables.port(sw, lid);
  }
}
