package org.heddle.routing.tree;

import java.util.ArrayList;
import java.util.List;
import org.heddle.fabric.Fabric;

/**
 * Relieves links of switches with hosts where tree routes leave no choice, by routes that go down
 * and up again: beside the tree route of a destination there may be one through a leaf that lies
 * below several spines, or that hosts on two upper switches could both use.
 *
 * <p>Such routes must rise and then fall in the {@link ReRootedOrder}, as all others do if it is
 * safe; then there is no credit loop. A destination may move from a link that rises to another that
 * rises, because whatever comes to the switch on the way there has only risen so far, and what it
 * meets then rises and falls; and from any link to one from which the route only falls. If the
 * order is not safe, the channel dependencies have to be asked. No packet runs in a circle in any
 * case: a route that comes back to the switch is not taken. Nothing moves to a longer route.
 *
 * <p>O(LIDs * links) for each switch that is looked at.
 */
final class TurnRelief {
  private static final int NOWHERE = -1;

  private final Fabric fabric;
  private final TreeGraph graph;
  private final ReRootedOrder turns;
  private final Destinations dest;
  private final byte[][] rows;
  private final SwitchLoads loads;
  private final List<int[]> changes = new ArrayList<>(); // switch, LID, port before

  TurnRelief(
      Fabric fabric, TreeGraph graph, ReRootedOrder turns, Destinations dest, byte[][] rows) {
    this.fabric = fabric;
    this.graph = graph;
    this.turns = turns;
    this.dest = dest;
    this.rows = rows;
    loads = new SwitchLoads(rows, dest.lids.length);
  }

  /**
   * Relieves leaves and upper switches with hosts.
   *
   * @param full by switch: true if a link carries too much; false again if that is mended
   * @param fullestShare what the fullest up-link of a leaf has to carry
   * @return how many entries have changed
   */
  int relieve(boolean[] full, int fullestShare) {
    long[] hosted = new long[graph.words];
    for (int s = 0; s < graph.switches; s++) {
      hosted[s >>> 6] |= dest.hasHosts[s] ? 1L << s : 0;
    }
    for (int s = 0; s < graph.switches; s++) {
      if (!dest.hasHosts[s] || !full[s] && !mayBeFullDown(s, hosted, fullestShare)) {
        continue;
      }
      look(s);
      boolean isLeaf = graph.downStart[s] == graph.downStart[s + 1];
      int share = isLeaf ? loads.share() : Math.max(loads.share(), fullestShare);
      if (loads.fullest() > UpLinkRelief.tolerated(share)) {
        relieve(s, UpLinkRelief.wanted(share));
      }
      full[s] = loads.fullest() > UpLinkRelief.tolerated(share);
    }
    return changes.size();
  }

  /** Takes back all changes. */
  void undo() {
    for (int[] change : changes.reversed()) {
      rows[change[0]][change[1]] = (byte) change[2];
    }
  }

  /** False if even what lies below one child and all that turns would not fill a link down. */
  private boolean mayBeFullDown(int s, long[] hosted, int fullestShare) {
    int most = 0;
    for (int g = graph.downStart[s]; g < graph.downStart[s + 1]; g++) {
      int below = 0;
      for (int w = 0; w < graph.words; w++) {
        below += hosts(w, hosted[w] & graph.below[graph.downChild[g] * graph.words + w]);
      }
      most = Math.max(most, below);
    }
    int turning = 0;
    for (int w = 0; w < graph.words && most > 0; w++) {
      turning += hosts(w, hosted[w] & ~graph.good[s * graph.words + w]);
    }
    return most + turning > fullestShare;
  }

  private int hosts(int w, long switches) {
    int n = 0;
    for (long bits = switches; bits != 0; bits &= bits - 1) {
      int d = (w << 6) + Long.numberOfTrailingZeros(bits);
      n += dest.start[d + 1] - dest.start[d];
    }
    return n;
  }

  /** Finds the links of a switch that have a place in the order, and what they carry. */
  private void look(int s) {
    loads.clear(s);
    for (int g = graph.upStart[s]; g < graph.upStart[s + 1]; g++) {
      for (int i = graph.upPortStart[g]; i < graph.upPortStart[g + 1] && !turns.ownOnly[g]; i++) {
        loads.addLink(graph.upPort[i] & 0xff, graph.upParent[g]);
      }
    }
    for (int g = graph.downStart[s]; g < graph.downStart[s + 1]; g++) {
      int child = graph.downChild[g];
      for (int i = graph.downPortStart[g]; i < graph.downPortStart[g + 1]; i++) {
        if (!turns.isOwnOnly(child, s)) {
          loads.addLink(graph.downPort[i] & 0xff, child);
        }
      }
    }
    for (int lid : dest.lids) {
      int link = dest.portOf[lid] == 0 ? SwitchLoads.NONE : loads.linkOf(lid);
      if (link != SwitchLoads.NONE) {
        loads.load[link]++;
        loads.moving[loads.count++] = lid;
      }
    }
  }

  private void relieve(int s, int wanted) {
    for (int i = 0; i < loads.count; i++) {
      int lid = loads.moving[i];
      int from = loads.linkOf(lid);
      if (loads.load[from] <= wanted) {
        continue;
      }
      int best = SwitchLoads.NONE;
      for (int k = 0; k < loads.links; k++) {
        if (loads.load[k] < wanted
            && (best == SwitchLoads.NONE || loads.load[k] < loads.load[best])
            && canMove(s, lid, from, k)) {
          best = k;
        }
      }
      if (best != SwitchLoads.NONE) {
        changes.add(new int[] {s, lid, loads.port[from]});
        loads.move(lid, from, best);
      }
    }
  }

  private boolean canMove(int s, int lid, int from, int to) {
    int now = loads.peer[from];
    int then = loads.peer[to];
    if (then == now) {
      return true;
    }
    if (!turns.isSafe()) {
      int hops = hops(then, lid, s, false);
      return hops != NOWHERE && hops <= hops(now, lid, s, false);
    }
    boolean rises = turns.rises(s, now) && turns.rises(s, then);
    int hops = hops(then, lid, s, !rises);
    return hops != NOWHERE && (rises || !turns.rises(s, then)) && hops <= hops(now, lid, s, false);
  }

  /** Hops to a LID, or {@link #NOWHERE} if the route is of no use. */
  private int hops(int from, int lid, int avoided, boolean fallingOnly) {
    int at = from;
    int n = 0;
    while (at != dest.switchOf[lid]) {
      byte number = rows[at][lid];
      int next =
          number == TreeGraph.NO_PORT ? NOWHERE : fabric.peerNode(fabric.port(at, number & 0xff));
      if (next == NOWHERE
          || next == avoided
          || n++ == graph.switches
          || !turns.isPlaced(at, next)
          || fallingOnly && turns.rises(at, next)) {
        return NOWHERE;
      }
      at = next;
    }
    return n;
  }
}
