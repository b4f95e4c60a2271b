package org.heddle.server.console;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.heddle.fabric.Fabric;
import org.heddle.plan.DesiredState;
import org.heddle.topology.FatTree;

/**
 * Where the switches of a tree go in a picture, and the links between them. Leaves stand in the
 * order of the tree; a switch above stands by the mean place of those below it, then by id, so that
 * a sub-tree stands together.
 */
final class PictureLayout {
  /** Switches, level by level from the leaves; those that are no part of the tree come first. */
  final int[] order;

  /** Place of a switch in {@link #order}. */
  final int[] place;

  /** Hosts' ports linked to each switch, by switch. */
  final int[] hosts;

  /** Link of a switch port, by port id; -1 if it leads to no other switch. */
  private final int[] link;

  private final List<int[]> links = new ArrayList<>();

  private PictureLayout(DesiredState v) {
    Fabric f = v.fabric();
    int n = f.switchCount();
    this.order = order(f, v.tree());
    this.place = new int[n];
    for (int i = 0; i < n; i++) {
      place[order[i]] = i;
    }
    this.hosts = new int[n];
    this.link = new int[f.portIdLimit()];
    Arrays.fill(link, -1);
    Map<Long, Integer> known = new HashMap<>();
    for (int sw : order) {
      for (int p = 1; p <= f.portCount(sw); p++) {
        cable(f, known, sw, f.port(sw, p));
      }
    }
  }

  /** The layout of a fabric. O(ports + switches log switches). */
  static PictureLayout of(DesiredState v) {
    return new PictureLayout(v);
  }

  private void cable(Fabric f, Map<Long, Integer> known, int sw, int port) {
    int peer = f.peerNode(port);
    if (peer == Fabric.NONE || peer == sw) {
      return;
    }
    if (!f.isSwitch(peer)) {
      hosts[sw]++;
      return;
    }
    int low = Math.min(place[sw], place[peer]);
    int high = Math.max(place[sw], place[peer]);
    int at = known.computeIfAbsent(((long) low << 32) | high, _ -> links.size());
    if (at == links.size()) {
      links.add(new int[] {low, high, 0});
    }
    link[port] = at;
    if (place[sw] == low) {
      links.get(at)[2]++;
    }
  }

  /** Number of links: pairs of switches with cables between them. */
  int linkCount() {
    return links.size();
  }

  /** Link of a switch port, or -1. */
  int linkOf(int port) {
    return link[port];
  }

  /** True if the port is at the lower end of its link. */
  boolean upward(int sw, int port) {
    return links.get(link[port])[0] == place[sw];
  }

  /** Three numbers for each link: places of the lower and upper end, cables. */
  int[] links() {
    int[] out = new int[3 * links.size()];
    for (int i = 0; i < links.size(); i++) {
      System.arraycopy(links.get(i), 0, out, 3 * i, 3);
    }
    return out;
  }

  private static int[] order(Fabric f, FatTree tree) {
    int n = f.switchCount();
    double[] at = new double[n];
    List<Integer> out = new ArrayList<>();
    for (int level = 0; level <= tree.levels(); level++) {
      List<Integer> row = new ArrayList<>();
      for (int sw = 0; sw < n; sw++) {
        if (tree.level(sw) == level) {
          at[sw] = level == 1 ? tree.leafIndex(sw) : mean(tree, sw, at);
          row.add(sw);
        }
      }
      row.sort(
          Comparator.<Integer>comparingInt(tree::plane)
              .thenComparingDouble(sw -> at[sw])
              .thenComparingInt(sw -> sw));
      out.addAll(row);
    }
    return out.stream().mapToInt(Integer::intValue).toArray();
  }

  private static double mean(FatTree tree, int sw, double[] at) {
    int groups = tree.level(sw) == 0 ? 0 : tree.downGroupCount(sw);
    double sum = 0;
    for (int g = 0; g < groups; g++) {
      sum += at[tree.downGroupSwitch(sw, g)];
    }
    return groups == 0 ? 0 : sum / groups;
  }
}
