package org.heddle.routing.engine;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.heddle.tenancy.IsolationPolicy;

/**
 * The choice of the pFTree family (Zahid et al., algorithms 1 to 4, corrected).
 *
 * <p>Per leaf and in {@link PartitionOrder}, every host climbs through the channel with the least
 * load; among equals through the parent through which most of its partition comes down already.
 * Load is a number of routes, or their weight. A partition loads only the levels its members need
 * to meet: hosts of one leaf do not count at all, hosts of one sub-tree not above it. Hosts that
 * never meet anybody over the tree are routed last, by count.
 *
 * <p>With policies, all physically isolated partitions are routed before all others, and every slot
 * must be free of clashing claims ({@link ChannelClaims}) at every switch its traffic passes. An
 * isolated partition is given a share of its leaves' slots in proportion to its hosts, so that
 * isolation costs the others as little as possible.
 */
final class PartitionSlots implements SlotChooser {
  /**
   * How to choose.
   *
   * @param policies keep physically isolated partitions off other partitions' channels
   * @param weighted load is weight, not number
   * @param isolation 0..1: how much staying with one's partition counts against even load; 0
   *     decides by load first, 1 by partition first
   * @param singleSlots give isolated partitions one slot each instead of a fair share
   * @param rotation changes the order in which isolated partitions choose; 0 is the largest first
   */
  record Style(
      boolean policies, boolean weighted, double isolation, boolean singleSlots, int rotation) {}

  private final PartitionMap map;
  private final Style style;

  private TreeGraph graph;
  private SlotPlan plan;
  private ChannelClaims claims;
  private long[] load; // by slot index
  private long[] through; // by switch
  private int[] routes; // by switch
  private int[] marks; // by switch and partition: routes of the partition that come down through it
  private int[][] share; // slots an isolated partition may use at level 1, or null
  private final Map<WayKey, Way> ways = new HashMap<>();
  private boolean whole; // every switch has every slot
  private int[] extent; // level at which the partition's members meet
  private final int[] at;

  PartitionSlots(PartitionMap map, Style style, int switches) {
    this.map = map;
    this.style = style;
    this.at = new int[switches];
  }

  @Override
  public SlotPlan choose(TreeGraph tree, Destinations dest, LeafHosts hosts) {
    graph = tree;
    plan = new SlotPlan(tree, dest.topLid, true);
    claims = new ChannelClaims(tree, map);
    load = new long[tree.slotParent.length];
    through = new long[tree.switches];
    routes = new int[tree.switches];
    marks = new int[tree.switches * map.count];
    share = new int[map.count][];
    extent = extents();
    whole = true;
    for (int parent : tree.slotParent) {
      whole &= parent >= 0;
    }
    boolean[] done = new boolean[dest.topLid + 1];
    if (style.policies()) {
      routeIsolated(dest, hosts, done);
      ways.clear();
      routeClass(hosts, done, IsolationPolicy.VLANE);
      routeClass(hosts, done, IsolationPolicy.DEF);
    } else {
      routeClass(hosts, done, null);
    }
    CountingSlots.routeRest(tree, dest, hosts, plan, done);
    return plan;
  }

  /** Level of the lowest sub-tree that holds all members of a partition. */
  private int[] extents() {
    int[] out = new int[map.count];
    for (int p = 0; p < map.count; p++) {
      int[] sw = map.switches[p];
      for (int s = 0; s < graph.switches && sw.length > 1; s++) {
        int top = graph.rising[s];
        boolean all = true;
        for (int i = 0; i < sw.length && all; i++) {
          all = graph.isBelow(top, sw[i]);
        }
        if (all) {
          out[p] = graph.level[top];
          break;
        }
      }
      if (sw.length > 1 && out[p] == 0) {
        out[p] = graph.levels;
      }
    }
    return out;
  }

  private boolean climbs(int lid, int s) {
    int p = map.primary[lid];
    return p != PartitionMap.NONE && extent[p] > graph.level[s];
  }

  private void routeIsolated(Destinations dest, LeafHosts hosts, boolean[] done) {
    int total = 0;
    for (int p = 0; p < map.count; p++) {
      total += extent[p] > 0 ? map.lids[p].length : 0;
    }
    for (int p : isolatedOrder()) {
      ways.clear(); // claims have changed
      share[p] = shareOf(p, total);
      for (int i = 0; i < hosts.switches.length; i++) {
        int[] lids = select(hosts, i, done, p, null);
        for (int lid : new PartitionOrder(map, style.weighted()).order(lids, upLinks(i, hosts))) {
          route(hosts.switches[i], lid);
          done[lid] = true;
        }
      }
    }
  }

