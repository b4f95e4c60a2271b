package org.heddle.migrate;

import java.util.ArrayList;
import java.util.List;
import org.heddle.traffic.TrialRandom;

/**
 * The moves that bring machines into a layout, in order (Tasoulas, thesis, paper V, section 7.2;
 * what the paper leaves open is said at each pattern). As there, no pattern looks for the least
 * number of moves. O(moves * machines).
 */
final class MovePatterns {
  /** Random moves for each hypervisor, from the paper. */
  private static final int RANDOM_MOVES = 2;

  private final Machines machines;
  private final List<Move> moves = new ArrayList<>();

  private MovePatterns(Machines machines) {
    this.machines = machines;
  }

  /** A machine and the hypervisor it goes to. */
  record Move(int machine, int to) {}

  /**
   * The moves; the machines themselves stay.
   *
   * @throws IllegalArgumentException if there is no room for them
   */
  static List<Move> of(Machines start, Layout to, TrialRandom random) {
    MovePatterns pattern = new MovePatterns(start.copy());
    switch (to) {
      case RANDOM -> pattern.random(random);
      case UNIFORM -> pattern.uniform();
      case CONSOLIDATE -> pattern.consolidate();
      case GROUPING -> pattern.grouping();
    }
    return List.copyOf(pattern.moves);
  }

  private void move(int machine, int to) {
    machines.move(machine, to);
    moves.add(new Move(machine, to));
  }

  /** A random machine goes to a random other hypervisor that has a free function. */
  private void random(TrialRandom random) {
    int hosts = machines.hosts();
    int[] open = new int[hosts];
    for (int i = 0; i < RANDOM_MOVES * hosts; i++) {
      int machine = random.below(machines.size());
      int n = 0;
      for (int h = 0; h < hosts; h++) {
        if (machines.isFree(h) && h != machines.hostOf[machine]) {
          open[n++] = h;
        }
      }
      if (n == 0) {
        throw new IllegalArgumentException("no other hypervisor has a free function");
      }
      move(machine, open[random.below(n)]);
    }
  }

  /**
   * From the hypervisor that has most machines too many to the one that has most too few, the
   * leftmost of equals; the machine of the lowest number.
   */
  private void uniform() {
    int hosts = machines.hosts();
    while (true) {
      int giver = 0;
      int taker = 0;
      for (int h = 1; h < hosts; h++) {
        giver = surplus(h) > surplus(giver) ? h : giver;
        taker = surplus(h) < surplus(taker) ? h : taker;
      }
      if (surplus(giver) <= 0) {
        return;
      }
      move(machines.first(giver), taker);
    }
  }

  private int surplus(int host) {
    return machines.count[host] - Machines.even(machines.size(), machines.hosts(), host);
  }

  /** From the rightmost hypervisor with machines to the leftmost with a free function. */
  private void consolidate() {
    int right = machines.hosts() - 1;
    int left = 0;
    while (true) {
      while (left < right && !machines.isFree(left)) {
        left++;
      }
      while (right > left && machines.count[right] == 0) {
        right--;
      }
      if (left >= right) {
        return;
      }
      move(machines.first(right), left);
    }
  }

  /**
   * Machines outside of their group's hypervisors go there, those on the right first, to the
   * leftmost free function; where all functions there are taken, a machine of another group makes
   * room, the leftmost first, and goes as far to the right as it can, behind all groups.
   */
  private void grouping() {
    int behind = machines.zoneStart(machines.groups());
    Machines.requireZones(behind, machines.hosts());
    while (true) {
      int waiting = -1;
      int ready = -1;
      for (int m = 0; m < machines.size(); m++) {
        if (isHome(m)) {
          continue;
        }
        boolean free = freeAtHome(m) >= 0;
        if (free && (ready < 0 || machines.hostOf[m] > machines.hostOf[ready])) {
          ready = m;
        }
        waiting = waiting < 0 ? m : waiting;
      }
      if (waiting < 0) {
        return;
      }
      if (ready >= 0) {
        move(ready, freeAtHome(ready));
      } else {
        makeRoom(machines.group[waiting], behind);
      }
    }
  }

  private boolean isHome(int machine) {
    int g = machines.group[machine];
    int host = machines.hostOf[machine];
    return host >= machines.zoneStart(g) && host < machines.zoneStart(g + 1);
  }

  private int freeAtHome(int machine) {
    int g = machines.group[machine];
    return machines.firstFree(machines.zoneStart(g), machines.zoneStart(g + 1));
  }

  private void makeRoom(int group, int behind) {
    int to = machines.hosts() - 1;
    while (to >= behind && !machines.isFree(to)) {
      to--;
    }
    if (to < behind) {
      throw new IllegalArgumentException(
          "there is no room to sort the groups: lower the population");
    }
    int stranger = -1;
    for (int m = 0; m < machines.size(); m++) {
      int host = machines.hostOf[m];
      boolean inside = host >= machines.zoneStart(group) && host < machines.zoneStart(group + 1);
      if (inside
          && machines.group[m] != group
          && (stranger < 0 || host < machines.hostOf[stranger])) {
        stranger = m;
      }
    }
    move(stranger, to);
  }
}
