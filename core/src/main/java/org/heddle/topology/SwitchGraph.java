package org.heddle.topology;

import java.util.Arrays;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.NodeType;
import org.heddle.topology.generate.FabricExtras;
import org.heddle.topology.generate.Names;

/**
 * The cables between different switches as adjacency lists, and the hosts of each switch.
 *
 * <p>Entry e of switch s ({@code start[s] <= e < start[s + 1]}, by port number) is the channel that
 * leaves by {@code port[e]} towards switch {@code peer[e]}; {@code twin[e]} is the other direction
 * of the same cable. O(ports).
 */
final class SwitchGraph {
  final Fabric fabric;
  final int switches;
  final int[] start;
  final int[] port;
  final int[] peer;
  final int[] twin;

  /** Linked ports of channel adapters other than aggregation nodes, by switch. */
  final int[] hosts;

  /** Number of the connected component of each switch, in order of smallest switch id. */
  final int[] component;

  final int components;

  SwitchGraph(Fabric fabric) {
    this.fabric = fabric;
    switches = fabric.switchCount();
    start = new int[switches + 1];
    hosts = new int[switches];
    int limit = switches == 0 ? 0 : fabric.port(switches - 1, 0) + portSlots(switches - 1);
    int[] entryOfPort = new int[limit];
    int[] ports = new int[limit];
    int entries = 0;
    for (int s = 0; s < switches; s++) {
      start[s] = entries;
      for (int k = 1; k <= fabric.portCount(s); k++) {
        int p = fabric.port(s, k);
        int other = fabric.peerNode(p);
        if (fabric.isSwitch(other) && other != s) {
          entryOfPort[p] = entries;
          ports[entries++] = p;
        } else if (isHost(fabric, other)) {
          hosts[s]++;
        }
      }
    }
    start[switches] = entries;
    port = Arrays.copyOf(ports, entries);
    peer = new int[entries];
    twin = new int[entries];
    for (int e = 0; e < entries; e++) {
      int far = fabric.peer(port[e]);
      peer[e] = fabric.nodeOf(far);
      twin[e] = entryOfPort[far];
    }
    component = new int[switches];
    components = findComponents();
  }

  private int portSlots(int sw) {
    return fabric.portCount(sw) + 1;
  }

  /** True for a channel adapter that is not an aggregation node; false for NONE. */
  static boolean isHost(Fabric fabric, int node) {
    return node != Fabric.NONE
        && fabric.nodeType(node) == NodeType.CA
        && !FabricExtras.isAggregationNode(fabric, node);
  }

  private int findComponents() {
    Arrays.fill(component, Fabric.NONE);
    int[] queue = new int[switches];
    int count = 0;
    for (int s = 0; s < switches; s++) {
      if (component[s] != Fabric.NONE) {
        continue;
      }
      int tail = 0;
      queue[tail++] = s;
      component[s] = count;
      for (int head = 0; head < tail; head++) {
        int x = queue[head];
        for (int e = start[x]; e < start[x + 1]; e++) {
          if (component[peer[e]] == Fabric.NONE) {
            component[peer[e]] = count;
            queue[tail++] = peer[e];
          }
        }
      }
      count++;
    }
    return count;
  }

  /** Switches of a component, ascending. */
  int[] members(int comp) {
    int[] out = new int[switches];
    int n = 0;
    for (int s = 0; s < switches; s++) {
      if (component[s] == comp) {
        out[n++] = s;
      }
    }
    return Arrays.copyOf(out, n);
  }

  /** The switch that entry e leaves from. */
  int from(int e) {
    return fabric.nodeOf(port[e]);
  }

  /** {@code 'A' (guid) port 3 - 'B' (guid) port 7}. */
  String describe(int e) {
    return Names.port(fabric, port[e]) + " - " + Names.port(fabric, port[twin[e]]);
  }
}
