package org.heddle.verify.links;

import java.util.Arrays;
import org.heddle.allocation.Allocation;
import org.heddle.allocation.Plant;
import org.heddle.fabric.Fabric;

/**
 * Routes of permutations inside one tenant's links: leaf to leaf over positions, then, in every
 * plane, sub-tree to sub-tree over roots.
 */
final class TenantRoutes {
  private final Fabric fabric;
  private final Plant plant;
  private final Allocation tenant;
  private final int load;
  private final int[] leafSize;
  private final int[] subtreeSize;
  private final int[] subtree; // of the tenant's i-th leaf, numbered inside the tenant
  private final int[] subtreeId;
  private final int[] hostLeaf;
  private final long[] held;
  private final int[] uses; // by port id, up and down
  private final int[] usesDown;

  TenantRoutes(Fabric fabric, Allocation tenant) {
    this.fabric = fabric;
    this.tenant = tenant;
    plant = tenant.plant();
    // No channel carries more flows than there are hosts, whatever it may.
    load = Math.clamp(tenant.hostCount(), 1, tenant.oversubscription());
    leafSize = new int[tenant.leafCount()];
    subtree = new int[tenant.leafCount()];
    int[] ids = new int[tenant.leafCount()];
    int count = 0;
    int hosts = 0;
    for (int i = 0; i < leafSize.length; i++) {
      int t = plant.subtreeOf(tenant.leaf(i));
      if (count == 0 || ids[count - 1] != t) {
        ids[count++] = t;
      }
      subtree[i] = count - 1;
      leafSize[i] = tenant.hostsOn(i);
      hosts += leafSize[i];
    }
    subtreeId = Arrays.copyOf(ids, count);
    subtreeSize = new int[count];
    hostLeaf = new int[hosts];
    int n = 0;
    for (int i = 0; i < leafSize.length; i++) {
      subtreeSize[subtree[i]] += leafSize[i];
      Arrays.fill(hostLeaf, n, n + leafSize[i], i);
      n += leafSize[i];
    }
    held = new long[(fabric.portIdLimit() + 63) >>> 6];
    for (int link : tenant.links()) {
      if (link >= 0) {
        held[link >>> 6] |= 1L << link;
      }
    }
    uses = new int[fabric.portIdLimit()];
    usesDown = new int[fabric.portIdLimit()];
  }

  int hosts() {
    return hostLeaf.length;
  }

  int[] leafSizes() {
    return leafSize;
  }

  int[] subtreeSizes() {
    return subtreeSize;
  }

  int leafOf(int host) {
    return hostLeaf[host];
  }

  /** Null if host i can send to host {@code to[i]}, all at once. */
  String problemWith(int[] to) {
    int n = leafSize.length;
    int[][] flows = new int[n][n];
    boolean any = false;
    for (int i = 0; i < to.length; i++) {
      int a = hostLeaf[i];
      int b = hostLeaf[to[i]];
      if (a != b) {
        flows[a][b]++;
        any = true;
      }
    }
    if (!any) {
      return null;
    }
    boolean[][] sets = new boolean[n][plant.positions() * load];
    for (int i = 0; i < n; i++) {
      for (int c = 0; c < sets[i].length; c++) {
        sets[i][c] = bit(tenant.upMask(i, c / load >>> 6), c / load);
      }
    }
    ListColouring positions = new ListColouring(sets, flows);
    if (!positions.colour()) {
      return "no routes over the positions of its leaves";
    }
    return acrossPlanes(positions);
  }

  private static boolean bit(long word, int i) {
    return (word >>> i & 1) != 0;
  }

  private String acrossPlanes(ListColouring positions) {
    int n = leafSize.length;
    int k = subtreeId.length;
    int[][][] flows = new int[plant.planes()][k][k];
    for (int a = 0; a < n; a++) {
      for (int b = 0; b < n; b++) {
        for (int c : positions.coloursOf(a, b)) {
          if (subtree[a] != subtree[b]) {
            flows[plant.planeOf(c / load)][subtree[a]][subtree[b]]++;
          }
        }
      }
    }
    ListColouring[] roots = new ListColouring[plant.planes()];
    for (int q = 0; q < roots.length; q++) {
      roots[q] = new ListColouring(rootSets(q), flows[q]);
      if (!roots[q].colour()) {
        return "no routes over the roots of plane " + q;
      }
    }
    Arrays.fill(uses, 0);
    Arrays.fill(usesDown, 0);
    for (int rail = 0; rail < plant.rails(); rail++) {
      String problem = walk(rail, positions, roots);
      if (problem != null) {
        return problem;
      }
    }
    return null;
  }

  private boolean[][] rootSets(int plane) {
    boolean[][] sets = new boolean[subtreeId.length][plant.rootLinks() * load];
    for (int i = 0; i < tenant.spineCount(); i++) {
      if (tenant.spinePlane(i) != plane) {
        continue;
      }
      int t = Arrays.binarySearch(subtreeId, tenant.spineSubtree(i));
      for (int c = 0; t >= 0 && c < sets[t].length; c++) {
        sets[t][c] = bit(tenant.rootMask(i, c / load >>> 6), c / load);
      }
    }
    return sets;
  }

  /** Follows every route through the fabric and counts flows by channel. */
  private String walk(int rail, ListColouring positions, ListColouring[] roots) {
    int k = subtreeId.length;
    int[][][] next = new int[roots.length][k][k];
    for (int a = 0; a < leafSize.length; a++) {
      for (int b = 0; b < leafSize.length; b++) {
        for (int c : positions.coloursOf(a, b)) {
          int p = c / load;
          int up = plant.upPort(rail, tenant.leaf(a), p);
          int down = plant.upPort(rail, tenant.leaf(b), p);
          int above = use(up, uses);
          int beyond = use(down, usesDown);
          int s = subtree[a];
          int t = subtree[b];
          if (s != t) {
            int q = plant.planeOf(p);
            int r = roots[q].coloursOf(s, t)[next[q][s][t]++] / load;
            int up2 = plant.rootPort(rail, subtreeId[s], q, r);
            int down2 = plant.rootPort(rail, subtreeId[t], q, r);
            if (above < 0 || above != nodeOf(up2) || beyond != nodeOf(down2)) {
              return "a root link that does not continue its up-link";
            }
            above = use(up2, uses);
            beyond = use(down2, usesDown);
          }
          if (above < 0 || above != beyond) {
            return "a route over a link that is not the tenant's, is full, or does not meet";
          }
        }
      }
    }
    return null;
  }

  private int nodeOf(int port) {
    return port < 0 ? -2 : fabric.nodeOf(port);
  }

  /** The switch behind a port; -1 if the link is not the tenant's or is full. */
  private int use(int port, int[] counts) {
    if (port < 0 || (held[port >>> 6] >>> port & 1) == 0 || fabric.peer(port) == Fabric.NONE) {
      return -1;
    }
    return ++counts[port] > load ? -1 : fabric.peerNode(port);
  }
}
