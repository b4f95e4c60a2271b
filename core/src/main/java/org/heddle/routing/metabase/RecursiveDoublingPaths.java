package org.heddle.routing.metabase;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.heddle.routing.tree.TreeGraph;

/**
 * Adds to {@link BruckPaths} the paths for messages that recursive doubling sends and bruck does
 * not, so that few flows of one of its steps share a channel.
 *
 * <p>In the step of distance d the ranks with this bit clear send where they send in bruck: those
 * entries are taken, and nothing of theirs meets. The others send d ranks back, mostly by entries
 * that nothing else uses; these are chosen here, step by step, first at the leaves, then above, by
 * least conflicts in a bounded number of sweeps. None are left as a rule where the hosts of a leaf
 * are a power of two, where {@link ContentionFreePaths} is asked first; otherwise some must be:
 * there are no tables without conflicts ({@code ContentionFreePathsTest} proves it for six hosts on
 * a leaf).
 *
 * <p>An entry is shared by all that comes to its switch: flows of several steps to one rank from
 * one leaf, or from leaves of one sub-tree over one plane. Slots that lead to an entry in use are
 * avoided where that costs nothing.
 *
 * <p>Deterministic. O(sweeps * ranks * steps * up-links).
 */
final class RecursiveDoublingPaths {
  private static final int SWEEPS = 60;
  private static final long SEED = 11;
  private static final int WEIGHT = 16; // of a conflict, to an entry in use

  private final TreeGraph graph;
  private final LeafRanks ranks;
  private final BruckPaths bruck;
  private final int perLeaf;
  private final int steps;
  private final int communicator; // ranks that take part
  private final int[][] before; // by level and LID, what hosts have by rank
  private final int[][][] slot; // by level, step and rank of the receiver: slot chosen, or -1
  private final SplittableRandom random = new SplittableRandom(SEED);

  // In one step, by rank of the receiver.
  private final int[] choice; // slot at the present level
  private final int[] path; // planes up to it, as one number
  private final int[] open; // receivers whose slot is chosen
  private int opened;
  private int[] up; // (group, path, slot): flows
  private int[] down;

  private int meetings;

  private RecursiveDoublingPaths(
      TreeGraph graph, LeafRanks ranks, BruckPaths bruck, int[][] before) {
    this.graph = graph;
    this.before = before;
    this.ranks = ranks;
    this.bruck = bruck;
    perLeaf = ranks.perLeaf;
    communicator = Integer.highestOneBit(ranks.lid.length);
    steps = Integer.numberOfTrailingZeros(communicator);
    slot = new int[graph.levels][steps][communicator];
    for (int[][] level : slot) {
      for (int[] step : level) {
        Arrays.fill(step, -1);
      }
    }
    choice = new int[communicator];
    path = new int[communicator];
    open = new int[communicator];
  }

  /**
   * Chooses ways.
   *
   * @param before by level and LID, what hosts have by rank; kept where nothing meets
   */
  static RecursiveDoublingPaths find(
      TreeGraph graph, LeafRanks ranks, BruckPaths bruck, int[][] before) {
    RecursiveDoublingPaths ways = new RecursiveDoublingPaths(graph, ranks, bruck, before);
    for (int j = ways.steps - 1; j >= 0; j--) {
      Arrays.fill(ways.path, 0);
      int planes = 1;
      for (int l = 1; l < graph.levels; l++) {
        ways.chooseLevel(j, l, planes);
        planes *= graph.slots[l];
      }
    }
    return ways;
  }

  /** True if no flows of a step share a channel, as long as no link is dead. */
  boolean isSeparate() {
    return meetings == 0;
  }

  private int leafOf(int rank) {
    return rank / perLeaf;
  }

  /** Slot to a rank at the switch of level l above leaf p on a path, if in use, else -1. */
  private int inUse(int l, int p, int onPath, int to) {
    int t = bruck.inUse(l, p, onPath, to);
    int[] group = ranks.group[l];
    for (int j = 0; j < steps && t < 0; j++) {
      if (group[leafOf(to ^ 1 << j)] == group[p] && pathOf(l, j, to) == onPath) {
        t = slot[l][j][to];
      }
    }
    return t;
  }

  /** Planes below a level, as one number, of what was chosen; -1 if nothing was. */
  private int pathOf(int l, int j, int to) {
    int sum = 0;
    for (int k = 1; k < l; k++) {
      if (slot[k][j][to] < 0) {
        return -1;
      }
      sum = sum * graph.slots[k] + slot[k][j][to];
    }
    return sum;
  }