  /** Isolated partitions, those with most hosts first; rotated for another attempt. */
  private int[] isolatedOrder() {
    Integer[] order = new Integer[map.count];
    int n = 0;
    for (int p = 0; p < map.count; p++) {
      if (map.policy(p) == IsolationPolicy.PHY && extent[p] > 0) {
        order[n++] = p;
      }
    }
    Arrays.sort(
        order,
        0,
        n,
        (a, b) ->
            map.lids[a].length != map.lids[b].length
                ? Integer.compare(map.lids[b].length, map.lids[a].length)
                : Integer.compare(a, b));
    int[] out = new int[n];
    java.util.SplittableRandom random = new java.util.SplittableRandom(style.rotation());
    for (int i = 0; i < n; i++) {
      if (style.rotation() > 0) {
        int j = i + random.nextInt(n - i);
        Integer swap = order[i];
        order[i] = order[j];
        order[j] = swap;
      }
      out[i] = order[i];
    }
    return out;
  }

  /** The slots of level 1 an isolated partition shall use: its fair share of those free for it. */
  private int[] shareOf(int p, int total) {
    int n = graph.slots[1];
    if (n == 0 || map.lids[p].length == 0) {
      return new int[0];
    }
    double fair = (double) n * map.lids[p].length / Math.max(1, total);
    double cap = map.tenancy.rules().physicalShare() * n;
    int wanted = style.singleSlots() ? 1 : (int) Math.max(1, Math.min(Math.round(fair), cap));
    Integer[] free = new Integer[n];
    int count = 0;
    for (int t = 0; t < n; t++) {
      if (isFreeEverywhere(p, t)) {
        free[count++] = t;
      }
    }
    int rotation = style.rotation();
    Arrays.sort(
        free,
        0,
        count,
        (a, b) -> {
          int c = Integer.compare(claims.taken(1, b), claims.taken(1, a));
          return c != 0
              ? c
              : Integer.compare(Math.floorMod(a + rotation, n), Math.floorMod(b + rotation, n));
        });
    int[] out = new int[Math.min(wanted, count)];
    for (int i = 0; i < out.length; i++) {
      out[i] = free[i];
    }
    return out;
  }

  private boolean isFreeEverywhere(int p, int t) {
    Way way = wayOf(p, 0, 1, null);
    for (int d : map.switches[p]) {
      if (graph.level[d] == 1
          && !(claims.allows(way.blocked, d, true, t, p)
              && (whole || claims.reaches(way.at, way.at.length, d, t)))) {
        return false;
      }
    }
    return true;
  }

  /** The switches a partition's traffic passes on one level, and the slots blocked there. */
  private record Way(int[] at, int[] blocked) {}

  /**
   * The switches of level l that the partition's traffic passes when it took the slots of the path.
   *
   * @param path the slots of the levels below, one byte and a half each
   * @param below the way on the level below and its slot in the lowest digits; null at level 1
   */
  private Way wayOf(int p, long path, int l, Way below) {
    return ways.computeIfAbsent(
        new WayKey(p, l, path),
        key -> {
          int count = 0;
          if (below == null) {
            for (int s : map.switches[p]) {
              if (graph.level[s] == l) {
                at[count++] = s;
              }
            }
          } else {
            System.arraycopy(below.at, 0, at, 0, below.at.length);
            count = claims.climb(at, below.at.length, (int) (path & 0xfff));
          }
          int[] passed = Arrays.copyOf(at, count);
          Arrays.sort(passed);
          return new Way(passed, claims.blocked(passed, count, l, p));
        });
  }

  private record WayKey(int partition, int level, long path) {}

  private void routeClass(LeafHosts hosts, boolean[] done, IsolationPolicy policy) {
    PartitionOrder order = new PartitionOrder(map, style.weighted());
    for (int i = 0; i < hosts.switches.length; i++) {
      int[] lids = select(hosts, i, done, PartitionMap.NONE, policy);
      for (int lid : order.order(lids, upLinks(i, hosts))) {
        route(hosts.switches[i], lid);
        done[lid] = true;
      }
    }
  }

  private int upLinks(int i, LeafHosts hosts) {
    int s = hosts.switches[i];
    int n = 0;
    for (int t = graph.slotBase[s]; t < graph.slotBase[s + 1]; t++) {
      n += graph.slotParent[t] >= 0 ? 1 : 0;
    }
    return Math.max(1, n);
  }

