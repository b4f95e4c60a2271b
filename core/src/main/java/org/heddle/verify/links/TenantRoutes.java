package org.heddle.verify.links;

import java.util.Arrays;
import java.util.List;
import org.heddle.allocation.Allocation;
import org.heddle.allocation.Plant;
import org.heddle.fabric.Fabric;

/**
 * Routes of permutations inside one tenant's links: leaf to leaf over positions, then, in every
 * plane, sub-tree to sub-tree over roots.
 *
 * <p>Of a tenant whose rails are separate, permutations of its machines, on all rails at the same
 * time. Of one whose links join rails, permutations of the adapters in one tree: leaf switches send
 * to each other there, and the links of all rails are one set.
 */
final class TenantRoutes {
  private final Fabric fabric;
  private final Plant plant;
  private final Allocation tenant;

  /** The rails that are one set of links; null if each is a set of its own. */
  private final Plant.Block block;

  private final int lanes;
  private final int load;
  private final int[] unit; // by leaf: the tenant's i-th leaf
  private final int[] place; // by leaf: which switch of the unit
  private final int[] leafSize;
  private final int[] subtreeSize;
  private final int[] subtree; // of a leaf, numbered inside the tenant
  private final int[] subtreeId;
  private final int[] hostLeaf;
  private final long[] held;
  private final int[] uses; // by port id, up and down
  private final int[] usesDown;

  /** What has to be tried of a tenant: once, or once in every tree that its links join rails in. */
  static List<TenantRoutes> of(Fabric fabric, Allocation tenant) {
    return tenant.acrossRails()
        ? tenant.plant().blocks().stream().map(b -> new TenantRoutes(fabric, tenant, b)).toList()
        : List.of(new TenantRoutes(fabric, tenant, null));
  }

