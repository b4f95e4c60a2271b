package org.heddle.allocation;

import java.util.Arrays;
import org.heddle.fabric.Fabric;
import org.heddle.topology.FatTree;

/**
 * Which links are too slow to be given to a tenant.
 *
 * <p>A flow that uses a link above a leaf starts or ends at a machine of that leaf, so it is no
 * faster than the fastest port of a machine there. That is what a link of the leaf must run at; but
 * no more than at least half of the links of its level run at, for where most links are slower than
 * the machines, the tree was built that way and a link of the tree is what can be promised. A link
 * to a root must run at what is asked of the leaves whose given links lead to its lower switch, and
 * likewise no more than is usual on its level.
 *
 * <p>Which machines a tenant gets does not matter, so this costs nothing in an attempt: a link that
 * is too slow is absent, for everybody and whatever the oversubscription. Links and ports of
 * unknown width or speed are never too slow and ask for nothing. O(ports log ports) to make.
 */
final class FullRates {
  private final Fabric fabric;

  /** By level of the lower switch: the highest rate that at least half of the links reach. */
  private final int[] usual;

  /** By switch: what a link upwards must run at, Mbit/s; 0 for anything. */
  private final int[] asked;

  FullRates(Fabric fabric, FatTree tree) {
    this.fabric = fabric;
    usual = usual(fabric, tree);
    asked = new int[fabric.switchCount()];
    for (int i = 0; i < tree.leafCount(); i++) {
      int leaf = tree.leaf(i);
      asked[leaf] = tree.level(leaf) == 1 ? Math.min(fastestMachine(leaf), usual(1)) : 0;
    }
  }

  private static int[] usual(Fabric fabric, FatTree tree) {
    int[][] rates = new int[tree.levels() + 1][16];
    int[] count = new int[rates.length];
    for (int sw = 0; sw < fabric.switchCount(); sw++) {
      int level = tree.level(sw);
      for (int number = 1; level > 0 && number <= fabric.portCount(sw); number++) {
        int port = fabric.port(sw, number);
        int peer = fabric.peerNode(port);
        boolean up = peer != Fabric.NONE && fabric.isSwitch(peer) && tree.level(peer) == level + 1;
        if (up && fabric.linkMegabits(port) > 0) {
          if (count[level] == rates[level].length) {
            rates[level] = Arrays.copyOf(rates[level], 2 * count[level]);
          }
          rates[level][count[level]++] = fabric.linkMegabits(port);
        }
      }
    }
    int[] out = new int[rates.length];
    for (int level = 0; level < out.length; level++) {
      Arrays.sort(rates[level], 0, count[level]);
      out[level] = count[level] == 0 ? 0 : rates[level][count[level] / 2];
    }
    return out;
  }

  private int usual(int level) {
    return level < usual.length ? usual[level] : 0;
  }

  private int fastestMachine(int leaf) {
    int fastest = 0;
    for (int number = 1; number <= fabric.portCount(leaf); number++) {
      int port = fabric.port(leaf, number);
      int node = fabric.peerNode(port);
      if (node != Fabric.NONE && fabric.machines().of(node) != Fabric.NONE) {
        fastest = Math.max(fastest, fabric.linkMegabits(port));
      }
    }
    return fastest;
  }

  /** True if a link upwards, by the port of its lower switch, is slower than asked of it. */
  boolean isSlow(int port) {
    int rate = fabric.linkMegabits(port);
    return rate > 0 && rate < asked[fabric.nodeOf(port)];
  }

  /** The link of a leaf at a port is given: its upper switch must pass on as much. */
  void given(int port) {
    int leaf = fabric.nodeOf(port);
    int spine = fabric.peerNode(port);
    asked[spine] = Math.max(asked[spine], Math.min(asked[leaf], usual(2)));
  }
}