  /** LIDs of a switch that climb, are not routed yet, and are of the partition or the policy. */
  private int[] select(LeafHosts hosts, int i, boolean[] done, int p, IsolationPolicy policy) {
    int[] out = new int[hosts.start[i + 1] - hosts.start[i]];
    int n = 0;
    for (int j = hosts.start[i]; j < hosts.start[i + 1]; j++) {
      int lid = hosts.lids[j];
      if (done[lid] || !climbs(lid, hosts.switches[i])) {
        continue;
      }
      int own = map.primary[lid];
      if (p != PartitionMap.NONE ? own == p : policy == null || map.policy(own) == policy) {
        out[n++] = lid;
      }
    }
    return Arrays.copyOf(out, n);
  }

  private void route(int d, int lid) {
    int p = map.primary[lid];
    plan.leadTo(graph, lid, 1, d, lid);
    plan.main[Math.max(1, graph.level[d])][lid] = d;
    Way way = style.policies() ? wayOf(p, 0, 1, null) : null;
    long path = 0;
    for (int l = 1; l < graph.level[d] && style.policies(); l++) {
      path = path << 12 | (graph.slots[l] > 0 ? plan.slot[l][lid] : 0);
      way = wayOf(p, path, l + 1, way);
    }
    int main = d;
    while (graph.upStart[main] < graph.upStart[main + 1]) {
      int l = graph.level[main];
      boolean counts = l < extent[p];
      int t = best(main, d, p, counts ? way : null);
      int parent = graph.slotParent[graph.slotBase[main] + t];
      if (counts) {
        load[graph.slotBase[main] + t] += style.weighted() ? map.weight[lid] : 1;
        through[parent] += style.weighted() ? map.weight[lid] : 1;
        routes[parent]++;
        marks[parent * map.count + p]++;
        if (style.policies() && map.policy(p) == IsolationPolicy.PHY) {
          claims.take(way.at, way.at.length, main, d, t, p);
        }
      }
      plan.slot[l][lid] = t;
      plan.main[graph.level[parent]][lid] = parent;
      plan.leadTo(graph, lid, l + 1, parent, lid);
      path = path << 12 | t;
      way = style.policies() && counts ? wayOf(p, path, l + 1, way) : null;
      main = parent;
    }
  }

  private int best(int main, int d, int p, Way way) {
    int best = -1;
    boolean bestAllowed = false;
    int base = graph.slotBase[main];
    boolean passes = way != null && Arrays.binarySearch(way.at, main) >= 0;
    for (int t = 0; t < graph.slots[graph.level[main]]; t++) {
      if (graph.slotParent[base + t] < 0) {
        continue;
      }
      boolean allowed = way == null || mayTake(main, d, p, way, passes, t);
      if (best < 0
          || (allowed && !bestAllowed)
          || (allowed == bestAllowed && better(base, t, best, p))) {
        best = t;
        bestAllowed = allowed;
      }
    }
    return best;
  }

  private boolean mayTake(int main, int d, int p, Way way, boolean passes, int t) {
    if (graph.level[main] == 1 && share[p] != null && share[p].length > 0) {
      boolean mine = false;
      for (int own : share[p]) {
        mine |= own == t;
      }
      if (!mine) {
        return false;
      }
    }
    return claims.allows(way.blocked, main, passes, t, p)
        && (whole || claims.reaches(way.at, way.at.length, d, t));
  }

  /** True if slot a is preferred to slot b, both of the same switch. */
  private boolean better(int base, int a, int b, int p) {
    int x = graph.slotParent[base + a];
    int y = graph.slotParent[base + b];
    if (style.isolation() > 0) {
      double costA = cost(base + a, x, p);
      double costB = cost(base + b, y, p);
      if (costA != costB) {
        return costA < costB;
      }
    }
    if (load[base + a] != load[base + b]) {
      return load[base + a] < load[base + b];
    }
    long roundA = through[x] / Math.max(1, width(x));
    long roundB = through[y] / Math.max(1, width(y));
    if (roundA != roundB) {
      return roundA < roundB;
    }
    int markA = marks[x * map.count + p];
    int markB = marks[y * map.count + p];
    return markA > markB;
  }

  /** A f_Ext + (1 - A) f_Wt: strangers among the routes through the parent, and relative load. */
  private double cost(int index, int parent, int p) {
    int all = routes[parent];
    double strangers = all == 0 ? 0.5 : 1 - (double) marks[parent * map.count + p] / all;
    double relative = (double) load[index] / (1 + load[index]);
    return style.isolation() * strangers + (1 - style.isolation()) * relative;
  }

  private int width(int s) {
    return graph.upPortStart[graph.upStart[s + 1]] - graph.upPortStart[graph.upStart[s]];
  }
}