  private TenantRoutes(Fabric fabric, Allocation tenant, Plant.Block block) {
    this.fabric = fabric;
    this.tenant = tenant;
    this.block = block;
    plant = tenant.plant();
    lanes = block == null ? 1 : block.lanes();
    int width = block == null ? 1 : block.leaves();
    int n = 0;
    int[] units = new int[tenant.leafCount() * width];
    int[] places = new int[units.length];
    for (int i = 0; i < tenant.leafCount(); i++) {
      for (int k = 0; k < width; k++) {
        if (block == null || leafSwitch(i, k) != Fabric.NONE) {
          units[n] = i;
          places[n++] = k;
        }
      }
    }
    unit = Arrays.copyOf(units, n);
    place = Arrays.copyOf(places, n);
    leafSize = new int[n];
    subtree = new int[n];
    int[] ids = new int[n];
    int count = 0;
    int hosts = 0;
    for (int i = 0; i < n; i++) {
      int t = plant.subtreeOf(tenant.leaf(unit[i]));
      if (count == 0 || ids[count - 1] != t) {
        ids[count++] = t;
      }
      subtree[i] = count - 1;
      leafSize[i] = block == null ? tenant.hostsOn(i) : adapters(i);
      hosts += leafSize[i];
    }
    // No channel carries more flows than there are hosts, whatever it may.
    load = Math.clamp(hosts, 1, tenant.oversubscription());
    subtreeId = Arrays.copyOf(ids, count);
    subtreeSize = new int[count];
    hostLeaf = new int[hosts];
    int h = 0;
    for (int i = 0; i < leafSize.length; i++) {
      subtreeSize[subtree[i]] += leafSize[i];
      Arrays.fill(hostLeaf, h, h + leafSize[i], i);
      h += leafSize[i];
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

  private int leafSwitch(int i, int k) {
    return plant.leafSwitch(block.first() + k * block.lanes(), tenant.leaf(i));
  }

  /** Ports of the tenant's machines at a leaf switch. */
  private int adapters(int v) {
    int sw = leafSwitch(unit[v], place[v]);
    int n = 0;
    for (int host : tenant.adapters()) {
      for (int number = 1; number <= fabric.portCount(host); number++) {
        n += fabric.attachedSwitch(fabric.port(host, number)) == sw ? 1 : 0;
      }
    }
    return n;
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
    boolean[][] sets = new boolean[n][plant.positions() * lanes * load];
    for (int i = 0; i < n; i++) {
      for (int c = 0; c < sets[i].length; c++) {
        int p = position(c);
        sets[i][c] = bit(tenant.upMask(unit[i], p >>> 6), p);
      }
    }
    ListColouring positions = new ListColouring(sets, flows);
    if (!positions.colour()) {
      return "no routes over the positions of its leaves";
    }
    return acrossPlanes(positions);
  }

  /** The position of a colour, and the lane: which of the rails of a leaf switch. */
  private int position(int colour) {
    return colour / load / lanes;
  }

  private int lane(int colour) {
    return colour / load % lanes;
  }

  /** Planes of different lanes have no link in common. */
  private int plane(int colour) {
    return plant.planeOf(position(colour)) * lanes + lane(colour);
  }

  private static boolean bit(long word, int i) {
    return (word >>> i & 1) != 0;
  }

  private String acrossPlanes(ListColouring positions) {
    int n = leafSize.length;
    int k = subtreeId.length;
    int[][][] flows = new int[plant.planes() * lanes][k][k];
    for (int a = 0; a < n; a++) {
      for (int b = 0; b < n; b++) {
        for (int c : positions.coloursOf(a, b)) {
          if (subtree[a] != subtree[b]) {
            flows[plane(c)][subtree[a]][subtree[b]]++;
          }
        }
      }
    }
    ListColouring[] roots = new ListColouring[flows.length];
    for (int q = 0; q < roots.length; q++) {
      roots[q] = new ListColouring(rootSets(q / lanes), flows[q]);
      if (!roots[q].colour()) {
        return "no routes over the roots of plane " + q;
      }
    }
    Arrays.fill(uses, 0);
    Arrays.fill(usesDown, 0);
    for (int rail = 0; rail < (block == null ? plant.rails() : 1); rail++) {
      String problem = walk(rail, positions, roots);
      if (problem != null) {
        return problem;
      }
    }
    return null;
  }

  private boolean[][] rootSets(int plane) {
    int width = block == null ? 1 : block.leaves();
    boolean[][] sets = new boolean[subtreeId.length][plant.rootLinks() * width * load];
    for (int i = 0; i < tenant.spineCount(); i++) {
      if (tenant.spinePlane(i) != plane) {
        continue;
      }
      int t = Arrays.binarySearch(subtreeId, tenant.spineSubtree(i));
      for (int c = 0; t >= 0 && c < sets[t].length; c++) {
        int r = c / load / width;
        sets[t][c] = bit(tenant.rootMask(i, r >>> 6), r);
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
          int p = position(c);
          int q = plane(c);
          int s = subtree[a];
          int t = subtree[b];
          int root = s == t ? 0 : roots[q].coloursOf(s, t)[next[q][s][t]++] / load;
          int railA = railOf(rail, place[a], c);
          int railB = railOf(rail, place[b], c);
          if (plant.leafSwitch(railA, tenant.leaf(unit[a])) == Fabric.NONE
              || plant.leafSwitch(railB, tenant.leaf(unit[b])) == Fabric.NONE) {
            continue; // a unit without that rail
          }
          int up = plant.upPort(railA, tenant.leaf(unit[a]), p);
          int down = plant.upPort(railB, tenant.leaf(unit[b]), p);
          int above = use(up, uses);
          int beyond = use(down, usesDown);
          if (s != t) {
            int width = block == null ? 1 : block.leaves();
            int railR = railOf(rail, root % width, c);
            int plane = plant.planeOf(p);
            int up2 = plant.rootPort(railR, subtreeId[s], plane, root / width);
            int down2 = plant.rootPort(railR, subtreeId[t], plane, root / width);
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

  private int railOf(int rail, int place, int colour) {
    return block == null ? rail : block.first() + place * lanes + lane(colour);
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
