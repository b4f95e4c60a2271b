package org.heddle.routing.tree;

import java.util.Arrays;
import org.heddle.fabric.Fabric;

/**
 * Relieves up-links that damage has made much fuller than others of the same switch.
 *
 * <p>Where a switch cannot follow the slots of its level, what it sends up is dealt out by a fixed
 * rule that knows nothing of what the switch sends elsewhere: a leaf with two links may send three
 * quarters of everything over one. If one of its links carries more than a fifth above their even
 * share, the switch moves destinations to other parents that are good for them, over routes that
 * are no longer, until none carries more than a tenth above it, as far as that is possible.
 * Destinations that do not follow their slot go first: no other switch need send them through that
 * parent, while those that do follow it come down through one parent more when they leave it.
 *
 * <p>Leaves are measured by their own share. Links further up are relieved only of what is more
 * than the fullest up-link of a leaf has to carry; in most trees they carry far less. Any choice
 * between good parents gives up/down routes, so what is proven of the tables stays proven. Nothing
 * changes on regular trees.
 *
 * <p>O(slots^2) for a leaf whose slots tell that its loads are even enough, O(LIDs * children) for
 * others, and O(links) for each destination that moves.
 */
final class UpLinkRelief {
  private final Fabric fabric;
  private final TreeGraph graph;
  private final ReRootedOrder turns;
  private final Destinations dest;
  private final LeafHosts hosts;
  private final SlotPlan plan;
  private final TreeTables tables;
  private final byte[][] rows;
  private final SwitchLoads loads;
  private final int[][] hostsByKey; // by level: hosts by (slot, key), then by slot; when needed
  private final long[] present = new long[Long.SIZE]; // scratch: by slot, 0 if it is missing
  private final int[] expected = new int[Long.SIZE]; // scratch: hosts by slot
  private int fullestShare = -1;
  private boolean stepsAreLevels; // every tree link leads to the next level
  private int[] inTurn = {};

  /** All that the tables were filled from. */
  UpLinkRelief(
      Fabric fabric,
      TreeGraph graph,
      ReRootedOrder turns,
      Destinations dest,
      LeafHosts hosts,
      SlotPlan plan,
      TreeTables tables,
      byte[][] rows) {
    this.fabric = fabric;
    this.graph = graph;
    this.turns = turns;
    this.dest = dest;
    this.hosts = hosts;
    this.plan = plan;
    this.tables = tables;
    this.rows = rows;
    loads = new SwitchLoads(rows, dest.lids.length);
    hostsByKey = new int[graph.levels + 1][];
  }

  /** More than this on a link is too much where the even share is that many. */
  static int tolerated(int share) {
    return share + share / 5;
  }

  /** What is then wanted. */
  static int wanted(int share) {
    return share + share / 10;
  }

  /**
   * Relieves all switches, leaves first: what they send where decides what arrives further up.
   *
   * @return by switch: true if one of its up-links still carries too much
   */
  boolean[] relieve() {
    boolean[] left = new boolean[graph.switches];
    stepsAreLevels = true;
    for (int s = 0; s < graph.switches; s++) {
      for (int g = graph.upStart[s]; g < graph.upStart[s + 1]; g++) {
        stepsAreLevels &= graph.level[graph.upParent[g]] == graph.level[s] + 1;
      }
    }
    inTurn = takeTurns();
    for (int i = 0; i < graph.switches; i++) {
      int s = graph.rising[i];
      if (isLeaf(s)) {
        if (dest.hasHosts[s] && graph.upLinks[s] > 1 && mayBeUneven(s)) {
          look(s);
          left[s] = !even(s, loads.share());
        }
        continue;
      }
      if (dest.hasHosts[s]) {
        evenParallelDown(s);
      }
      if (graph.upLinks[s] > 0 && mayBeFull(s)) {
        look(s);
        even(s, Math.max(loads.share(), fullestShare()));
        left[s] = loads.fullest() > tolerated(fullestShare());
      }
    }
    return left;
  }

  /** True on a regular tree without hosts on upper switches, where all follow their slots. */
  boolean isUntouched() {
    for (int s = 0; s < graph.switches; s++) {
      if (tables.strayed(s) > 0) {
        return false;
      }
    }
    return hosts.switches.length == hosts.leaves && CountingSlots.isRegular(graph, dest, hosts);
  }

  private boolean isLeaf(int s) {
    return graph.downStart[s] == graph.downStart[s + 1];
  }

