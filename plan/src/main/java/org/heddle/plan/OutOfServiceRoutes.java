package org.heddle.plan;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Lid;
import org.heddle.fabric.VirtualLids;
import org.heddle.routing.ForwardingTables;

/**
 * Keeps what is out of service reachable. Tables of what is left get
 *
 * <ul>
 *   <li>entries for the LIDs of a switch that is out of service, and of hosts linked to it:
 *       shortest ways over links that are in service, and over others only if there is no such way;
 *   <li>that switch's own entries: for each LID the neighbour from which it is nearest. Neighbours
 *       in service never come back, so there are no loops;
 *   <li>entries for a host whose own link is drained: as for its switch, and there that link.
 * </ul>
 *
 * Nothing else is changed. O(switches x these LIDs + their switches x ports x LIDs).
 */
final class OutOfServiceRoutes {
  private static final int FAR = Integer.MAX_VALUE;
  private static final int MOST_HOPS = 64;

  private final ServiceState out;
  private final Fabric fabric;
  private final byte[][] rows;
  private final int topLid;

  /** LIDs that are reached by detours, with the switch and the port there. */
  private final List<Target> targets;

  private record Target(int lid, int sw, int number) {}

  OutOfServiceRoutes(ServiceState out, ForwardingTables tables) {
    this.out = out;
    this.fabric = out.whole();
    this.topLid = fabric.topLid();
    this.rows = new byte[fabric.switchCount()][topLid + 1];
    this.targets = targets(out);
    for (int sw = 0; sw < rows.length; sw++) {
      Arrays.fill(rows[sw], (byte) ForwardingTables.NO_PORT);
      tables.copy(sw, 0, rows[sw], 0, Math.min(topLid, tables.topLid()) + 1);
    }
    for (int i = 0; i < targets.size(); i++) {
      toTarget(i, tables);
    }
    throughOthers();
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

  /** Entries of all switches for one LID. */
  private void toTarget(int i, ForwardingTables tables) {
    Target t = targets.get(i);
    if (!out.hasSwitch(t.sw)) { // as for the switch
      int base = fabric.lid(fabric.port(t.sw, 0));
      for (int sw = 0; sw < rows.length; sw++) {
        rows[sw][t.lid] = (byte) tables.port(sw, base);
      }
    } else {
      boolean again = i > 0 && targets.get(i - 1).sw == t.sw;
      int[] distance = again ? lastDistance : distances(t.sw);
      lastDistance = distance;
      for (int sw = 0; sw < rows.length; sw++) {
        rows[sw][t.lid] = (byte) (sw == t.sw ? 0 : nearer(sw, distance, t.lid));
      }
    }
    rows[t.sw][t.lid] = (byte) t.number;
  }

  private int[] lastDistance;

  /** Whether cables that are drained, and switches that are out of service, may be crossed. */
  private boolean lax;

  private int[] distances(int to) {
    lax = false;
    int[] strict = search(to);
    for (int d : strict) {
      if (d == FAR) {
        lax = true;
        return search(to);
      }
    }
    return strict;
  }

  private int[] search(int to) {
    int[] distance = new int[rows.length];
    Arrays.fill(distance, FAR);
    distance[to] = 0;
    Deque<Integer> queue = new ArrayDeque<>(List.of(to));
    while (!queue.isEmpty()) {
      int sw = queue.remove();
      for (int k = 1; k <= fabric.portCount(sw); k++) {
        int port = fabric.port(sw, k);
        int next = next(port);
        if (next != Fabric.NONE && distance[next] == FAR && (lax || !out.isDrained(port))) {
          distance[next] = distance[sw] + 1;
          if (lax || !out.hasSwitch(next)) {
            queue.add(next);
          }
        }
      }
    }
    return distance;
  }

  /** The switch at the other end, or {@link Fabric#NONE}. */
  private int next(int port) {
    int peer = fabric.peer(port);
    return peer != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(peer))
        ? fabric.nodeOf(peer)
        : Fabric.NONE;
  }

  /** One of the ports that lead nearer; LIDs are spread over them. */
  private int nearer(int sw, int[] distance, int lid) {
    int[] found = new int[fabric.portCount(sw)];
    int n = 0;
    for (int k = 1; k <= fabric.portCount(sw); k++) {
      int port = fabric.port(sw, k);
      int next = next(port);
      boolean usable =
          next != Fabric.NONE
              && distance[next] == distance[sw] - 1
              && (lax || !out.isDrained(port) && (distance[next] == 0 || !out.hasSwitch(next)));
      if (usable) {
        found[n++] = k;
      }
    }
    return n == 0 ? ForwardingTables.NO_PORT : found[lid % n];
  }

  /** Entries of the switches that are out of service for everything else, the nearest first. */
  private void throughOthers() {
    boolean[] detoured = new boolean[topLid + 1];
    targets.forEach(t -> detoured[t.lid] = true);
    boolean[] complete = new boolean[rows.length];
    for (int sw = 0; sw < rows.length; sw++) {
      complete[sw] = !out.hasSwitch(sw);
    }
    boolean more = true;
    while (more) {
      more = false;
      boolean[] before = complete.clone();
      for (int sw = 0; sw < rows.length; sw++) {
        int[] ways = before[sw] ? new int[0] : ways(sw, before);
        if (ways.length > 0) {
          fill(sw, ways, detoured);
          complete[sw] = true;
          more = true;
        }
      }
    }
  }

  /** Ports that lead to switches whose tables are complete, over drained cables if it must be. */
  private int[] ways(int sw, boolean[] complete) {
    int[] out = new int[fabric.portCount(sw)];
    for (boolean drained : new boolean[] {false, true}) {
      int n = 0;
      for (int k = 1; k <= fabric.portCount(sw); k++) {
        int next = next(fabric.port(sw, k));
        if (next != Fabric.NONE
            && complete[next]
            && this.out.isDrained(fabric.port(sw, k)) == drained) {
          out[n++] = k;
        }
      }
      if (n > 0) {
        return Arrays.copyOf(out, n);
      }
    }
    return new int[0];
  }

  private void fill(int sw, int[] ways, boolean[] detoured) {
    int[] best = new int[ways.length];
    for (int lid = 1; lid <= topLid; lid++) {
      if (detoured[lid]) {
        continue;
      }
      int least = FAR;
      int n = 0;
      for (int k : ways) {
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
