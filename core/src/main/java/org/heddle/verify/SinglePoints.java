package org.heddle.verify;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Lid;
import org.heddle.fabric.Machines;
import org.heddle.routing.ForwardingTables;

/**
 * Machines with several ports that still depend on one switch: without it, no other switch with
 * hosts reaches any of their ports until routes change. The base LIDs count. O(ports of such
 * machines * switches with hosts * hops).
 */
final class SinglePoints {
  private final Network net;
  private final ForwardingTables tables;
  private final int[] passes; // by switch: routes of the current port that come through it
  private final Map<List<Integer>, Boolean> forced = new HashMap<>();

  private SinglePoints(Network net, ForwardingTables tables) {
    this.net = net;
    this.tables = tables;
    passes = new int[net.switches];
  }

  /** All of them, in the order of the machines. */
  static List<AuditReport.SinglePoint> of(Network net, ForwardingTables tables) {
    Machines machines = net.fabric.machines();
    Map<Integer, List<Integer>> ports = new TreeMap<>();
    for (int p = net.switchPorts; p < net.peer.length; p++) {
      if (net.isSource(p) && net.attachedSwitch(p) != Fabric.NONE) {
        int machine = machines.of(net.fabric.nodeOf(p));
        if (machine != Fabric.NONE) {
          ports.computeIfAbsent(machine, _ -> new ArrayList<>(1)).add(p);
        }
      }
    }
    SinglePoints search = new SinglePoints(net, tables);
    List<AuditReport.SinglePoint> out = new ArrayList<>();
    ports.forEach(
        (machine, list) -> {
          if (list.size() > 1) {
            search.look(machine, list, out);
          }
        });
    return out;
  }

  private void look(int machine, List<Integer> ports, List<AuditReport.SinglePoint> out) {
    boolean[] own = new boolean[net.switches];
    boolean[] common = new boolean[net.switches];
    Arrays.fill(common, true);
    int only = net.attachedSwitch(ports.getFirst());
    for (int port : ports) {
      own[net.attachedSwitch(port)] = true;
      only = net.attachedSwitch(port) == only ? only : Fabric.NONE;
    }
    boolean any = false;
    for (int port : ports) {
      Arrays.fill(passes, 0);
      int routes = 0;
      for (int s = 0; s < net.switches; s++) {
        boolean far = !own[s] && net.component[s] == net.component[net.attachedSwitch(port)];
        routes += far && net.sources[s] > 0 && follow(s, port) ? 1 : 0;
      }
      for (int s = 0; s < net.switches; s++) {
        common[s] &= passes[s] == routes && routes > 0;
      }
      any |= routes > 0;
    }
    int at = only;
    for (int s = 0; s < net.switches && at == Fabric.NONE; s++) {
      at = any && common[s] ? s : Fabric.NONE;
    }
    if (at != Fabric.NONE) {
      out.add(
          new AuditReport.SinglePoint(
              net.fabric.machines().isNamed(machine)
                  ? net.fabric.machines().name(machine)
                  : net.fabric.node(net.fabric.machines().adapter(machine, 0)).display(),
              ports.size(),
              net.fabric.node(at).display(),
              only != Fabric.NONE || isForced(at, own)));
    }
  }

  /** Counts the switches that a route passes after its first; false if it does not arrive. */
  private boolean follow(int from, int port) {
    int lid = net.fabric.lid(port);
    int[] path = new int[net.switches];
    int n = 0;
    int at = from;
    while (n < net.switches && lid != Lid.NONE) {
      int number = tables.port(at, lid);
      int out = net.first[at] + number;
      if (number == ForwardingTables.NO_PORT || out >= net.first[at + 1]) {
        return false;
      }
      if (net.peer[out] == port) {
        for (int i = 0; i < n; i++) {
          passes[path[i]]++;
        }
        return true;
      }
      if (net.hop[out] < 0) {
        return false;
      }
      at = net.hop[out];
      path[n++] = at;
    }
    return false;
  }

  /** True if without a switch the cables lead from none of the own switches to other hosts. */
  private boolean isForced(int without, boolean[] own) {
    List<Integer> key = new ArrayList<>();
    key.add(without);
    for (int s = 0; s < own.length; s++) {
      if (own[s]) {
        key.add(s);
      }
    }
    return forced.computeIfAbsent(key, _ -> !leadsOut(without, own));
  }

  private boolean leadsOut(int without, boolean[] own) {
    boolean[] seen = own.clone();
    seen[without] = true;
    int[] queue = new int[net.switches];
    int end = 0;
    for (int s = 0; s < own.length; s++) {
      if (own[s] && s != without) {
        queue[end++] = s;
      }
    }
    for (int at = 0; at < end; at++) {
      int s = queue[at];
      if (!own[s] && net.sources[s] > 0) {
        return true;
      }
      for (int p = net.first[s]; p < net.first[s + 1]; p++) {
        int next = net.hop[p];
        if (next >= 0 && !seen[next]) {
          seen[next] = true;
          queue[end++] = next;
        }
      }
    }
    return false;
  }
}
