package org.heddle.routing.links;

import java.util.Arrays;
import org.heddle.fabric.Fabric;
import org.heddle.topology.FatTree;

/**
 * The ways to one switch over the links of one owner, straight down, or up and then down. Scratch
 * for one destination switch after the other. Memory O(ports).
 */
final class Ways {
  private final Fabric fabric;
  private final FatTree tree;

  /** Owner of the link at a port, by port id; {@link #NOBODY} if it is free. */
  private final int[] owner;

  private final int[] queue;

  /** Stamps: equal to {@link #now} if it holds for the present destination. */
  private final int[] above;

  private final int[] below;
  private final int[] good;
  private final int[] bad;
  private int now;
  private int mine;
  private int target;

  static final int NOBODY = -1;

  Ways(Fabric fabric, FatTree tree, int[] owner) {
    this.fabric = fabric;
    this.tree = tree;
    this.owner = owner;
    int n = fabric.switchCount();
    queue = new int[n];
    above = new int[n];
    below = new int[n];
    good = new int[n];
    bad = new int[n];
  }

  /** Prepares the ways to a switch over links of an owner. O(links above it). */
  void to(int sw, int who) {
    now++;
    target = sw;
    mine = who;
    rise(above, true);
    rise(below, false);
  }

  /** Marks the target and what is above it, by any link or by the owner's. */
  private void rise(int[] mark, boolean any) {
    int n = 0;
    queue[n++] = target;
    mark[target] = now;
    for (int at = 0; at < n; at++) {
      int s = queue[at];
      for (int g = 0; g < tree.upGroupCount(s); g++) {
        int parent = tree.upGroupSwitch(s, g);
        if (mark[parent] != now && (any || owns(s, g))) {
          mark[parent] = now;
          queue[n++] = parent;
        }
      }
    }
  }

  private boolean owns(int s, int g) {
    for (int k = 0; k < tree.upGroupSize(s, g); k++) {
      if (usable(s, tree.upGroupPort(s, g, k))) {
        return true;
      }
    }
    return false;
  }

  /** True if the owner has the link at that port of a switch. */
  boolean usable(int sw, int number) {
    return owner[fabric.port(sw, number)] == mine;
  }

  /** True if the owner's links lead straight down from there to the target. */
  boolean leadsDown(int sw) {
    return below[sw] == now;
  }

  /** True if the target is below the switch, by whatever links. */
  boolean isAbove(int sw) {
    return above[sw] == now;
  }

  /**
   * True if the owner's links lead up from there and then down to the target. Never from switches
   * that have the target below: others come down through them, and would meet their own way again.
   */
  boolean leadsUp(int sw) {
    if (isAbove(sw)) {
      return false;
    }
    if (good[sw] != now && bad[sw] != now) {
      boolean found = false;
      for (int g = 0; g < tree.upGroupCount(sw) && !found; g++) {
        found = owns(sw, g) && leads(tree.upGroupSwitch(sw, g));
      }
      (found ? good : bad)[sw] = now;
    }
    return good[sw] == now;
  }

  /** True if the owner's links lead from there to the target. */
  boolean leads(int sw) {
    return leadsDown(sw) || leadsUp(sw);
  }

  /** Usable ports upward to switches from which it goes on, straight down ones only if asked. */
  int upPorts(int sw, boolean straight, int[] out) {
    int n = 0;
    for (int g = 0; g < tree.upGroupCount(sw); g++) {
      int parent = tree.upGroupSwitch(sw, g);
      if (straight ? leadsDown(parent) : leads(parent)) {
        n = collect(sw, g, out, n);
      }
    }
    Arrays.sort(out, 0, n);
    return n;
  }

  /** All usable ports upward. */
  int allUpPorts(int sw, int[] out) {
    int n = 0;
    for (int g = 0; g < tree.upGroupCount(sw); g++) {
      n = collect(sw, g, out, n);
    }
    Arrays.sort(out, 0, n);
    return n;
  }

  /** Usable ports upward to one switch. */
  int upPortsTo(int sw, int parent, int[] out) {
    int n = 0;
    for (int g = 0; g < tree.upGroupCount(sw); g++) {
      if (tree.upGroupSwitch(sw, g) == parent) {
        n = collect(sw, g, out, n);
      }
    }
    Arrays.sort(out, 0, n);
    return n;
  }

  private int collect(int sw, int g, int[] out, int from) {
    int n = from;
    for (int k = 0; k < tree.upGroupSize(sw, g); k++) {
      int number = tree.upGroupPort(sw, g, k);
      if (usable(sw, number)) {
        out[n++] = number;
      }
    }
    return n;
  }

  /** Usable ports straight down towards the target. */
  int downPorts(int sw, int[] out) {
    int n = 0;
    for (int g = 0; g < tree.downGroupCount(sw); g++) {
      if (!leadsDown(tree.downGroupSwitch(sw, g))) {
        continue;
      }
      for (int k = 0; k < tree.downGroupSize(sw, g); k++) {
        int number = tree.downGroupPort(sw, g, k);
        if (usable(sw, number)) {
          out[n++] = number;
        }
      }
    }
    Arrays.sort(out, 0, n);
    return n;
  }

  /** True if that port of a switch is one of its ways to the target over the owner's links. */
  boolean isWay(int sw, int number) {
    if (number < 1 || number > fabric.portCount(sw) || !usable(sw, number)) {
      return false;
    }
    int next = fabric.peerNode(fabric.port(sw, number));
    if (next == Fabric.NONE || !fabric.isSwitch(next)) {
      return false;
    }
    int step = tree.level(next) - tree.level(sw);
    return leadsDown(sw) ? step == -1 && leadsDown(next) : step == 1 && leads(next);
  }
}
