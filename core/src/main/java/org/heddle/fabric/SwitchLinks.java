package org.heddle.fabric;

import java.util.Arrays;

/**
 * The cables between different switches as an adjacency list, in port order; a cable from a switch
 * to itself is left out. Immutable. Built in O(ports).
 */
public final class SwitchLinks {
  /** Entries of switch s: {@code start[s] .. start[s + 1] - 1}. */
  public final int[] start;

  /** The switch at the other end. */
  public final int[] neighbour;

  /** The port number on s. */
  public final int[] port;

  /** The links of a fabric. */
  public SwitchLinks(Fabric fabric) {
    int switches = fabric.switchCount();
    start = new int[switches + 1];
    int n = 0;
    for (int s = 0; s < switches; s++) {
      n += count(fabric, s);
      start[s + 1] = n;
    }
    neighbour = new int[n];
    port = new int[n];
    n = 0;
    for (int s = 0; s < switches; s++) {
      for (int number = 1; number <= fabric.portCount(s); number++) {
        int other = fabric.peerNode(fabric.port(s, number));
        if (fabric.isSwitch(other) && other != s) {
          neighbour[n] = other;
          port[n++] = number;
        }
      }
    }
  }

  private static int count(Fabric fabric, int s) {
    int n = 0;
    for (int number = 1; number <= fabric.portCount(s); number++) {
      int other = fabric.peerNode(fabric.port(s, number));
      n += fabric.isSwitch(other) && other != s ? 1 : 0;
    }
    return n;
  }

  /** The number of switches. */
  public int switches() {
    return start.length - 1;
  }

  /** Number of the connected component of every switch; 0 is that of switch 0. O(links). */
  public int[] components() {
    int n = switches();
    int[] component = new int[n];
    Arrays.fill(component, -1);
    int[] queue = new int[n];
    int count = 0;
    for (int first = 0; first < n; first++) {
      if (component[first] >= 0) {
        continue;
      }
      int end = 0;
      queue[end++] = first;
      component[first] = count;
      for (int at = 0; at < end; at++) {
        for (int i = start[queue[at]]; i < start[queue[at] + 1]; i++) {
          if (component[neighbour[i]] < 0) {
            component[neighbour[i]] = count;
            queue[end++] = neighbour[i];
          }
        }
      }
      count++;
    }
    return component;
  }
}
