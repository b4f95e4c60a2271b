package org.heddle.routing.tree;

import java.util.Arrays;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.VirtualLids;
import org.heddle.topology.FatTree;

/**
 * The host LIDs of every leaf switch in routing order: by LID offset inside a port's range, then by
 * leaf port number; then the virtual LIDs, the first of every port before the second of any. Hosts
 * on other switches come after all leaves. Immutable.
 */
public final class LeafHosts {
  /** Leaf switches in tree order, then the other switches that have hosts, by id. */
  public final int[] switches;

  /** How many of {@link #switches} are leaves. */
  public final int leaves;

  /** LIDs at {@code switches[i]}: {@code lids[start[i]] .. lids[start[i + 1] - 1]}. */
  public final int[] start;

  public final int[] lids;

  /** Virtual LIDs at {@code switches[i]}: from {@code firstVirtual[i]} on. */
  final int[] firstVirtual;

  /** Largest number of host LIDs at a leaf, virtual ones not counted. */
  final int most;

  public LeafHosts(Fabric fabric, FatTree tree, Destinations dest) {
    int count = tree.leafCount();
    int[] order = new int[fabric.switchCount()];
    for (int i = 0; i < count; i++) {
      order[i] = tree.leaf(i);
    }
    leaves = count;
    for (int s = 0; s < fabric.switchCount(); s++) {
      if (!tree.isLeaf(s) && dest.hasHosts[s]) {
        order[count++] = s;
      }
    }
    switches = Arrays.copyOf(order, count);
    start = new int[count + 1];
    firstVirtual = new int[count];
    int[] found = new int[dest.lids.length];
    int n = 0;
    int max = 0;
    for (int i = 0; i < count; i++) {
      n = collect(fabric, switches[i], found, n);
      max = i < leaves ? Math.max(max, n - start[i]) : max;
      firstVirtual[i] = n;
      n = fabric.virtualLids().size() == 0 ? n : collectVirtual(fabric, switches[i], found, n);
      start[i + 1] = n;
    }
    lids = Arrays.copyOf(found, n);
    most = max;
  }

  private static int collect(Fabric fabric, int s, int[] found, int n) {
    boolean more = true;
    int at = n;
    for (int offset = 0; more; offset++) {
      more = false;
      for (int number = 1; number <= fabric.portCount(s); number++) {
        int peer = fabric.peer(fabric.port(s, number));
        if (peer == Fabric.NONE || fabric.isSwitch(fabric.nodeOf(peer)) || fabric.lid(peer) == 0) {
          continue;
        }
        if (offset < 1 << fabric.lmc(peer)) {
          found[at++] = fabric.lid(peer) + offset;
          more = true;
        }
      }
    }
    return at;
  }

  private static int collectVirtual(Fabric fabric, int s, int[] found, int n) {
    VirtualLids virtual = fabric.virtualLids();
    boolean more = true;
    int at = n;
    for (int k = 0; more; k++) {
      more = false;
      for (int number = 1; number <= fabric.portCount(s); number++) {
        int peer = fabric.peer(fabric.port(s, number));
        if (peer == Fabric.NONE || fabric.isSwitch(fabric.nodeOf(peer))) {
          continue;
        }
        int first = virtual.first(peer);
        if (k < virtual.first(peer + 1) - first) {
          found[at++] = virtual.lid(first + k);
          more = true;
        }
      }
    }
    return at;
  }
}
