package org.heddle.routing.partition;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.heddle.routing.tree.CountingSlots;
import org.heddle.routing.tree.Destinations;
import org.heddle.routing.tree.LeafHosts;
import org.heddle.routing.tree.Mates;
import org.heddle.routing.tree.SlotChooser;
import org.heddle.routing.tree.SlotPlan;
import org.heddle.routing.tree.SubtreeCeilings;
import org.heddle.routing.tree.TreeGraph;
import org.heddle.tenancy.IsolationPolicy;

/**
 * The choice of slots in the pFTree family (Zahid et al., algorithms 1 to 4, corrected).
 *
 * <p>Per leaf and in {@link PartitionOrder}, every host climbs through the channel with the least
 * load; among equals through a parent that the other ports of its machine do not come down by
 * ({@link Mates}), then through the parent through which most of its partition does already. Load
 * is a number of routes, or their weight. A partition loads only the levels its members need to
 * meet: hosts of one leaf do not count at all, hosts of one sub-tree not above it. Hosts that never
 * meet anybody over the tree are routed last, by count. At the end hosts of a leaf that differ in
 * nothing that counts change places where that keeps ports of a machine apart.
 *
 * <p>With policies, all physically isolated partitions are routed before all others, and every slot
 * must be free of clashing claims ({@link ChannelClaims}) at every switch its traffic passes. An
 * isolated partition is given a share of its leaves' slots in proportion to its hosts, so that
 * isolation costs the others as little as possible.
 */
public final class PartitionSlots implements SlotChooser {
  /**
   * How to choose.
   *
   * @param policies keep physically isolated partitions off other partitions' channels
   * @param weighted load is weight, not number
   * @param isolation 0..1, A of the combined engine: how much isolation counts against even load in
   *     every choice; 0 for no mixture: promises strictly first, then load
   * @param singleSlots give isolated partitions one slot each instead of a fair share
   * @param rotation changes the order in which isolated partitions choose; 0 is the largest first
   */
  public record Style(
      boolean policies, boolean weighted, double isolation, boolean singleSlots, int rotation) {}

  private final PartitionMap map;
  private final Style style;
  private final Mates mates; // null if no machine has two ports

  private TreeGraph graph;
  private SlotPlan plan;
  private ChannelClaims claims;
  private Climbers climbers;
  private PartitionLoads loads;
  private PartitionOrder order;
  private boolean exact; // see PartitionLoads
  private int[][] share; // slots an isolated partition may use at level 1, or null
  private final Map<WayKey, Way> ways = new HashMap<>();
  private boolean whole; // every switch has every slot
  private final int[] at;
  private boolean[] routed; // by LID: its way is chosen

  PartitionSlots(PartitionMap map, Style style, int switches, Mates mates) {
    this.map = map;
    this.style = style;
    this.mates = mates;
    this.at = new int[switches];
  }

  @Override
  public SlotPlan choose(TreeGraph tree, Destinations dest, LeafHosts hosts) {
    graph = tree;
    climbers = new Climbers(tree, map, dest);
    order = new PartitionOrder(map.count, climbers.decider);
    whole = true;
    for (int parent : tree.slotParent) {
      whole &= parent >= 0;
    }
    boolean[] done = attempt(dest, hosts, false);
    if (!style.policies() && !style.weighted() && style.isolation() == 0) {
      int[] ceilings = SubtreeCeilings.of(tree, dest, climbers.reach);
      long excess = loads.excess(ceilings);
      SlotPlan firstPlan = plan;
      PartitionLoads firstLoads = loads;
      if (excess > 0) {
        attempt(dest, hosts, true);
        boolean improved = loads.excess(ceilings) < excess;
        plan = improved ? plan : firstPlan;
        loads = improved ? loads : firstLoads;
      }
    }
    separate(hosts, done);
    CountingSlots.routeRest(tree, dest, hosts, plan, done, mates);
    if (!whole && !style.policies()) {
      new DownDetours(tree, plan, loads.load).choose(hosts, climbers, style.weighted());
    }
    return plan;
  }

  /** Routes all that climbs; returns which LIDs these are. */
  private boolean[] attempt(Destinations dest, LeafHosts hosts, boolean balance) {
    exact = balance;
    plan = new SlotPlan(graph, dest.topLid, true);
    claims = new ChannelClaims(graph, map);
    loads = new PartitionLoads(graph, map.count, exact);
    share = new int[map.count][];
    boolean[] done = new boolean[dest.topLid + 1];
    routed = done;
    if (style.policies()) {
      routeIsolated(hosts, done);
      ways.clear();
      routeClass(hosts, done, IsolationPolicy.VLANE);
      routeClass(hosts, done, IsolationPolicy.DEF);
    } else {
      routeClass(hosts, done, null);
    }
    return done;
  }

