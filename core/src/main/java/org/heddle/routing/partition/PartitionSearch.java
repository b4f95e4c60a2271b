package org.heddle.routing.partition;

import java.util.Arrays;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.tree.Destinations;
import org.heddle.routing.tree.ReRootedOrder;
import org.heddle.routing.tree.RemainingEntries;
import org.heddle.routing.tree.TreeGraph;
import org.heddle.solver.SatSolver;
import org.heddle.topology.FatTree;

/**
 * Looks for tables that keep all promises among <i>all</i> up/down routings: every switch may use
 * any port for any destination as long as routes rise, then fall. The last resort where choosing
 * host by host has failed; it may send two switches of a level through different planes to one
 * destination, and up where a way down exists, which the slots of the tree engines cannot.
 *
 * <p>The question is put as clauses to a {@link SatSolver}. For every group of {@link LidClasses}
 * and every switch that reaches it up/down: <i>choice</i> of a port, <i>falls</i> (the way from
 * here only goes down), <i>flow</i> of a partition through the switch; for every partition and
 * channel <i>use</i>; for every pair that needs lanes of its own <i>meet</i>, and for every
 * partition its lanes. Choices imply falls, flow and use; uses exclude each other or imply meet;
 * meet excludes common lanes. A bound on the channels of physically isolated partitions is counted
 * with a sequential counter (Sinz 2005). If the clauses cannot be satisfied no up/down routing with
 * one way to each LID keeps the promises.
 *
 * <p>Not modelled: routes of hosts that have no common ancestor. They only add channels, so
 * "impossible" stays true, and what is found is validated by the caller anyway.
 */
final class PartitionSearch {
  /** Steps of the solver. */
  static final long BUDGET = 1_000_000;

  /** Literals of clauses, and (partition, port) pairs, beyond which it is not even tried. */
  private static final int MAX_SIZE = 2_000_000;

  private static final int NONE = -1;
  private static final int SURE = -2;

  private final Fabric fabric;
  private final TreeGraph graph;
  private final ReRootedOrder turns;
  private final PartitionMap map;
  private final Destinations dest;
  private final ForwardingTables start;
  private final LidClasses alike;
  private final SatSolver solver = new SatSolver();

  private int[] use; // variable by partition and port
  private final int[] firstChoice; // by group and switch: variable of the first choice, or NONE

  // Choices of the current switch: port id and the switch behind it.
  private final int[] channel;
  private final int[] next;
  private int ups;
  private boolean exhaustive = true;
  private boolean tried;
  private ForwardingTables found;

  PartitionSearch(
      Fabric fabric, FatTree tree, PartitionMap map, Destinations dest, ForwardingTables start) {
    this.fabric = fabric;
    this.map = map;
    this.dest = dest;
    this.start = start;
    graph = new TreeGraph(fabric, tree);
    turns = new ReRootedOrder(graph, tree);
    alike = new LidClasses(graph, map, dest);
    long size = (long) alike.groups.size() * graph.switches;
    firstChoice = new int[size > MAX_SIZE ? 0 : (int) size];
    channel = new int[fabric.portIdLimit()];
    next = new int[fabric.portIdLimit()];
  }

  /**
   * Searches.
   *
   * @param cap channels that physically isolated partitions may use at most
   * @param budget steps after which it gives up
   * @return satisfiable: {@link #tables()} has the tables; unsatisfiable: proven that there are
   *     none; else undecided
   */
  SatSolver.Answer run(int cap, long budget) {
    if (firstChoice.length < (long) alike.groups.size() * graph.switches
        || (long) map.count * fabric.portIdLimit() > MAX_SIZE
        || !encode(cap)) {
      return SatSolver.Answer.UNDECIDED;
    }
    tried = true;
    SatSolver.Answer answer = solver.solve(budget);
    if (answer == SatSolver.Answer.SATISFIABLE && !decode()) {
      return SatSolver.Answer.UNDECIDED;
    }
    return answer == SatSolver.Answer.UNSATISFIABLE && !exhaustive
        ? SatSolver.Answer.UNDECIDED
        : answer;
  }