  private void chooseLevel(int j, int l, int planes) {
    int[] group = ranks.group[l];
    int slots = graph.slots[l];
    up = new int[ranks.groups[l] * planes * slots];
    down = new int[up.length];
    opened = 0;
    for (int to = 0; to < communicator; to++) {
      int p = leafOf(to ^ 1 << j);
      if (group[p] == group[leafOf(to)]) {
        continue;
      }
      choice[to] = inUse(l, p, path[to], to);
      if (choice[to] < 0) {
        open[opened++] = to;
        int t = before[l][ranks.lid[to]];
        choice[to] = leadsToUsed(l, p, path[to] * slots + t, to) ? -1 : t;
      }
      if (choice[to] >= 0) {
        count(to, p, l, planes, 1);
      }
    }
    int moved = opened;
    for (int sweep = 0; sweep < SWEEPS && moved > 0; sweep++) {
      moved = 0;
      for (int i = 0; i < opened; i++) {
        moved += choose(open[i], leafOf(open[i] ^ 1 << j), l, planes) ? 1 : 0;
      }
    }
    for (int c = 0; c < up.length; c++) {
      meetings += Math.max(0, up[c] - 1) + Math.max(0, down[c] - 1);
    }
    for (int to = 0; to < communicator; to++) {
      if (group[leafOf(to ^ 1 << j)] != group[leafOf(to)]) {
        path[to] = path[to] * slots + choice[to];
        slot[l][j][to] = choice[to];
      }
    }
  }

  private boolean leadsToUsed(int l, int p, int onPath, int to) {
    return l + 1 < graph.levels && inUse(l + 1, p, onPath, to) >= 0;
  }

  private void count(int to, int p, int l, int planes, int by) {
    int slots = graph.slots[l];
    up[(ranks.group[l][p] * planes + path[to]) * slots + choice[to]] += by;
    down[(ranks.group[l][leafOf(to)] * planes + path[to]) * slots + choice[to]] += by;
  }

  /** Takes the best slot for the flow from leaf p; false if it already has one to itself. */
  private boolean choose(int to, int p, int l, int planes) {
    int slots = graph.slots[l];
    int a = (ranks.group[l][p] * planes + path[to]) * slots;
    int b = (ranks.group[l][leafOf(to)] * planes + path[to]) * slots;
    int old = choice[to];
    if (old >= 0 && up[a + old] == 1 && down[b + old] == 1) {
      return false;
    }
    if (old >= 0) {
      count(to, p, l, planes, -1);
    }
    int best = Integer.MAX_VALUE;
    int ties = 0;
    for (int t = 0; t < slots; t++) {
      int cost = WEIGHT * (up[a + t] + down[b + t]);
      if (cost <= best && leadsToUsed(l, p, path[to] * slots + t, to)) {
        cost++;
      }
      ties = cost < best ? 1 : cost == best ? ties + 1 : ties;
      if (cost < best || (cost == best && random.nextInt(ties) == 0)) {
        best = cost;
        choice[to] = t;
      }
    }
    count(to, p, l, planes, 1);
    return true;
  }

  /** Changes to what hosts have by rank, besides bruck's. */
  ContentionFreePaths.Change[] changes() {
    ContentionFreePaths.Change[] out =
        new ContentionFreePaths.Change[graph.levels * steps * communicator];
    int n = 0;
    for (int j = 0; j < steps; j++) {
      for (int to = 0; to < communicator; to++) {
        int s = ranks.leaf[leafOf(to ^ 1 << j)];
        for (int l = 1; l < graph.levels && s >= 0; l++) {
          int t = slot[l][j][to];
          int parent = parent(s, t, to);
          if (parent >= 0) {
            out[n++] = new ContentionFreePaths.Change(s, ranks.lid[to], t);
          }
          s = parent;
        }
      }
    }
    return Arrays.copyOf(out, n);
  }

  /** The switch behind a slot, if there is one that reaches a rank, else -1. */
  private int parent(int s, int slot, int to) {
    int parent = slot < 0 ? -1 : graph.slotParent[graph.slotBase[s] + slot];
    return parent >= 0 && graph.isGood(parent, ranks.leaf[leafOf(to)]) ? parent : -1;
  }
}