  /** Ports of one machine exchange their ways with others that nobody can tell from them. */
  private void separate(LeafHosts hosts, boolean[] done) {
    if (mates == null || graph.slots[1] == 0) {
      return;
    }
    Mates.Ways down =
        new Mates.Ways() {
          @Override
          public int way(int lid) {
            return done[lid] ? key(plan.slot[1][lid]) : -1;
          }

          @Override
          public void swap(int a, int b) {
            plan.swap(a, b);
          }
        };
    for (int i = 0; i < hosts.leaves; i++) {
      exchange(hosts, i, done, down, false);
    }
    for (int i = 0; i < hosts.leaves && !style.policies(); i++) {
      exchange(hosts, i, done, down, true);
    }
  }

  /**
   * Lets LIDs of a leaf change places.
   *
   * @param others also with LIDs of other partitions, which share channels with everybody
   */
  private void exchange(
      LeafHosts hosts, int leaf, boolean[] done, Mates.Ways down, boolean others) {
    Map<List<Integer>, List<Integer>> alike = new LinkedHashMap<>();
    for (int j = hosts.start[leaf]; j < hosts.start[leaf + 1]; j++) {
      int lid = hosts.lids[j];
      if (!done[lid] || others && !climbers.isOf(lid, IsolationPolicy.DEF)) {
        continue;
      }
      List<Integer> kind = new ArrayList<>();
      kind.add(climbers.reach[lid]);
      for (int l = 1; l <= graph.levels; l++) {
        kind.add(weight(lid, l));
      }
      for (int k = map.memberStart[lid]; k < map.memberStart[lid + 1] && !others; k++) {
        kind.add(map.memberPartition[k]);
      }
      alike.computeIfAbsent(kind, _ -> new ArrayList<>()).add(lid);
    }
    for (List<Integer> lids : alike.values()) {
      mates.separate(lids.stream().mapToInt(l -> l).toArray(), 0, lids.size(), down);
    }
  }

  /** What slots of a leaf with one parent have in common. */
  private int key(int slot) {
    return slot % graph.keys[1];
  }

  /** How many other ports of its machine come down by the parent of a slot of its leaf. */
  private int met(int lid, int l, int t) {
    if (mates == null || l != 1) {
      return 0;
    }
    return mates.meets(lid, key(t), lidsSoFar);
  }

  private final Mates.Ways lidsSoFar =
      new Mates.Ways() {
        @Override
        public int way(int lid) {
          return routed[lid] ? key(plan.slot[1][lid]) : -1;
        }

        @Override
        public void swap(int a, int b) {
          throw new UnsupportedOperationException();
        }
      };