  /** False if the problem was too large to be put to the solver. */
  boolean wasTried() {
    return tried;
  }

  ForwardingTables tables() {
    return found;
  }

  // ---- clauses

  private boolean encode(int cap) {
    use = new int[map.count * fabric.portIdLimit()];
    Arrays.fill(use, NONE);
    Arrays.fill(firstChoice, NONE);
    for (int g = 0; g < alike.groups.size(); g++) {
      encodeGroup(g);
      if (solver.size() > MAX_SIZE) {
        return false;
      }
    }
    int[][] meet = exclude();
    if (meet == null) {
      return false;
    }
    encodeLanes(meet);
    encodeCap(cap);
    return solver.size() <= MAX_SIZE;
  }

  private void encodeGroup(int g) {
    LidClasses.Group group = alike.groups.get(g);
    int d = group.at();
    int lid = group.lids().getFirst();
    int[] falls = new int[graph.switches];
    int k = group.memberships().length;
    int[] flow = new int[graph.switches * k];
    for (int s = 0; s < graph.switches; s++) {
      if (s == d || !graph.isGood(s, d)) {
        continue;
      }
      int n = choices(s, d);
      for (int i = 0; i < n; i++) {
        int v = solver.variable(start.port(s, lid) == fabric.numberOf(channel[i]));
        if (i == 0) {
          firstChoice[g * graph.switches + s] = v;
        }
      }
      falls[s] = solver.variable(false);
      for (int j = 0; j < k; j++) {
        flow[s * k + j] = isSource(group.memberships()[j], s) ? SURE : solver.variable(false);
      }
    }
    for (int s = 0; s < graph.switches; s++) {
      if (s != d && graph.isGood(s, d)) {
        int n = choices(s, d);
        encodeWays(firstChoice[g * graph.switches + s], n, d, falls, s);
        for (int j = 0; j < k && n > 0; j++) {
          encodeFlow(firstChoice[g * graph.switches + s], n, group, j, flow, s);
        }
      }
    }
  }

  private boolean isSource(int membership, int s) {
    return Arrays.binarySearch(map.sourcesFor(membership >> 1, (membership & 1) != 0), s) >= 0;
  }

  /** The ports over which s may send to d: first {@link #ups} up ports, then those down. */
  private int choices(int s, int d) {
    int n = 0;
    long[] transit = turns.transit[s];
    for (int g = graph.upStart[s]; g < graph.upStart[s + 1]; g++) {
      if (!graph.isGood(graph.upParent[g], d)) {
        continue;
      }
      if (transit != null && turns.ownOnly[g] && (transit[d >>> 6] >>> d & 1) != 0) {
        exhaustive = false; // up/down, but not safe together with the ways of switches
        continue;
      }
      for (int i = graph.upPortStart[g]; i < graph.upPortStart[g + 1]; i++) {
        channel[n] = fabric.port(s, graph.upPort[i] & 0xff);
        next[n++] = graph.upParent[g];
      }
    }
    ups = n;
    for (int g = graph.downStart[s]; g < graph.downStart[s + 1]; g++) {
      for (int i = graph.downPortStart[g];
          i < graph.downPortStart[g + 1] && graph.isBelow(graph.downChild[g], d);
          i++) {
        channel[n] = fabric.port(s, graph.downPort[i] & 0xff);
        next[n++] = graph.downChild[g];
      }
    }
    return n;
  }

  private static int yes(int variable) {
    return 2 * variable;
  }

  private static int no(int variable) {
    return 2 * variable + 1;
  }

  /** Every switch has a way; what came down goes on down. */
  private void encodeWays(int first, int n, int d, int[] falls, int s) {
    int[] any = new int[n];
    int[] down = new int[n - ups + 1];
    for (int i = 0; i < n; i++) {
      any[i] = yes(first + i);
      if (i < ups) {
        solver.add(no(falls[s]), no(first + i));
      } else {
        down[i - ups] = yes(first + i);
        if (next[i] != d) {
          solver.add(no(first + i), yes(falls[next[i]]));
        }
      }
    }
    down[n - ups] = no(falls[s]);
    solver.add(any);
    solver.add(down);
  }