  /** What the fullest up-link of a leaf has to carry, if all of its links carry the same. */
  int fullestShare() {
    if (fullestShare < 0) {
      int[] hostsAt = new int[graph.switches];
      int[] hostsIn = new int[graph.switches]; // by connected part
      for (int lid : dest.lids) {
        if (dest.portOf[lid] != 0) {
          hostsAt[dest.switchOf[lid]]++;
          hostsIn[graph.plane[1][dest.switchOf[lid]]]++;
        }
      }
      fullestShare = 0;
      for (int s = 0; s < graph.switches; s++) {
        if (isLeaf(s) && dest.hasHosts[s] && graph.upLinks[s] > 0) {
          int others = hostsIn[graph.plane[1][s]] - hostsAt[s];
          int share = (others + graph.upLinks[s] - 1) / graph.upLinks[s];
          fullestShare = Math.max(fullestShare, share);
        }
      }
    }
    return fullestShare;
  }

  /** False if the slots tell that no link of a leaf carries 13/11 of its share. */
  private boolean mayBeUneven(int leaf) {
    int fullest = expectedFullest(leaf);
    if (fullest == Integer.MAX_VALUE || tables.strayed(leaf) > graph.switches / 16) {
      return true;
    }
    int all = 0;
    for (int t = 0; t < graph.slots[graph.level[leaf]]; t++) {
      all += expected[t];
    }
    int own = dest.start[leaf + 1] - dest.start[leaf]; // part of all, but they do not climb
    return own * 32 > all || (long) fullest * 11 * graph.upLinks[leaf] > all * 13L;
  }

  /**
   * False if the slots tell that so little comes to an upper switch that no up-link of it carries
   * two thirds of what the fullest one of a leaf does.
   */
  private boolean mayBeFull(int s) {
    int fullest = expectedFullest(s);
    if (fullest <= fullestShare() || fullest == Integer.MAX_VALUE || dest.hasHosts[s]) {
      return fullest > fullestShare();
    }
    return arriving(s) * 3 * fullest > 2L * fullestShare() * inTurn.length;
  }

  /** About how many destinations the switches below send to a switch; all if not known. */
  private long arriving(int s) {
    int l = graph.level[graph.downChild[graph.downStart[s]]];
    int n = graph.slots[l];
    if (n > Long.SIZE) {
      return inTurn.length;
    }
    hostsByKey[l] = hostsByKey[l] == null ? countHosts(l, n) : hostsByKey[l];
    boolean[] comes = new boolean[n * n];
    for (int g = graph.downStart[s]; g < graph.downStart[s + 1]; g++) {
      int child = graph.downChild[g];
      if (graph.level[child] != l) {
        return inTurn.length;
      }
      int base = graph.slotBase[child];
      for (int t = 0; t < n; t++) {
        present[t] = graph.slotParent[base + t] < 0 ? 0 : 1;
      }
      for (int t = 0; t < n; t++) {
        if (present[t] != 0 && graph.slotParent[base + t] != s) {
          continue;
        }
        for (int k = 0; k < n; k++) {
          int by = present[t] != 0 ? t : TreeTables.nextUsable(graph, l, t, k, present, 0);
          comes[t * n + k] |= graph.slotParent[base + by] == s;
        }
      }
    }
    long sum = 0;
    for (int i = 0; i < comes.length; i++) {
      sum += comes[i] ? hostsByKey[l][i] : 0;
    }
    return sum;
  }

  /** Hosts on the fullest link if every parent were good for all; the maximum if not known. */
  private int expectedFullest(int s) {
    int l = graph.level[s];
    int n = graph.slots[l];
    if (n > Long.SIZE) {
      return Integer.MAX_VALUE;
    }
    if (hostsByKey[l] == null) {
      hostsByKey[l] = countHosts(l, n);
    }
    for (int t = 0; t < n; t++) {
      present[t] = graph.slotParent[graph.slotBase[s] + t] < 0 ? 0 : 1;
    }
    Arrays.fill(expected, 0, n, 0);
    for (int t = 0; t < n; t++) {
      if (present[t] != 0) {
        expected[t] += hostsByKey[l][n * n + t];
        continue;
      }
      for (int k = 0; k < n; k++) {
        int some = hostsByKey[l][t * n + k];
        if (some > 0) {
          expected[TreeTables.nextUsable(graph, l, t, k, present, 0)] += some;
        }
      }
    }
    int fullest = 0;
    for (int t = 0; t < n; t++) {
      fullest = Math.max(fullest, expected[t]);
    }
    return fullest;
  }