  private void routeIsolated(LeafHosts hosts, boolean[] done) {
    int total = 0;
    for (int p = 0; p < map.count; p++) {
      total += climbers.extent[p] > 0 ? map.lids[p].length : 0;
    }
    for (int p : isolatedOrder()) {
      ways.clear(); // claims have changed
      share[p] = shareOf(p, total);
      for (int i = 0; i < hosts.switches.length; i++) {
        int[] lids = select(hosts, i, done, p, null);
        for (int lid : ordered(lids, i, hosts)) {
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
      if (map.policy(p) == IsolationPolicy.PHY && climbers.extent[p] > 0) {
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
    for (int i = 0; i < hosts.switches.length; i++) {
      int[] lids = select(hosts, i, done, PartitionMap.NONE, policy);
      for (int lid : ordered(lids, i, hosts)) {
        route(hosts.switches[i], lid);
        done[lid] = true;
      }
    }
  }

  /** By weight if it counts; those that climb farthest first if balance is at stake. */
  private int[] ordered(int[] lids, int i, LeafHosts hosts) {
    int[] rank = style.weighted() || exact ? new int[lids.length] : null;
    for (int k = 0; rank != null && k < rank.length; k++) {
      rank[k] =
          style.weighted()
              ? climbers.weight(lids[k], graph.level[hosts.switches[i]])
              : climbers.reach[lids[k]];
    }
    return order.order(lids, rank, upLinks(i, hosts));
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
      boolean mine =
          p != PartitionMap.NONE ? climbers.decider[lid] == p : climbers.isOf(lid, policy);
      if (mine && !done[lid]) {
        out[n++] = lid;
      }
    }
    return Arrays.copyOf(out, n);
  }

  private void route(int d, int lid) {
    int p = climbers.decider[lid];
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
      boolean own = l < climbers.extent[p];
      int t = best(main, d, lid, own ? way : null, path);
      int parent = graph.slotParent[graph.slotBase[main] + t];
      if (l < climbers.reach[lid]) {
        count(graph.slotBase[main] + t, lid, l);
      }
      if (own && style.policies() && map.policy(p) == IsolationPolicy.PHY) {
        claims.take(way.at, way.at.length, main, d, t, p);
      }
      plan.slot[l][lid] = t;
      plan.main[graph.level[parent]][lid] = parent;
      plan.leadTo(graph, lid, l + 1, parent, lid);
      path = path << 12 | t;
      way = style.policies() && own ? wayOf(p, path, l + 1, way) : null;
      main = parent;
    }
  }

  private void count(int index, int lid, int l) {
    int parent = graph.slotParent[index];
    boolean further = climbers.reach[lid] > graph.level[parent];
    loads.add(index, weight(lid, l), further ? weight(lid, graph.level[parent]) : 0);
    for (int k = map.memberStart[lid]; k < map.memberStart[lid + 1]; k++) {
      if (climbers.extent[map.memberPartition[k]] > l) {
        loads.mark(parent, map.memberPartition[k]);
      }
    }
  }

  private int weight(int lid, int l) {
    return style.weighted() ? climbers.weight(lid, l) : 1;
  }

  private int best(int main, int d, int lid, Way way, long path) {
    int p = climbers.decider[lid];
    int best = -1;
    int bestMet = 0;
    double least = Double.POSITIVE_INFINITY;
    int base = graph.slotBase[main];
    int l = graph.level[main];
    boolean passes = way != null && Arrays.binarySearch(way.at, main) >= 0;
    long lightest = style.isolation() > 0 ? lightest(main) : 0;
    int weight = Math.max(1, weight(lid, l));
    for (int t = 0; t < graph.slots[l]; t++) {
      int parent = graph.slotParent[base + t];
      if (parent < 0) {
        continue;
      }
      boolean allowed = way == null || mayTake(main, d, p, way, passes, t);
      int met = met(lid, l, t);
      double excess = (double) (loads.load[base + t] - lightest) / weight;
      double cost = cost(allowed, parent, p, excess, met);
      boolean further = climbers.reach[lid] > graph.level[parent];
      if (!isBetter(cost, t, least, best, base, p, further, met - bestMet)) {
        continue;
      }
      if (way != null && allowed && !goesOn(parent, d, p, way, path << 12 | t)) {
        cost = cost(false, parent, p, excess, met);
        if (!isBetter(cost, t, least, best, base, p, further, met - bestMet)) {
          continue;
        }
      }
      best = t;
      bestMet = met;
      least = cost;
    }
    return best;
  }

  private boolean isBetter(
      double cost, int t, double least, int best, int base, int p, boolean further, int meets) {
    if (best < 0 || cost != least) {
      return best < 0 || cost < least;
    }
    return meets != 0 && loads.load[base + t] == loads.load[base + best]
        ? meets < 0
        : loads.better(base + t, base + best, p, further);
  }

  /** True if a way that may be taken to a switch may be continued to where the partition meets. */
  private boolean goesOn(int main, int d, int p, Way below, long path) {
    int l = graph.level[main];
    if (l >= climbers.extent[p] || graph.upStart[main] == graph.upStart[main + 1]) {
      return true;
    }
    Way way = wayOf(p, path, l, below);
    boolean passes = Arrays.binarySearch(way.at, main) >= 0;
    for (int t = 0; t < graph.slots[l]; t++) {
      int parent = graph.slotParent[graph.slotBase[main] + t];
      if (parent >= 0
          && mayTake(main, d, p, way, passes, t)
          && goesOn(parent, d, p, way, path << 12 | t)) {
        return true;
      }
    }
    return false;
  }

  private long lightest(int main) {
    long least = Long.MAX_VALUE;
    for (int i = graph.slotBase[main]; i < graph.slotBase[main + 1]; i++) {
      least = graph.slotParent[i] < 0 ? least : Math.min(least, loads.load[i]);
    }
    return least;
  }

  /**
   * What counts before load and marks. Without a mixture just whether the slot is allowed. With it,
   * A f_Ext + (1 - A) f_Wt, both 0..1. f_Ext is 1 for a slot that breaks a promise, else half the
   * share of strangers among the routes through the parent, all if another port of the machine
   * comes down by it. f_Wt is x / (1 + x), x being how much more the channel carries than the
   * emptiest one, in units of the host to route: one host more is 1/2, many are nearly 1.
   */
  private double cost(boolean allowed, int parent, int p, double excess, int met) {
    if (style.isolation() == 0) {
      return allowed ? 0 : 1;
    }
    double strangers = met > 0 ? 1 : loads.strangers(parent, p);
    double isolation = allowed ? strangers / 2 : 1;
    return style.isolation() * isolation + (1 - style.isolation()) * excess / (1 + excess);
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
}
