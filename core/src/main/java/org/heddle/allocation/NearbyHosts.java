package org.heddle.allocation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.TreeMap;
import org.heddle.fabric.Fabric;

/**
 * Chooses hosts close together for tenants without links of their own, on any fabric.
 *
 * <p>If one leaf has enough free hosts, the one that leaves the fewest over; otherwise the leaf
 * with the most, then the nearest leaves to it, at equal distance again the best fit. All ties go
 * to the leaf with the lower GUID and, on it, to the lower leaf port. The same hosts free on the
 * same fabric give the same choice. O(leaves^2 + links).
 */
public final class NearbyHosts {
  private final Fabric fabric;

  /** On that fabric. */
  public NearbyHosts(Fabric fabric) {
    this.fabric = fabric;
  }

  /**
   * Chooses among hosts, whatever a host is: one adapter, or several with one name.
   *
   * @param leafPorts by host, the first port of a switch that it is linked to; {@link Fabric#NONE}
   *     for a host that is not free
   * @return indices of hosts, in the order of choice; fewer than wanted only if there are no more
   */
  public List<Integer> pick(int wanted, int[] leafPorts) {
    TreeMap<Integer, List<Integer>> byLeaf = byLeaf(leafPorts);
    List<Integer> picked = new ArrayList<>();
    int[] distance = new int[fabric.switchCount()];
    while (picked.size() < wanted && !byLeaf.isEmpty()) {
      int leaf = best(byLeaf, wanted - picked.size(), distance);
      if (picked.isEmpty()) {
        distance = distances(leaf);
      }
      List<Integer> here = byLeaf.remove(leaf);
      picked.addAll(here.subList(0, Math.min(here.size(), wanted - picked.size())));
    }
    return picked;
  }

  /**
   * Chooses among the hosts of a plant that are free and acceptable, and that switches join.
   *
   * @return node ids; fewer than wanted if there are no more, or not around the leaf where it began
   */
  public static BitSet among(Occupancy occupancy, HostChoice choice, int wanted) {
    Plant plant = occupancy.plant();
    Fabric fabric = plant.fabric();
    int[] leafPorts = new int[fabric.nodeCount()];
    Arrays.fill(leafPorts, Fabric.NONE);
    for (int leaf = 0; leaf < plant.leafCount(); leaf++) {
      for (int slot = 0; slot < plant.slots(leaf); slot++) {
        int node = plant.host(leaf, slot);
        boolean free = (occupancy.slotMask(leaf, slot >> 6) >>> (slot & 63) & 1) != 0;
        if (free && plant.accepts(choice, leaf, slot)) {
          leafPorts[node] = firstLeafPort(plant, node);
        }
      }
    }
    BitSet out = new BitSet();
    NearbyHosts near = new NearbyHosts(fabric);
    List<Integer> picked = near.pick(wanted, leafPorts);
    if (!picked.isEmpty()) {
      int[] distance = near.distances(fabric.nodeOf(leafPorts[picked.getFirst()]));
      picked.removeIf(n -> distance[fabric.nodeOf(leafPorts[n])] == Integer.MAX_VALUE);
    }
    picked.forEach(out::set);
    return out;
  }

  private static int firstLeafPort(Plant plant, int host) {
    Fabric fabric = plant.fabric();
    int first = Fabric.NONE;
    for (int i = 0; i < plant.adapterCount(host); i++) {
      int node = plant.adapter(host, i);
      for (int number = 1; number <= fabric.portCount(node); number++) {
        int port = fabric.port(node, number);
        int peer = fabric.attachedSwitch(port) == Fabric.NONE ? Fabric.NONE : fabric.peer(port);
        if (peer != Fabric.NONE && (first == Fabric.NONE || peer < first)) {
          first = peer;
        }
      }
    }
    return first;
  }

  /** Free hosts by their first leaf, in the order of the leaf's ports. */
  private TreeMap<Integer, List<Integer>> byLeaf(int[] leafPorts) {
    List<Integer> free = new ArrayList<>();
    for (int host = 0; host < leafPorts.length; host++) {
      if (leafPorts[host] != Fabric.NONE) {
        free.add(host);
      }
    }
    free.sort((a, b) -> Integer.compare(leafPorts[a], leafPorts[b]));
    TreeMap<Integer, List<Integer>> byLeaf = new TreeMap<>();
    for (int host : free) {
      byLeaf.computeIfAbsent(fabric.nodeOf(leafPorts[host]), _ -> new ArrayList<>()).add(host);
    }
    return byLeaf;
  }

  private static int best(TreeMap<Integer, List<Integer>> byLeaf, int wanted, int[] distance) {
    int best = Fabric.NONE;
    int bestSize = 0;
    for (var entry : byLeaf.entrySet()) {
      int size = entry.getValue().size();
      int nearer = best == Fabric.NONE ? -1 : distance[entry.getKey()] - distance[best];
      if (nearer < 0 || nearer == 0 && fitsBetter(size, bestSize, wanted)) {
        best = entry.getKey();
        bestSize = size;
      }
    }
    return best;
  }

  private static boolean fitsBetter(int size, int than, int wanted) {
    boolean enough = size >= wanted;
    boolean otherEnough = than >= wanted;
    if (enough != otherEnough) {
      return enough;
    }
    return enough ? size < than : size > than;
  }

  /** Links from a switch to every other; unreachable ones are farthest. */
  private int[] distances(int from) {
    int[] distance = new int[fabric.switchCount()];
    Arrays.fill(distance, Integer.MAX_VALUE);
    distance[from] = 0;
    ArrayDeque<Integer> queue = new ArrayDeque<>();
    queue.add(from);
    while (!queue.isEmpty()) {
      int sw = queue.remove();
      for (int number = 1; number <= fabric.portCount(sw); number++) {
        int next = fabric.peerNode(fabric.port(sw, number));
        if (next != Fabric.NONE && fabric.isSwitch(next) && distance[next] == Integer.MAX_VALUE) {
          distance[next] = distance[sw] + 1;
          queue.add(next);
        }
      }
    }
    return distance;
  }
}