  private int[] countHosts(int l, int n) {
    int[] out = new int[n * n + n];
    for (int lid : dest.lids) {
      if (dest.portOf[lid] != 0) {
        out[plan.slot[l][lid] * n + plan.key[l][lid]]++;
        out[n * n + plan.slot[l][lid]]++;
      }
    }
    return out;
  }

  /** Finds the up-links of a switch and what they carry. */
  private void look(int s) {
    loads.clear(s);
    for (int g = graph.upStart[s]; g < graph.upStart[s + 1]; g++) {
      for (int i = graph.upPortStart[g]; i < graph.upPortStart[g + 1]; i++) {
        loads.addLink(graph.upPort[i] & 0xff, graph.upParent[g]);
      }
    }
    count(s);
  }

  private void count(int s) {
    boolean all = dest.hasHosts[s];
    boolean isLeaf = isLeaf(s);
    for (int lid : inTurn) {
      int link = loads.linkOf(lid);
      if (link != SwitchLoads.NONE
          && (isLeaf || !graph.isBelow(s, dest.switchOf[lid]))
          && (all || comesThrough(s, lid))) {
        loads.load[link]++;
      }
    }
  }

  /** Adds those LIDs to what may move that follow their slot, or those that do not. */
  private void collect(int s, boolean onSlot) {
    int[] slot = plan.slot[graph.level[s]];
    int base = graph.slotBase[s];
    byte[] row = rows[s];
    boolean all = dest.hasHosts[s];
    boolean isLeaf = isLeaf(s);
    for (int lid : inTurn) {
      if ((row[lid] == graph.slotPort[base + slot[lid]]) == onSlot
          && loads.linkOf(lid) != SwitchLoads.NONE
          && (isLeaf || !graph.isBelow(s, dest.switchOf[lid]))
          && (all || comesThrough(s, lid))) {
        loads.moving[loads.count++] = lid;
      }
    }
  }

  /** LIDs of hosts: one of every switch, then the next of each, so that all spare as many. */
  private int[] takeTurns() {
    int most = 0;
    for (int s = 0; s < graph.switches; s++) {
      most = Math.max(most, dest.start[s + 1] - dest.start[s]);
    }
    int[] out = new int[dest.lids.length];
    int n = 0;
    for (int i = 0; i < most; i++) {
      for (int s = 0; s < graph.switches; s++) {
        int at = dest.start[s] + i;
        if (at < dest.start[s + 1] && dest.portOf[dest.lids[at]] != 0) {
          out[n++] = dest.lids[at];
        }
      }
    }
    return Arrays.copyOf(out, n);
  }

  /** True if hosts at a switch or below send a LID through it. */
  private boolean comesThrough(int s, int lid) {
    if (dest.hasHosts[s]) {
      return true;
    }
    for (int g = graph.downStart[s]; g < graph.downStart[s + 1]; g++) {
      int child = graph.downChild[g];
      byte number = rows[child][lid];
      if (number != TreeGraph.NO_PORT
          && fabric.peerNode(fabric.port(child, number & 0xff)) == s
          && comesThrough(child, lid)) {
        return true;
      }
    }
    return false;
  }

  private boolean isGood(int s, int parent, int d) {
    return graph.isGood(parent, d)
        && (turns.transit[s] == null
            || !turns.isOwnOnly(s, parent)
            || (turns.transit[s][d >>> 6] >>> d & 1) == 0);
  }

  /** Moves destinations from full links to others; true if then none carries too much. */
  private boolean even(int s, int share) {
    if (loads.fullest() <= tolerated(share)) {
      return true;
    }
    int wanted = wanted(share);
    collect(s, false);
    if (!moveFrom(s, 0, wanted)) {
      int first = loads.count;
      collect(s, true);
      moveFrom(s, first, wanted);
    }
    for (int k = 0; k < loads.links; k++) {
      while (loads.load[k] > wanted && moveInTurn(s, k, wanted)) {
        // one destination less each time
      }
    }
    return loads.fullest() <= tolerated(share);
  }

  /** Moves what may move, from an index on; true if then no link carries more than is wanted. */
  private boolean moveFrom(int s, int first, int wanted) {
    int excess = 0;
    for (int k = 0; k < loads.links; k++) {
      excess += Math.max(0, loads.load[k] - wanted);
    }
    for (int i = first; i < loads.count && excess > 0; i++) {
      int lid = loads.moving[i];
      int from = loads.linkOf(lid);
      if (loads.load[from] > wanted) {
        int to = emptiest(s, lid, from);
        if (to != SwitchLoads.NONE && loads.load[to] < wanted) {
          loads.move(lid, from, to);
          excess--;
        }
      }
    }
    return excess == 0;
  }

