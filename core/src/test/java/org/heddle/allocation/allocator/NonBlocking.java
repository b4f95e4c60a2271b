package org.heddle.allocation.allocator;

import org.heddle.allocation.Allocation;
import org.heddle.allocation.Occupancy;
import org.heddle.allocation.Plant;

/**
 * Whether hosts on given leaves can exchange every permutation over the free links, at most one
 * flow a channel and direction: straight from the meaning of rearrangeably non-blocking, with no
 * condition in between. Every traffic matrix between the leaves is tried, and for each every
 * assignment of flows to planes and roots, depth first, the flow with the fewest choices first. For
 * a handful of hosts.
 */
final class NonBlocking {
  private final Plant plant;
  private final int planes;
  private final int roots;

  // Free channels: up and down by leaf and plane (parallel links are alike), and by sub-tree, plane
  // and root.
  private final int[] up;
  private final int[] down;
  private final long[] rise;
  private final long[] fall;

  private int[] leaf;
  private int[] hosts;
  private int[] left;
  private int[] from;
  private int[] to;
  private boolean[] routed;
  private int flows;

  private NonBlocking(Occupancy occupancy) {
    plant = occupancy.plant();
    planes = plant.planes();
    roots = plant.rootLinks();
    up = new int[plant.leafCount() * planes];
    for (int l = 0; l < plant.leafCount(); l++) {
      for (int p = 0; p < plant.positions(); p++) {
        up[l * planes + plant.planeOf(p)] += (int) (occupancy.upMask(l, 0) >>> p & 1);
      }
    }
    down = up.clone();
    rise = new long[plant.subtreeCount() * planes];
    for (int i = 0; i < rise.length; i++) {
      rise[i] = occupancy.rootMask(i / planes, i % planes, 0);
    }
    fall = rise.clone();
  }

  /** True if some n free hosts can exchange every permutation over all links that are free. */
  static boolean possible(Occupancy occupancy, int n) {
    return new NonBlocking(occupancy)
        .vectors(occupancy, 0, new int[occupancy.plant().leafCount()], n);
  }

  /** True if a tenant's hosts can exchange every permutation over its own links. */
  static boolean holds(Allocation a) {
    int[] hosts = new int[a.plant().leafCount()];
    for (int host : a.hosts()) {
      hosts[a.plant().leafOfHost(host)]++;
    }
    return new NonBlocking(Occupancy.within(a)).serves(hosts);
  }

  private boolean vectors(Occupancy occupancy, int l, int[] vector, int rest) {
    if (rest == 0) {
      return serves(vector);
    }
    if (l == vector.length) {
      return false;
    }
    for (int d = Math.min(rest, occupancy.freeHosts(l)); d >= 0; d--) {
      vector[l] = d;
      if (vectors(occupancy, l + 1, vector, rest - d)) {
        return true;
      }
    }
    vector[l] = 0;
    return false;
  }

  private boolean serves(int[] vector) {
    int k = 0;
    leaf = new int[vector.length];
    hosts = new int[vector.length];
    int n = 0;
    for (int l = 0; l < vector.length; l++) {
      if (vector[l] > 0) {
        leaf[k] = l;
        hosts[k++] = vector[l];
        n += vector[l];
      }
    }
    if (k == 1) {
      return true;
    }
    from = new int[n];
    to = new int[n];
    routed = new boolean[n];
    flows = 0;
    left = hosts.clone();
    return pairsServed(k) && matrices(k, 0, 0, hosts[0], -1);
  }

  /** Every two leaves can send as much to each other as they have: refutes most at once. */
  private boolean pairsServed(int k) {
    for (int i = 0; i < k; i++) {
      for (int j = 0; j < k; j++) {
        int both = 0;
        for (int q = 0; q < planes; q++) {
          both += Math.min(up[leaf[i] * planes + q], up[leaf[j] * planes + q]);
        }
        if (i != j && both < Math.min(hosts[i], hosts[j])) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * Fills row i of the matrix from column j on. At most one leaf sends to itself: two of them could
   * send to each other instead, which is harder.
   *
   * @param more flows leaf i has still to send
   * @param own the leaf that sends to itself, or -1
   */
  private boolean matrices(int k, int i, int j, int more, int own) {
    if (i == k) {
      return route(0);
    }
    if (j == k) {
      return more > 0 || matrices(k, i + 1, 0, i + 1 < k ? hosts[i + 1] : 0, own);
    }
    int most = i == j && own >= 0 && own != i ? 0 : Math.min(more, left[j]);
    for (int x = most; x >= 0; x--) {
      int before = flows;
      left[j] -= x;
      for (int f = 0; f < x && i != j; f++) {
        from[flows] = leaf[i];
        to[flows++] = leaf[j];
      }
      boolean served = matrices(k, i, j + 1, more - x, i == j && x > 0 ? i : own);
      flows = before;
      left[j] += x;
      if (!served) {
        return false;
      }
    }
    return true;
  }

  private boolean route(int done) {
    if (done == flows) {
      return true;
    }
    int best = -1;
    int fewest = Integer.MAX_VALUE;
    for (int f = 0; f < flows; f++) {
      int c = routed[f] ? Integer.MAX_VALUE : choices(f);
      if (c < fewest) {
        fewest = c;
        best = f;
      }
    }
    if (fewest == 0) {
      return false;
    }
    routed[best] = true;
    boolean found = false;
    for (int q = 0; q < planes && !found; q++) {
      found = inPlane(best, q, done);
    }
    routed[best] = false;
    return found;
  }

  private int choices(int f) {
    int n = 0;
    for (int q = 0; q < planes; q++) {
      if (up[from[f] * planes + q] > 0 && down[to[f] * planes + q] > 0) {
        n += sameSubtree(f) ? 1 : Long.bitCount(rootsFor(f, q));
      }
    }
    return n;
  }

  private boolean sameSubtree(int f) {
    return plant.subtreeOf(from[f]) == plant.subtreeOf(to[f]);
  }

  private long rootsFor(int f, int q) {
    return rise[plant.subtreeOf(from[f]) * planes + q] & fall[plant.subtreeOf(to[f]) * planes + q];
  }

  private boolean inPlane(int f, int q, int done) {
    int u = from[f] * planes + q;
    int d = to[f] * planes + q;
    if (up[u] == 0 || down[d] == 0) {
      return false;
    }
    up[u]--;
    down[d]--;
    boolean found = sameSubtree(f) ? route(done + 1) : overRoots(f, q, done);
    up[u]++;
    down[d]++;
    return found;
  }

  private boolean overRoots(int f, int q, int done) {
    int a = plant.subtreeOf(from[f]) * planes + q;
    int b = plant.subtreeOf(to[f]) * planes + q;
    long free = rootsFor(f, q);
    boolean found = false;
    for (int r = 0; r < roots && !found; r++) {
      if ((free >>> r & 1) != 0) {
        rise[a] ^= 1L << r;
        fall[b] ^= 1L << r;
        found = route(done + 1);
        rise[a] ^= 1L << r;
        fall[b] ^= 1L << r;
      }
    }
    return found;
  }
}
