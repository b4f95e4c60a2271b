package org.heddle.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Lid;
import org.heddle.fabric.VirtualLids;
import org.heddle.routing.ForwardingTables;

/**
 * Keeps what is out of service reachable. Switches out of service are reached from the switches in
 * service, or from others nearer to those: each LID there has one chain of switches that leads from
 * the last switch in service to it. Tables of what is left get
 *
 * <ul>
 *   <li>entries for the LIDs of a switch that is out of service, and of hosts linked to it: those
 *       for the last switch in service, and from there along the chain;
 *   <li>the other entries of a switch that is out of service: for each LID the neighbour nearer to
 *       what is in service from which it is nearest;
 *   <li>entries for a host whose own link is drained: those for its switch, and there that link.
 * </ul>
 *
 * Nothing else is changed, and nothing new can wait in a circle: a route goes from switches out of
 * service to those in service, there as routes to a switch do already, and from there to switches
 * out of service again; no channel of a part leads back to one before it. Cables that are drained
 * are used where no other leads to a switch. O(switches x these LIDs + their switches x ports x
 * LIDs).
 */
final class OutOfServiceRoutes {
  private static final int FAR = Integer.MAX_VALUE;
  private static final int MOST_HOPS = 64;

  private final ServiceState out;
  private final Fabric fabric;
  private final byte[][] rows;
  private final int topLid;

  /** Of each switch out of service the ports that lead nearer to what is in service. */
  private final int[][] inwards;

  /** Switches out of service, the nearest to what is in service first. */
  private final List<Integer> nearestFirst = new ArrayList<>();

  /** A LID that is out of service, with its switch and the port there. */
  private record Target(int lid, int sw, int number) {}

  OutOfServiceRoutes(ServiceState out, ForwardingTables tables) {
    this.out = out;
    this.fabric = out.whole();
    this.topLid = fabric.topLid();
    this.rows = new byte[fabric.switchCount()][topLid + 1];
    this.inwards = new int[rows.length][];
    for (int sw = 0; sw < rows.length; sw++) {
      Arrays.fill(rows[sw], (byte) ForwardingTables.NO_PORT);
      if (!out.hasSwitch(sw)) {
        tables.copy(sw, 0, rows[sw], 0, Math.min(topLid, tables.topLid()) + 1);
      }
    }
    orderInwards();
    for (Target t : targets(out)) {
      toTarget(t, tables);
    }
    nearestFirst.forEach(this::fill);
  }

  ForwardingTables tables() {
    return ForwardingTables.ofRows(rows, topLid);
  }

  private static List<Target> targets(ServiceState out) {
    Fabric f = out.whole();
    List<Target> all = new ArrayList<>();
    for (int sw = 0; sw < f.switchCount(); sw++) {
      if (out.hasSwitch(sw)) {
        add(all, f, f.port(sw, 0), sw, 0);
      }
      for (int k = 1; k <= f.portCount(sw); k++) {
        int port = f.port(sw, k);
        int peer = f.peer(port);
        if (peer != Fabric.NONE && out.hasPort(port) && !f.isSwitch(f.nodeOf(peer))) {
          add(all, f, peer, sw, k);
        }
      }
    }
    return all;
  }

  private static void add(List<Target> all, Fabric f, int endport, int sw, int number) {
    if (f.lid(endport) != Lid.NONE) {
      for (int i = 0; i < 1 << f.lmc(endport); i++) {
        all.add(new Target(f.lid(endport) + i, sw, number));
      }
    }
    VirtualLids virtual = f.virtualLids();
    for (int i = 0; i < virtual.count(endport); i++) {
      all.add(new Target(virtual.lid(virtual.first(endport) + i), sw, number));
    }
  }

  /** Round by round: the switches with a neighbour in service, those with one of these... */
  private void orderInwards() {
    boolean[] reached = new boolean[rows.length];
    for (int sw = 0; sw < rows.length; sw++) {
      reached[sw] = !out.hasSwitch(sw);
    }
    int before = -1;
    while (nearestFirst.size() != before) {
      before = nearestFirst.size();
      boolean[] nearer = reached.clone();
      for (int sw = 0; sw < rows.length; sw++) {
        int[] ports = nearer[sw] ? new int[0] : inwards(sw, nearer);
        if (ports.length > 0) {
          inwards[sw] = ports;
          reached[sw] = true;
          nearestFirst.add(sw);
        }
      }
    }
  }

