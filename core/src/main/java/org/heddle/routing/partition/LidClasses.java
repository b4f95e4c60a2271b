package org.heddle.routing.partition;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.heddle.routing.tree.Destinations;
import org.heddle.routing.tree.TreeGraph;

/**
 * LIDs of one switch that may take the same paths without loss: those in the same partitions, and
 * those in a subset of them. Whatever keeps two sets of channels apart for the larger membership
 * keeps them apart for the smaller, so a search needs one way for each of these groups only.
 *
 * <p>Memberships without traffic over the tree, and partitions that need not be kept apart from
 * anybody, do not count. Immutable. O(memberships), and at every switch the square of its groups.
 */
final class LidClasses {
  /**
   * A group.
   *
   * @param at the switch that delivers the LIDs
   * @param memberships {@code 2 * partition + (full member ? 1 : 0)}, ascending
   */
  record Group(int at, int[] memberships, List<Integer> lids) {}

  /** All groups, by switch. */
  final List<Group> groups = new ArrayList<>();

  /** By LID: its own memberships that count, or null. */
  final int[][] memberships;

  private final TreeGraph graph;
  private final PartitionMap map;

  LidClasses(TreeGraph graph, PartitionMap map, Destinations dest) {
    this.graph = graph;
    this.map = map;
    memberships = new int[dest.topLid + 1][];
    for (int p = 0; p < map.count; p++) {
      int members = matters(map, p) ? map.lids[p].length : 0;
      for (int i = 0; i < members; i++) {
        int lid = map.lids[p][i];
        boolean full = map.full[p][i];
        if (hasSources(p, full, dest.switchOf[lid])) {
          memberships[lid] = append(memberships[lid], 2 * p + (full ? 1 : 0));
        }
      }
    }
    for (int d = 0; d < graph.switches; d++) {
      group(dest, d);
    }
  }

  /** True if the partition counts for the cap, or has to be kept apart from another. */
  private static boolean matters(PartitionMap map, int p) {
    if (map.isPhysical(p) && map.tenancy.rules().physicalShare() < 1) {
      return true;
    }
    for (int q = 0; q < map.count; q++) {
      if (map.clash(p, q) || map.needLanes(p, q)) {
        return true;
      }
    }
    return false;
  }

  private boolean hasSources(int p, boolean full, int d) {
    for (int s : map.sourcesFor(p, full)) {
      if (s != d && graph.isGood(s, d)) {
        return true;
      }
    }
    return false;
  }

  private static int[] append(int[] list, int value) {
    int[] longer = list == null ? new int[1] : Arrays.copyOf(list, list.length + 1);
    longer[longer.length - 1] = value;
    return longer;
  }

  private void group(Destinations dest, int d) {
    int first = groups.size();
    List<Integer> lids = new ArrayList<>();
    for (int i = dest.start[d]; i < dest.start[d + 1]; i++) {
      if (memberships[dest.lids[i]] != null) {
        lids.add(dest.lids[i]);
      }
    }
    // The longest first: a group is then never inside a later one, unless it is the same.
    lids.sort(
        (a, b) -> {
          int c = Integer.compare(weight(b), weight(a));
          return c != 0 ? c : Integer.compare(a, b);
        });
    for (int lid : lids) {
      Group found = null;
      for (int g = first; g < groups.size() && found == null; g++) {
        found = isWithin(memberships[lid], groups.get(g).memberships()) ? groups.get(g) : null;
      }
      if (found == null) {
        found = new Group(d, memberships[lid], new ArrayList<>());
        groups.add(found);
      }
      found.lids().add(lid);
    }
  }

  private int weight(int lid) {
    int sum = 0;
    for (int m : memberships[lid]) {
      sum += 2 + (m & 1);
    }
    return sum;
  }

  private static boolean isWithin(int[] a, int[] b) {
    int j = 0;
    for (int m : a) {
      while (j < b.length && b[j] >> 1 < m >> 1) {
        j++;
      }
      if (j == b.length || b[j] >> 1 != m >> 1 || b[j] < m) {
        return false;
      }
    }
    return true;
  }
}
