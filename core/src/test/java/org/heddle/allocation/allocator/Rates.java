package org.heddle.allocation.allocator;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.heddle.fabric.Fabric;

/**
 * What links of a small tree carry, from the cables alone: a link takes a flow if it is as fast as
 * both ends of the flow or, where most links of its kind are slower than that, as fast as these. Of
 * a kind are links that are equally far from the hosts.
 */
final class Rates {
  private final Fabric fabric;
  private final int[] distance; // from the nearest host, by switch
  private final Map<Integer, List<Integer>> byKind = new HashMap<>();

  Rates(Fabric fabric) {
    this.fabric = fabric;
    distance = new int[fabric.switchCount()];
    for (int round = 1; round < 4; round++) {
      for (int sw = 0; sw < distance.length; sw++) {
        for (int k = 1; distance[sw] == 0 && k <= fabric.portCount(sw); k++) {
          int peer = fabric.peerNode(fabric.port(sw, k));
          boolean near =
              peer != Fabric.NONE
                  && (round == 1
                      ? !fabric.isSwitch(peer)
                      : fabric.isSwitch(peer) && distance[peer] == round - 1);
          distance[sw] = near ? round : 0;
        }
      }
    }
    for (int port = 0; port < fabric.portIdLimit(); port++) {
      if (fabric.peer(port) > port && kind(port) > 0) {
        byKind.computeIfAbsent(kind(port), _ -> new ArrayList<>()).add(fabric.linkMegabits(port));
      }
    }
  }

  /** The lower end's distance; 0 for what is no link between two levels. */
  private int kind(int port) {
    int a = fabric.nodeOf(port);
    int b = fabric.peerNode(port);
    return fabric.isSwitch(a) && fabric.isSwitch(b) && distance[a] != distance[b]
        ? Math.min(distance[a], distance[b])
        : 0;
  }

  /** The highest rate that at least half of the links of the kind run at, or above. */
  int usual(int port) {
    List<Integer> all = byKind.get(kind(port));
    return all.stream()
        .filter(r -> 2 * all.stream().filter(other -> other >= r).count() >= all.size())
        .max(Integer::compare)
        .orElseThrow();
  }

  boolean carries(int port, int flow) {
    return fabric.linkMegabits(port) >= Math.min(flow, usual(port));
  }
}
