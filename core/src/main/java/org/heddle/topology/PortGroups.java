package org.heddle.topology;

import java.util.Arrays;

/**
 * Parallel links in one direction, by switch and neighbour. Groups are in neighbour-id order, ports
 * ascending inside a group.
 */
final class PortGroups {
  private final int[] groupStart; // by switch
  private final int[] peer; // by group
  private final int[] portStart; // by group
  private final byte[] port;

  private PortGroups(int[] groupStart, int[] peer, int[] portStart, byte[] port) {
    this.groupStart = groupStart;
    this.peer = peer;
    this.portStart = portStart;
    this.port = port;
  }

  static PortGroups none(int switches) {
    return new PortGroups(new int[switches + 1], new int[0], new int[1], new byte[0]);
  }

  /** Groups of the links along which the level changes by {@code step}. O(links log ports). */
  static PortGroups of(SwitchGraph graph, int[] level, int step) {
    int n = graph.switches;
    int[] groupStart = new int[n + 1];
    int[] peer = new int[graph.port.length];
    int[] portStart = new int[graph.port.length + 1];
    byte[] port = new byte[graph.port.length];
    int groups = 0;
    int ports = 0;
    long[] keys = new long[256];
    for (int s = 0; s < n; s++) {
      groupStart[s] = groups;
      int count = 0;
      for (int e = graph.start[s]; e < graph.start[s + 1]; e++) {
        int other = graph.peer[e];
        if (level[s] > 0 && level[other] > 0 && level[other] == level[s] + step) {
          keys[count++] = (long) other << 8 | graph.fabric.numberOf(graph.port[e]);
        }
      }
      Arrays.sort(keys, 0, count);
      for (int i = 0; i < count; i++) {
        int other = (int) (keys[i] >>> 8);
        if (i == 0 || other != peer[groups - 1]) {
          peer[groups] = other;
          portStart[groups++] = ports;
        }
        port[ports++] = (byte) keys[i];
      }
    }
    groupStart[n] = groups;
    portStart[groups] = ports;
    return new PortGroups(
        groupStart,
        Arrays.copyOf(peer, groups),
        Arrays.copyOf(portStart, groups + 1),
        Arrays.copyOf(port, ports));
  }

  int count(int sw) {
    return groupStart[sw + 1] - groupStart[sw];
  }

  int peer(int sw, int g) {
    return peer[groupStart[sw] + g];
  }

  int size(int sw, int g) {
    int at = groupStart[sw] + g;
    return portStart[at + 1] - portStart[at];
  }

  int port(int sw, int g, int k) {
    return port[portStart[groupStart[sw] + g] + k] & 0xff;
  }

  /** Number of links of a switch over all its groups. */
  int links(int sw) {
    return portStart[groupStart[sw + 1]] - portStart[groupStart[sw]];
  }

  /** True if both switches have the same neighbours. */
  boolean samePeers(int a, int b) {
    return Arrays.equals(
        peer, groupStart[a], groupStart[a + 1], peer, groupStart[b], groupStart[b + 1]);
  }
}