  private void encodeFlow(int first, int n, LidClasses.Group group, int j, int[] flow, int s) {
    int k = group.memberships().length;
    int p = group.memberships()[j] >> 1;
    int here = flow[s * k + j];
    for (int i = 0; i < n; i++) {
      int used = yes(useOf(p, channel[i]));
      int there = next[i] == group.at() ? SURE : flow[next[i] * k + j];
      if (here == SURE) {
        solver.add(no(first + i), used);
      } else {
        solver.add(no(here), no(first + i), used);
      }
      if (there != SURE && here == SURE) {
        solver.add(no(first + i), yes(there));
      } else if (there != SURE) {
        solver.add(no(here), no(first + i), yes(there));
      }
    }
  }

  private int useOf(int p, int port) {
    int at = p * fabric.portIdLimit() + port;
    if (use[at] == NONE) {
      use[at] = solver.variable(false);
    }
    return use[at];
  }

  /** What may not share; returns the variables of pairs that may meet on separate lanes only. */
  private int[][] exclude() {
    int limit = fabric.portIdLimit();
    int[][] meet = new int[map.count][map.count];
    for (int a = 0; a < map.count; a++) {
      Arrays.fill(meet[a], NONE);
      for (int b = 0; b < a; b++) {
        boolean clash = map.clash(a, b);
        if (!clash && !map.needLanes(a, b)) {
          continue;
        }
        for (int c = 0; c < limit; c++) {
          int x = use[a * limit + c];
          int y = use[b * limit + c];
          if (x == NONE || y == NONE) {
            continue;
          }
          if (clash) {
            solver.add(no(x), no(y));
            continue;
          }
          if (meet[a][b] == NONE) {
            meet[a][b] = solver.variable(false);
          }
          solver.add(no(x), no(y), yes(meet[a][b]));
        }
        if (solver.size() > MAX_SIZE) {
          return null;
        }
      }
    }
    return meet;
  }

  private void encodeLanes(int[][] meet) {
    int lanes = map.tenancy.rules().dataLanes();
    int[] first = new int[map.count];
    int coloured = 0;
    for (int p = 0; p < map.count; p++) {
      boolean needed = false;
      for (int q = 0; q < map.count; q++) {
        needed |= meet[Math.max(p, q)][Math.min(p, q)] != NONE;
      }
      first[p] = NONE;
      if (needed) {
        // Lanes are alike: the i-th partition needs none beyond the i-th.
        int n = Math.min(lanes, ++coloured);
        int[] some = new int[n];
        for (int l = 0; l < lanes; l++) {
          int v = solver.variable(false);
          first[p] = l == 0 ? v : first[p];
          if (l < n) {
            some[l] = yes(v);
          } else {
            solver.add(no(v));
          }
        }
        solver.add(some);
      }
    }
    for (int a = 0; a < map.count; a++) {
      for (int b = 0; b < a; b++) {
        for (int l = 0; l < lanes && meet[a][b] != NONE; l++) {
          solver.add(no(meet[a][b]), no(first[a] + l), no(first[b] + l));
        }
      }
    }
  }

