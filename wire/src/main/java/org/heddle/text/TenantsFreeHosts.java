package org.heddle.text;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.TreeMap;
import org.heddle.fabric.Fabric;
import org.heddle.text.TenantsFile.Member;

/**
 * Picks hosts for {@code count:} entries: hosts that no tenant names, close together.
 *
 * <p>If one leaf has enough free hosts, the one that leaves the fewest over; otherwise the leaf
 * with the most, then the nearest leaves to it, at equal distance again the best fit. All ties go
 * to the leaf with the lower GUID and, on it, to the lower leaf port. The same file on the same
 * fabric gives the same hosts. O(leaves^2 + links) an entry.
 */
final class TenantsFreeHosts {
  private final Fabric fabric;
  private final TenantsHosts hosts;
  private final BitSet taken = new BitSet();

  TenantsFreeHosts(Fabric fabric, TenantsHosts hosts) {
    this.fabric = fabric;
    this.hosts = hosts;
  }

  /** The host of this adapter is not free. */
  void take(int node) {
    int host = hosts.hostOf(node);
    if (host != Fabric.NONE) {
      taken.set(host);
    }
  }

  /**
   * Picks and takes hosts.
   *
   * @param usable tells which ports count
   * @return host indices, fewer than wanted only if there are no more
   */
  List<Integer> pick(int wanted, Member member, TenantsClaims usable) {
    TreeMap<Integer, List<Integer>> byLeaf = freeByLeaf(member, usable);
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
    picked.forEach(taken::set);
    return picked;
  }

  /** Free hosts by their first leaf, in the order of the leaf's ports. */
  private TreeMap<Integer, List<Integer>> freeByLeaf(Member member, TenantsClaims usable) {
    int[] firstPort = new int[hosts.size()];
    Arrays.fill(firstPort, Fabric.NONE);
    for (int sw = 0; sw < fabric.switchCount(); sw++) {
      for (int number = 1; number <= fabric.portCount(sw); number++) {
        int other = fabric.peer(fabric.port(sw, number));
        int host = other == Fabric.NONE ? Fabric.NONE : hosts.hostOf(fabric.nodeOf(other));
        boolean free = host != Fabric.NONE && !taken.get(host) && !hosts.host(host).ambiguous();
        if (free && firstPort[host] == Fabric.NONE && usable.selects(member, other)) {
          firstPort[host] = fabric.port(sw, number);
        }
      }
    }
    List<Integer> free = new ArrayList<>();
    for (int host = 0; host < firstPort.length; host++) {
      if (firstPort[host] != Fabric.NONE) {
        free.add(host);
      }
    }
    free.sort((a, b) -> Integer.compare(firstPort[a], firstPort[b]));
    TreeMap<Integer, List<Integer>> byLeaf = new TreeMap<>();
    for (int host : free) {
      byLeaf.computeIfAbsent(fabric.nodeOf(firstPort[host]), k -> new ArrayList<>()).add(host);
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
