package org.heddle.routing.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Answers an {@link UpDownProblem} exactly: lanes first, then way by way with backtracking. A
 * demand is (destination, switch with senders); its ways are those that agree with what is decided
 * for the destination and meet nobody they must not meet. A demand with one way left takes it; one
 * that can go where its partitions go anyway takes that, where nothing can be lost by it; else the
 * demand with the fewest ways is tried with all of them.
 */
public final class UpDownSolver {
  public enum Answer {
    SOLVABLE,
    IMPOSSIBLE,
    UNDECIDED
  }

  private final UpDownProblem problem;
  private final List<UpDownProblem.Destination> destinations = new ArrayList<>();
  private final List<Demand> demands = new ArrayList<>();
  private final boolean[] uniform; // by destination: all its demands are of the same partitions
  private final boolean[][] onTree; // by destination and switch: has an up/down way
  private long steps;
  private int[] apart;

  private record Demand(int destination, int source, int bits, List<int[]> ways) {}

  /** What is decided: by channel the partitions on it, by destination and switch the port. */
  private record State(int[] users, int[][] out, boolean[] done) {
    State copy() {
      int[][] copy = new int[out.length][];
      for (int i = 0; i < copy.length; i++) {
        copy[i] = out[i].clone();
      }
      return new State(users.clone(), copy, done.clone());
    }
  }

  public UpDownSolver(UpDownProblem problem) {
    this.problem = problem;
    List<UpDownProblem.Destination> all = problem.destinations;
    for (int i = 0; i < all.size(); i++) {
      boolean covered = false;
      for (int j = 0; j < all.size(); j++) {
        covered |=
            i != j
                && isCovered(all.get(i), all.get(j))
                && (j < i || !isCovered(all.get(j), all.get(i)));
      }
      if (!covered) {
        destinations.add(all.get(i));
      }
    }
    uniform = new boolean[destinations.size()];
    onTree = new boolean[destinations.size()][problem.fabric.switchCount()];
    for (int i = 0; i < destinations.size(); i++) {
      int bits = 0;
      uniform[i] = true;
      UpDownProblem.Destination d = destinations.get(i);
      for (int s = 0; s < d.senders().length; s++) {
        List<int[]> ways = s == d.at() ? List.of() : problem.ways(s, d.at());
        onTree[i][s] = !ways.isEmpty();
        if (d.senders()[s] != 0) {
          demands.add(new Demand(i, s, d.senders()[s], ways));
          uniform[i] &= bits == 0 || bits == d.senders()[s];
          bits = d.senders()[s];
        }
      }
    }
  }

  /** True if a solution for b, copied, is one for a. */
  private static boolean isCovered(UpDownProblem.Destination a, UpDownProblem.Destination b) {
    boolean covered = a.at() == b.at();
    for (int s = 0; s < a.senders().length; s++) {
      covered &= (a.senders()[s] & ~b.senders()[s]) == 0;
    }
    return covered;
  }

  public Answer solve(long most) {
    steps = most;
    for (int[] lanes : problem.lanings()) {
      apart = lanes;
      int[][] out = new int[destinations.size()][problem.fabric.switchCount()];
      for (int[] row : out) {
        Arrays.fill(row, -1);
      }
      int[] users = new int[problem.fabric.portIdLimit()];
      if (solve(new State(users, out, new boolean[demands.size()]))) {
        return Answer.SOLVABLE;
      }
      if (steps < 0) {
        return Answer.UNDECIDED;
      }
    }
    return Answer.IMPOSSIBLE;
  }

  private boolean solve(State state) {
    if (--steps < 0) {
      return false;
    }
    int best;
    List<int[]> ways = List.of();
    boolean again;
    do {
      again = false;
      best = -1;
      for (int i = 0; i < demands.size(); i++) {
        if (state.done[i]) {
          continue;
        }
        List<int[]> left = possible(state, demands.get(i));
        if (left.isEmpty()) {
          return false;
        }
        int[] sure = left.size() == 1 ? left.getFirst() : free(state, demands.get(i), left);
        if (sure != null) {
          take(state, i, sure);
          again = true;
        } else if (best < 0 || left.size() < ways.size()) {
          best = i;
          ways = left;
        }
      }
    } while (again);
    if (best < 0) {
      return isComplete(state);
    }
    Demand demand = demands.get(best);
    ways.sort((a, b) -> Integer.compare(fresh(state, demand, a), fresh(state, demand, b)));
    for (int[] way : ways) {
      State next = state.copy();
      take(next, best, way);
      if (solve(next)) {
        return true;
      }
    }
    return false;
  }

  private List<int[]> possible(State state, Demand demand) {
    List<int[]> left = new ArrayList<>();
    int forbidden = 0;
    for (int p = 0; p < problem.partitions; p++) {
      forbidden |= (demand.bits >>> p & 1) != 0 ? apart[p] : 0;
    }
    if ((forbidden & demand.bits) != 0) {
      return left;
    }
    for (int[] way : demand.ways) {
      boolean possible = true;
      for (int port : way) {
        int out = state.out[demand.destination][problem.fabric.nodeOf(port)];
        possible &= (out < 0 || out == port) && (state.users[port] & forbidden) == 0;
      }
      if (possible) {
        left.add(way);
      }
    }
    return left;
  }

  private int fresh(State state, Demand demand, int[] way) {
    int count = 0;
    for (int port : way) {
      count += Integer.bitCount(demand.bits & ~state.users[port]);
    }
    return count;
  }

  /**
   * A way on which all its partitions are already, if taking it loses nothing: all traffic to the
   * destination is of the same partitions, so that whatever joins the way adds nothing either, and
   * the way turns down as soon as it can, so that joining it is legal.
   */
  private int[] free(State state, Demand demand, List<int[]> ways) {
    for (int[] way : ways) {
      if (uniform[demand.destination] && fresh(state, demand, way) == 0 && isDirect(demand, way)) {
        return way;
      }
    }
    return null;
  }

  private boolean isDirect(Demand demand, int[] way) {
    int at = destinations.get(demand.destination).at();
    for (int port : way) {
      if (problem.isUp(port)
          && problem.ways(problem.fabric.nodeOf(port), at).stream()
              .anyMatch(w -> !problem.isUp(w[0]))) {
        return false;
      }
    }
    return true;
  }

  private void take(State state, int i, int[] way) {
    Demand demand = demands.get(i);
    state.done[i] = true;
    for (int port : way) {
      state.users[port] |= demand.bits;
      state.out[demand.destination][problem.fabric.nodeOf(port)] = port;
    }
  }

  /** True if the switches nobody's traffic passes can be given legal ways as well. */
  private boolean isComplete(State state) {
    for (int i = 0; i < destinations.size(); i++) {
      int n = problem.fabric.switchCount();
      boolean[] falls = new boolean[n];
      falls[destinations.get(i).at()] = true;
      for (int round = 0; round < n; round++) {
        spread(state.out[i], falls, falls, false);
      }
      boolean[] arrives = falls.clone();
      for (int round = 0; round < n; round++) {
        spread(state.out[i], arrives, arrives, true);
      }
      for (int s = 0; s < n; s++) {
        if (onTree[i][s] && !arrives[s]) {
          return false;
        }
      }
    }
    return true;
  }

  private void spread(int[] out, boolean[] from, boolean[] to, boolean up) {
    for (int s = 0; s < out.length; s++) {
      for (int port : problem.ports(s)) {
        boolean free = out[s] < 0 || out[s] == port;
        to[s] |= free && problem.isUp(port) == up && from[problem.fabric.peerNode(port)];
      }
    }
  }
}
