package org.heddle.text.lft;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntToLongFunction;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.fabric.Lid;
import org.heddle.fabric.NodeType;
import org.heddle.fabric.VirtualLids;
import org.heddle.routing.ForwardingTables;
import org.heddle.text.IdentityCode;
import org.heddle.text.Place;
import org.heddle.text.Problems;
import org.heddle.text.topology.IdentityCheck;

/**
 * LIDs that tables deliver to a host port and no port of the fabric has: those of virtual functions
 * (SR-IOV), which ibnetdiscover does not list, or of a host that was there before. Entries for LIDs
 * that end nowhere are not meant. O(LIDs * switches).
 */
public final class UnknownLids {
  private UnknownLids() {}

  /**
   * Notes them, if there are any.
   *
   * @param guidOfLid the port GUID that the file names for a LID, or 0
   */
  static void report(
      Fabric fabric, ForwardingTables tables, IntToLongFunction guidOfLid, Problems problems) {
    Set<Integer> ports = new LinkedHashSet<>();
    int count = 0;
    String first = "";
    for (int lid = Lid.MIN_UNICAST; lid <= Math.min(tables.topLid(), Lid.MAX_UNICAST); lid++) {
      int port = fabric.portOfLid(lid) == Fabric.NONE ? delivery(fabric, tables, lid) : Fabric.NONE;
      if (port != Fabric.NONE) {
        ports.add(port);
        if (count++ == 0) {
          long guid = guidOfLid.applyAsLong(lid);
          first = "LID " + lid + (guid == 0 ? "" : " of port " + Guid.format(guid));
        }
      }
    }
    if (count == 0) {
      return;
    }
    List<Place> places = new ArrayList<>();
    ports.forEach(port -> places.add(Place.of(fabric, port, 0)));
    String what =
        count == 1
            ? first + " is delivered to a port that the fabric file does not give it to"
            : count
                + " LIDs are delivered to ports that the fabric file does not give them to, the"
                + " first is "
                + first;
    problems.identity(
        IdentityCode.UNKNOWN_LID,
        IdentityCheck.sentence(what, places, "a virtual function, or a host that was there before"),
        places);
  }

  /**
   * The same tables on a fabric whose ports answer to these LIDs, too: as virtual LIDs of the
   * adapter ports that they are delivered at, of no weight. New tables then keep routes for them,
   * and nobody else is given them. Tables without such LIDs are returned as they are.
   */
  public static BoundTables adopt(BoundTables bound) {
    Fabric fabric = bound.fabric();
    VirtualLids known = fabric.virtualLids();
    List<int[]> found = new ArrayList<>();
    for (int i = 0; i < known.size(); i++) {
      found.add(new int[] {known.lid(i), known.port(i), known.weight(i)});
    }
    for (int lid = 1; lid <= Math.min(bound.tables().topLid(), Lid.MAX_UNICAST); lid++) {
      int port =
          fabric.portOfLid(lid) == Fabric.NONE
              ? delivery(fabric, bound.tables(), lid)
              : Fabric.NONE;
      if (port != Fabric.NONE && fabric.nodeType(fabric.nodeOf(port)) == NodeType.CA) {
        found.add(new int[] {lid, port, VirtualLids.IDLE});
      }
    }
    if (found.size() == known.size()) {
      return bound;
    }
    VirtualLids all =
        VirtualLids.of(
            found.stream().mapToInt(f -> f[0]).toArray(),
            found.stream().mapToInt(f -> f[1]).toArray(),
            found.stream().mapToInt(f -> f[2]).toArray());
    return new BoundTables(fabric.withVirtualLids(all), bound.tables(), bound.lost());
  }

  /** The host port at which packets for a LID leave the network of switches, or none. */
  static int delivery(Fabric fabric, ForwardingTables tables, int lid) {
    for (int sw = 0; sw < fabric.switchCount(); sw++) {
      int number = tables.port(sw, lid);
      if (number >= 1 && number <= fabric.portCount(sw)) {
        int peer = fabric.peer(fabric.port(sw, number));
        if (peer != Fabric.NONE && !fabric.isSwitch(fabric.nodeOf(peer))) {
          return peer;
        }
      }
    }
    return Fabric.NONE;
  }
}
