package org.heddle.migrate;

import java.util.Arrays;
import org.heddle.traffic.TrialRandom;

/**
 * Which machine is on which hypervisor, and in which group; both are numbered from 0, hypervisors
 * from the left of the tree to the right. Group g packed on hypervisors of its own takes those from
 * {@link #zoneStart(int) zoneStart(g)} to {@code zoneStart(g + 1) - 1}.
 */
final class Machines {
  final int functions;
  final int[] hostOf; // by machine
  final int[] count; // machines by hypervisor
  final int[] group; // by machine
  private final int[] zone; // first hypervisor by group, and the end of the last group's

  private Machines(int hosts, int functions, int[] hostOf, int[] group, int groups) {
    this.functions = functions;
    this.hostOf = hostOf;
    this.group = group;
    count = new int[hosts];
    int[] size = new int[groups];
    for (int m = 0; m < hostOf.length; m++) {
      count[hostOf[m]]++;
      size[group[m]]++;
    }
    zone = zones(size, functions);
  }

  /** Machines that are on these hypervisors, all in one group. */
  static Machines at(int hosts, int functions, int... hostOf) {
    return new Machines(hosts, functions, hostOf.clone(), new int[hostOf.length], 1);
  }

  /** Machines that are on these hypervisors, in these groups. */
  static Machines grouped(int hosts, int functions, int[] hostOf, int[] group) {
    int groups = Arrays.stream(group).max().orElse(0) + 1;
    return new Machines(hosts, functions, hostOf.clone(), group.clone(), groups);
  }

  /**
   * The machines of a scenario where they are at first.
   *
   * @param placing for random places
   * @param grouping for random groups
   * @throws IllegalArgumentException if groups do not fit on hypervisors of their own
   */
  static Machines place(
      MigrationScenario scenario, int hosts, TrialRandom placing, TrialRandom grouping) {
    int n = scenario.machines(hosts);
    int f = scenario.functions();
    int groups = Math.min(scenario.groups(), n);
    int[] group = groups(n, groups, grouping);
    int[] hostOf = new int[n];
    switch (scenario.from()) {
      case RANDOM -> random(hostOf, hosts, f, placing);
      case UNIFORM -> {
        int m = 0;
        for (int h = 0; h < hosts; h++) {
          for (int k = even(n, hosts, h); k > 0; k--) {
            hostOf[m++] = h;
          }
        }
      }
      case CONSOLIDATE -> Arrays.setAll(hostOf, m -> m / f);
      case GROUPING -> {
        int[] size = new int[groups];
        for (int g : group) {
          size[g]++;
        }
        int[] zone = zones(size, f);
        requireZones(zone[groups], hosts);
        int[] placed = new int[groups];
        Arrays.setAll(hostOf, m -> zone[group[m]] + placed[group[m]]++ / f);
      }
    }
    return new Machines(hosts, f, hostOf, group, groups);
  }

  private static void random(int[] hostOf, int hosts, int functions, TrialRandom random) {
    int[] open = new int[hosts]; // hypervisors with a free function
    Arrays.setAll(open, h -> h);
    int[] count = new int[hosts];
    int left = hosts;
    for (int m = 0; m < hostOf.length; m++) {
      int at = random.below(left);
      hostOf[m] = open[at];
      if (++count[open[at]] == functions) {
        open[at] = open[--left];
      }
    }
  }

  /** Random groups whose sizes differ by one at most. */
  private static int[] groups(int n, int groups, TrialRandom random) {
    int[] order = new int[n];
    Arrays.setAll(order, m -> m);
    random.shuffle(order, n, n);
    int[] group = new int[n];
    for (int i = 0; i < n; i++) {
      group[order[i]] = (int) ((long) i * groups / n);
    }
    return group;
  }

  private static int[] zones(int[] size, int functions) {
    int[] zone = new int[size.length + 1];
    for (int g = 0; g < size.length; g++) {
      zone[g + 1] = zone[g] + Math.ceilDiv(size[g], functions);
    }
    return zone;
  }

  static void requireZones(int needed, int hosts) {
    if (needed > hosts) {
      throw new IllegalArgumentException(
          "the groups need "
              + needed
              + " hypervisors to be apart from each other, and there are "
              + hosts);
    }
  }

  /** Machines of hypervisor h if n are spread evenly. */
  static int even(int n, int hosts, int h) {
    return (int) ((long) n * (h + 1) / hosts - (long) n * h / hosts);
  }

  int size() {
    return hostOf.length;
  }

  int hosts() {
    return count.length;
  }

  int groups() {
    return zone.length - 1;
  }

  int zoneStart(int g) {
    return zone[g];
  }

  boolean isFree(int host) {
    return count[host] < functions;
  }

  void move(int machine, int to) {
    count[hostOf[machine]]--;
    hostOf[machine] = to;
    count[to]++;
  }

  /** The machine of the lowest number on a hypervisor, or -1. */
  int first(int host) {
    for (int m = 0; m < hostOf.length; m++) {
      if (hostOf[m] == host) {
        return m;
      }
    }
    return -1;
  }

  /** The leftmost hypervisor of from .. to - 1 with a free function, or -1. */
  int firstFree(int from, int to) {
    for (int h = from; h < to; h++) {
      if (isFree(h)) {
        return h;
      }
    }
    return -1;
  }

  Machines copy() {
    return new Machines(count.length, functions, hostOf.clone(), group, groups());
  }
}
