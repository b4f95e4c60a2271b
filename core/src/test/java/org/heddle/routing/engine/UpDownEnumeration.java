package org.heddle.routing.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Answers an {@link UpDownProblem} by writing down every table: for every destination all choices
 * of ports that give legal up/down ways from everywhere, then all combinations of these. For tiny
 * trees; it is here to check {@link UpDownSolver}.
 */
public final class UpDownEnumeration {
  private final UpDownProblem problem;
  private final List<List<int[]>> effects = new ArrayList<>(); // by destination: (port, bits)...
  private final List<int[]> lanings;

  public UpDownEnumeration(UpDownProblem problem) {
    this.problem = problem;
    lanings = problem.lanings();
  }

  /** True if a solution exists; empty if there are more than so many combinations. */
  public java.util.Optional<Boolean> solve(long most) {
    long combinations = 1;
    for (UpDownProblem.Destination d : problem.destinations) {
      effects.add(effects(d));
      combinations *= effects.getLast().size();
      if (combinations > most) {
        return java.util.Optional.empty();
      }
    }
    return java.util.Optional.of(combine(0, new int[problem.fabric.portIdLimit()]));
  }

  private boolean combine(int i, int[] users) {
    if (i == effects.size()) {
      return lanings.stream().anyMatch(apart -> isKept(users, apart));
    }
    for (int[] effect : effects.get(i)) {
      int[] more = users.clone();
      for (int k = 0; k < effect.length; k += 2) {
        more[effect[k]] |= effect[k + 1];
      }
      if (combine(i + 1, more)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isKept(int[] users, int[] apart) {
    for (int bits : users) {
      for (int p = 0; p < apart.length; p++) {
        if ((bits >>> p & 1) != 0 && (bits & apart[p]) != 0) {
          return false;
        }
      }
    }
    return true;
  }

  /** What the legal tables of a destination put on channels, without repetition. */
  private List<int[]> effects(UpDownProblem.Destination d) {
    List<Integer> switches = new ArrayList<>();
    for (int s = 0; s < problem.fabric.switchCount(); s++) {
      if (s != d.at() && !problem.ways(s, d.at()).isEmpty()) {
        switches.add(s);
      } else if (s != d.at() && d.senders()[s] != 0) {
        return List.of(); // no up/down way
      }
    }
    Set<int[]> found = new TreeSet<>(Arrays::compare);
    int[] out = new int[problem.fabric.switchCount()];
    Arrays.fill(out, -1);
    tables(d, switches, 0, out, found);
    return List.copyOf(found);
  }

  private void tables(
      UpDownProblem.Destination d, List<Integer> switches, int i, int[] out, Set<int[]> found) {
    if (i == switches.size()) {
      int[] effect = effect(d, switches, out);
      if (effect != null) {
        found.add(effect);
      }
      return;
    }
    for (int port : problem.ports(switches.get(i))) {
      out[switches.get(i)] = port;
      tables(d, switches, i + 1, out, found);
    }
  }

  private int[] effect(UpDownProblem.Destination d, List<Integer> switches, int[] out) {
    int[] users = new int[problem.fabric.portIdLimit()];
    for (int s : switches) {
      boolean fell = false;
      for (int at = s; at != d.at(); at = problem.fabric.peerNode(out[at])) {
        if (out[at] < 0 || (fell && problem.isUp(out[at]))) {
          return null;
        }
        fell |= !problem.isUp(out[at]);
        users[out[at]] |= d.senders()[s];
      }
    }
    List<Integer> list = new ArrayList<>();
    for (int port = 0; port < users.length; port++) {
      if (users[port] != 0) {
        list.add(port);
        list.add(users[port]);
      }
    }
    return list.stream().mapToInt(v -> v).toArray();
  }
}