  /** At most so many channels used by physically isolated partitions. */
  private void encodeCap(int cap) {
    int limit = fabric.portIdLimit();
    int[] taken = new int[limit];
    int n = 0;
    for (int c = 0; c < limit; c++) {
      int any = NONE;
      for (int p = 0; p < map.count; p++) {
        if (use[p * limit + c] != NONE && map.isPhysical(p)) {
          any = any == NONE ? solver.variable(false) : any;
          solver.add(no(use[p * limit + c]), yes(any));
        }
      }
      if (any != NONE) {
        taken[n++] = any;
      }
    }
    if (n <= cap || (long) n * cap > MAX_SIZE) {
      exhaustive &= n <= cap; // too many to count: the caller validates
      return;
    }
    int[] before = new int[cap]; // before[j]: more than j of those up to here are taken
    int[] upTo = new int[cap];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < cap; j++) {
        upTo[j] = solver.variable(false);
        if (i > 0) {
          solver.add(no(before[j]), yes(upTo[j]));
        }
        if (j == 0) {
          solver.add(no(taken[i]), yes(upTo[0]));
        } else if (i > 0) {
          solver.add(no(taken[i]), no(before[j - 1]), yes(upTo[j]));
        }
      }
      if (cap == 0) {
        solver.add(no(taken[i]));
      } else if (i > 0) {
        solver.add(no(taken[i]), no(before[cap - 1]));
      }
      System.arraycopy(upTo, 0, before, 0, cap);
    }
  }

  // ---- tables

  /** False if what was found cannot be completed safely. */
  private boolean decode() {
    byte[][] rows = new byte[graph.switches][dest.topLid + 1];
    for (int s = 0; s < graph.switches; s++) {
      start.copy(s, 0, rows[s], 0, rows[s].length);
    }
    int[] likeIt = new int[dest.topLid + 1]; // LIDs that take the ways of this one
    for (int lid = 0; lid < likeIt.length; lid++) {
      likeIt[lid] = alike.memberships[lid] != null && mayGoLike(lid, lid) ? 1 : 0;
    }
    for (int g = 0; g < alike.groups.size(); g++) {
      for (int lid : alike.groups.get(g).lids()) {
        if (likeIt[lid] == 0 || !mayGoLike(lid, lid)) {
          int model = modelFor(lid, likeIt);
          if (model == NONE) {
            write(g, lid, rows);
          } else {
            likeIt[model]++;
            copyWays(model, lid, rows);
          }
        }
      }
    }
    RemainingEntries rest = new RemainingEntries(fabric, graph, turns, dest, rows);
    rest.fill();
    found = ForwardingTables.ofRows(rows, dest.topLid);
    return rest.unsafeFrom() < 0;
  }

  /**
   * True if the LID uses nothing but what its partitions may use when it takes the present ways of
   * another LID, or its own, of the same switch. So balance is kept where it can be.
   */
  private boolean mayGoLike(int model, int lid) {
    int d = dest.switchOf[lid];
    for (int membership : alike.memberships[lid]) {
      int p = membership >> 1;
      for (int source : map.sourcesFor(p, (membership & 1) != 0)) {
        for (int s = source; s != d && graph.isGood(source, d); ) {
          int port = fabric.port(s, start.port(s, model));
          int v = use[p * fabric.portIdLimit() + port];
          if (v == NONE || !solver.isTrue(v)) {
            return false;
          }
          s = fabric.peerNode(port);
        }
      }
    }
    return true;
  }

  /** A LID of the same switch whose ways will do, the one with the fewest like it; or NONE. */
  private int modelFor(int lid, int[] likeIt) {
    int d = dest.switchOf[lid];
    int best = NONE;
    for (int i = dest.start[d]; i < dest.start[d + 1]; i++) {
      int model = dest.lids[i];
      if ((best == NONE || likeIt[model] < likeIt[best])
          && dest.portOf[model] != 0
          && mayGoLike(model, lid)) {
        best = model;
      }
    }
    return best;
  }

  private void copyWays(int model, int lid, byte[][] rows) {
    for (int s = 0; s < graph.switches; s++) {
      if (s != dest.switchOf[lid]) {
        rows[s][lid] = (byte) start.port(s, model);
      }
    }
  }

  /** Writes the ways of a group for one LID, and leaves what is no up/down way to be filled. */
  private void write(int g, int lid, byte[][] rows) {
    int d = alike.groups.get(g).at();
    for (int s = 0; s < graph.switches; s++) {
      if (s == d) {
        continue;
      }
      if ((turns.filled[s * graph.words + (d >>> 6)] >>> d & 1) == 0) {
        rows[s][lid] = TreeGraph.NO_PORT;
      }
      int first = firstChoice[g * graph.switches + s];
      int n = first == NONE ? 0 : choices(s, d);
      for (int i = 0; i < n; i++) {
        if (solver.isTrue(first + i)) {
          rows[s][lid] = (byte) fabric.numberOf(channel[i]);
          break;
        }
      }
    }
  }
}