  /** Ports that lead to one of these switches, over drained cables if it must be. */
  private int[] inwards(int sw, boolean[] to) {
    int[] found = new int[fabric.portCount(sw)];
    for (boolean drained : new boolean[] {false, true}) {
      int n = 0;
      for (int k = 1; k <= fabric.portCount(sw); k++) {
        int port = fabric.port(sw, k);
        int next = next(port);
        if (next != Fabric.NONE && to[next] && out.isDrained(port) == drained) {
          found[n++] = k;
        }
      }
      if (n > 0) {
        return Arrays.copyOf(found, n);
      }
    }
    return new int[0];
  }

  /** Entries for one LID: along its chain, and of the switches in service as for its first one. */
  private void toTarget(Target t, ForwardingTables tables) {
    int at = t.sw;
    rows[at][t.lid] = (byte) t.number;
    while (out.hasSwitch(at)) {
      if (inwards[at] == null) {
        return; // no cable leads there from what is in service
      }
      int[] ports = inwards[at];
      int far = fabric.peer(fabric.port(at, ports[t.lid % ports.length]));
      at = fabric.nodeOf(far);
      rows[at][t.lid] = (byte) fabric.numberOf(far);
    }
    int base = fabric.lid(fabric.port(at, 0));
    for (int sw = 0; sw < rows.length; sw++) {
      if (sw != at && !out.hasSwitch(sw)) {
        rows[sw][t.lid] = (byte) tables.port(sw, base);
      }
    }
  }

  /** The switch at the other end, or {@link Fabric#NONE}. */
  private int next(int port) {
    int peer = fabric.peer(port);
    return peer != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(peer))
        ? fabric.nodeOf(peer)
        : Fabric.NONE;
  }

  /** The entries of a switch out of service that no chain goes through. */
  private void fill(int sw) {
    int[] best = new int[inwards[sw].length];
    for (int lid = 1; lid <= topLid; lid++) {
      if ((rows[sw][lid] & 0xff) != ForwardingTables.NO_PORT) {
        continue;
      }
      int least = FAR;
      int n = 0;
      for (int k : inwards[sw]) {
        int hops = hops(next(fabric.port(sw, k)), lid);
        n = hops < least ? 0 : n;
        least = Math.min(least, hops);
        if (hops == least && hops != FAR) {
          best[n++] = k;
        }
      }
      rows[sw][lid] = (byte) (n == 0 ? ForwardingTables.NO_PORT : best[lid % n]);
    }
  }

  private int hops(int from, int lid) {
    int at = from;
    for (int hops = 0; hops < MOST_HOPS; hops++) {
      int number = rows[at][lid] & 0xff;
      if (number == ForwardingTables.NO_PORT || number > fabric.portCount(at)) {
        return FAR;
      }
      int next = number == 0 ? Fabric.NONE : next(fabric.port(at, number));
      if (next == Fabric.NONE) {
        return hops;
      }
      at = next;
    }
    return FAR;
  }

  /** What leaves a switch in service by a cable that is not, and is not meant to; or null. */
  static String trouble(ServiceState out, Fabric addressed, ForwardingTables tables) {
    Fabric f = out.whole();
    for (int sw = 0; sw < f.switchCount(); sw++) {
      for (int lid = 1; lid <= tables.topLid() && !out.hasSwitch(sw); lid++) {
        int number = tables.port(sw, lid);
        boolean crosses =
            number > 0 && number <= f.portCount(sw) && out.hasPort(f.port(sw, number));
        if (crosses && !isMeant(out, addressed.portOfLid(lid), f.port(sw, number))) {
          return "LID %d leaves %s by port %d, which is out of service"
              .formatted(lid, f.node(sw).display(), number);
        }
      }
    }
    return null;
  }

  /** To a switch that is out of service or a host there; or the last cable, of a host. */
  private static boolean isMeant(ServiceState out, int endport, int port) {
    Fabric f = out.whole();
    if (endport == Fabric.NONE) {
      return false;
    }
    int at = f.attachedSwitch(endport);
    return at != Fabric.NONE && out.hasSwitch(at) || f.peer(port) == endport;
  }
}
