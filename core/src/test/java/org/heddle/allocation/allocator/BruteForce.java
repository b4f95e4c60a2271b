package org.heddle.allocation.allocator;

import java.util.ArrayList;
import java.util.List;
import org.heddle.allocation.Occupancy;
import org.heddle.allocation.Plant;

/**
 * Whether a placement under the chain conditions exists, straight from their definition: every
 * vector of hosts by leaf, every order of leaves by falling hosts, every family of nested position
 * sets, and in every plane every order and every family of nested root sets. For small trees.
 */
final class BruteForce {
  private final Plant plant;
  private final Occupancy occupancy;
  private final int n;
  private final int p;

  private BruteForce(Occupancy occupancy, int n, int p) {
    this.p = p;
    this.plant = occupancy.plant();
    this.occupancy = occupancy;
    this.n = n;
  }

  /** True if n hosts can be placed. */
  static boolean fits(Occupancy occupancy, int n) {
    return fits(occupancy, n, 1);
  }

  /** True if n hosts can be placed, p of them on a link. */
  static boolean fits(Occupancy occupancy, int n, int p) {
    return new BruteForce(occupancy, n, p).vectors(0, new int[occupancy.plant().leafCount()], n);
  }

  private boolean vectors(int leaf, int[] hosts, int rest) {
    if (rest == 0) {
      return orders(hosts, new ArrayList<>());
    }
    if (leaf == hosts.length) {
      return false;
    }
    for (int d = Math.min(rest, occupancy.freeHosts(leaf)); d >= 0; d--) {
      hosts[leaf] = d;
      if (vectors(leaf + 1, hosts, rest - d)) {
        return true;
      }
    }
    hosts[leaf] = 0;
    return false;
  }

  private boolean orders(int[] hosts, List<Integer> order) {
    long[] sets = new long[hosts.length];
    return next(hosts, order, n, -1L, -1L, sets);
  }

  /**
   * Chooses the next leaf in the order and its set.
   *
   * @param rest hosts of the leaves not chosen yet
   * @param common positions free on all leaves chosen: an upper bound of all sets
   * @param outer set of the leaf before
   */
  private boolean next(
      int[] hosts, List<Integer> order, int rest, long common, long outer, long[] sets) {
    if (rest == 0) {
      return order.size() == 1 || planes(order, sets);
    }
    int top = 0;
    for (int l = 0; l < hosts.length; l++) {
      top = order.contains(l) ? top : Math.max(top, hosts[l]);
    }
    int largest = order.isEmpty() ? top : hosts[order.get(0)];
    int need = Math.ceilDiv(Math.min(Math.min(largest, n - largest), rest), p);
    for (int l = 0; l < hosts.length; l++) {
      long both = occupancy.upMask(l, 0) & common;
      if (hosts[l] != top || order.contains(l) || Long.bitCount(both) < need) {
        continue;
      }
      order.add(l);
      for (long set = 0; set < 1L << plant.positions(); set++) {
        if ((set & ~(both & outer)) == 0 && Long.bitCount(set) == need) {
          sets[l] = set;
          if (next(hosts, order, rest - top, both, set, sets)) {
            return true;
          }
        }
      }
      order.remove(order.size() - 1);
    }
    return false;
  }

  private boolean planes(List<Integer> order, long[] sets) {
    for (int q = 0; q < plant.planes(); q++) {
      int[] links = new int[plant.subtreeCount()];
      int sum = 0;
      int top = 0;
      for (int l : order) {
        for (int p = 0; p < plant.positions(); p++) {
          if (plant.planeOf(p) == q && (sets[l] >>> p & 1) != 0) {
            int x = ++links[plant.subtreeOf(l)];
            top = Math.max(top, x);
            sum++;
          }
        }
      }
      if (sum > top && !roots(q, links, Math.min(top, sum - top), sum, -1L)) {
        return false;
      }
    }
    return true;
  }

  private boolean roots(int plane, int[] links, int cap, int rest, long outer) {
    if (rest == 0) {
      return true;
    }
    int top = 0;
    for (int x : links) {
      top = Math.max(top, x);
    }
    for (int t = 0; t < links.length; t++) {
      if (links[t] != top) {
        continue;
      }
      links[t] = 0;
      long allowed = occupancy.rootMask(t, plane, 0) & outer;
      for (long set = 0; set < 1L << plant.rootLinks(); set++) {
        if ((set & ~allowed) == 0
            && Long.bitCount(set) == Math.min(cap, rest)
            && roots(plane, links, cap, rest - top, set)) {
          links[t] = top;
          return true;
        }
      }
      links[t] = top;
    }
    return false;
  }
}