  /** The emptiest link that may take a LID. */
  private int emptiest(int s, int lid, int from) {
    int first = from == 0 ? loads.links - 1 : 0;
    for (int k = 1; k < loads.links; k++) {
      first = k != from && loads.load[k] < loads.load[first] ? k : first;
    }
    if (canMove(s, lid, from, first)) { // the usual case
      return first;
    }
    int best = SwitchLoads.NONE;
    for (int k = 0; k < loads.links; k++) {
      if (k != from
          && (best == SwitchLoads.NONE || loads.load[k] < loads.load[best])
          && canMove(s, lid, from, k)) {
        best = k;
      }
    }
    return best;
  }

  private boolean canMove(int s, int lid, int from, int to) {
    int now = loads.peer[from];
    int then = loads.peer[to];
    return then == now
        || isGood(s, then, dest.switchOf[lid]) && isNoLonger(then, now, lid, dest.switchOf[lid]);
  }

  /** True if the route to a LID from one parent is no longer than from another. */
  private boolean isNoLonger(int then, int now, int lid, int d) {
    if (stepsAreLevels && graph.level[then] == graph.level[now]) { // mostly, and tables are slow
      boolean falls = graph.isBelow(then, d);
      if (falls || graph.isBelow(now, d)) {
        return falls;
      }
      if (graph.level[then] == graph.levels - 1) {
        return true; // both over the top
      }
    }
    return hops(then, lid) <= hops(now, lid);
  }

  private int hops(int from, int lid) {
    int at = from;
    int n = 0;
    while (at != dest.switchOf[lid]) {
      at = fabric.peerNode(fabric.port(at, rows[at][lid] & 0xff));
      n++;
    }
    return n;
  }

  /**
   * Takes one destination off a link where no link with room can take it: another link does, and
   * gives one of its own to a third, and so on.
   */
  private boolean moveInTurn(int s, int full, int wanted) {
    int[] by = new int[loads.links]; // the LID with which a link was reached
    int[] before = new int[loads.links];
    Arrays.fill(before, SwitchLoads.NONE);
    before[full] = full;
    int[] queue = new int[loads.links];
    int end = 0;
    queue[end++] = full;
    for (int q = 0; q < end; q++) {
      for (int i = 0; i < loads.count; i++) {
        int lid = loads.moving[i];
        if (loads.linkOf(lid) != queue[q]) {
          continue;
        }
        for (int k = 0; k < loads.links; k++) {
          if (before[k] != SwitchLoads.NONE || !canMove(s, lid, queue[q], k)) {
            continue;
          }
          before[k] = queue[q];
          by[k] = lid;
          queue[end++] = k;
          if (loads.load[k] < wanted) {
            for (int to = k; to != full; to = before[to]) {
              loads.move(by[to], before[to], to);
            }
            return true;
          }
        }
      }
    }
    return false;
  }

  /**
   * Spreads what a switch with hosts of its own sends to a switch below over the cables to it.
   * Other switches need that less: what comes down through them took an up-link by count.
   */
  private void evenParallelDown(int s) {
    for (int g = graph.downStart[s]; g < graph.downStart[s + 1]; g++) {
      if (graph.downPortStart[g + 1] - graph.downPortStart[g] < 2) {
        continue;
      }
      loads.clear(s);
      for (int i = graph.downPortStart[g]; i < graph.downPortStart[g + 1]; i++) {
        loads.addLink(graph.downPort[i] & 0xff, graph.downChild[g]);
      }
      for (int lid : dest.lids) {
        int link = dest.portOf[lid] == 0 ? SwitchLoads.NONE : loads.linkOf(lid);
        if (link != SwitchLoads.NONE) {
          loads.load[link]++;
          loads.moving[loads.count++] = lid;
        }
      }
      int share = loads.share();
      for (int i = 0; i < loads.count && loads.fullest() > share; i++) {
        int from = loads.linkOf(loads.moving[i]);
        int to = 0;
        for (int k = 1; k < loads.links; k++) {
          to = loads.load[k] < loads.load[to] ? k : to;
        }
        if (loads.load[from] > share) {
          loads.move(loads.moving[i], from, to);
        }
      }
    }
  }
}
