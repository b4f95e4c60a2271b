package org.heddle.verify.links;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.heddle.allocation.Allocation;
import org.heddle.fabric.Fabric;
import org.heddle.topology.FatTree;

/**
 * Links of a tenant that are slower than its flows may be, from cables alone.
 *
 * <p>A flow over a link of a leaf has an end at one of the tenant's machines there, and is no
 * faster than that machine's port; nor is it than what at least half of the links of the level run
 * at, which is all that a tree with slower links can promise. Above, a flow is no faster than on
 * the tenant's leaf that it came from. O(ports log ports) to make.
 */
final class SlowLinkCheck {
  private final Fabric fabric;
  private final FatTree tree;
  private final Map<Integer, Integer> usual = new HashMap<>(); // by level of the lower switch

  SlowLinkCheck(Fabric fabric, FatTree tree) {
    this.fabric = fabric;
    this.tree = tree;
    Map<Integer, List<Integer>> rates = new HashMap<>();
    for (int port = 0; port < fabric.portIdLimit(); port++) {
      if (isUp(port) && fabric.linkMegabits(port) > 0) {
        int level = tree.level(fabric.nodeOf(port));
        rates.computeIfAbsent(level, _ -> new ArrayList<>()).add(fabric.linkMegabits(port));
      }
    }
    rates.forEach(
        (level, all) -> {
          int[] sorted = all.stream().mapToInt(i -> i).sorted().toArray();
          usual.put(level, sorted[sorted.length / 2]);
        });
  }

  private boolean isUp(int port) {
    int peer = fabric.peerNode(port);
    return fabric.isSwitch(fabric.nodeOf(port))
        && peer != Fabric.NONE
        && fabric.isSwitch(peer)
        && tree.level(fabric.nodeOf(port)) > 0
        && tree.level(peer) == tree.level(fabric.nodeOf(port)) + 1;
  }

  private int usual(int level) {
    return usual.getOrDefault(level, 0);
  }

  /** The tenant's links that are too slow, by the port ids of their lower ends, ascending. */
  int[] find(Allocation tenant) {
    int[] pace = new int[fabric.switchCount()];
    for (int port : tenant.hostPorts()) {
      int sw = fabric.attachedSwitch(port);
      pace[sw] = Math.max(pace[sw], Math.min(fabric.linkMegabits(port), usual(1)));
    }
    int[] ups =
        Arrays.stream(tenant.links()).filter(link -> link >= 0 && isUp(link)).sorted().toArray();
    for (int link : ups) {
      int leaf = fabric.nodeOf(link);
      int above = fabric.peerNode(link);
      if (tree.level(leaf) == 1) {
        pace[above] = Math.max(pace[above], Math.min(pace[leaf], usual(2)));
      }
    }
    return Arrays.stream(ups)
        .filter(
            link ->
                fabric.linkMegabits(link) > 0
                    && fabric.linkMegabits(link) < pace[fabric.nodeOf(link)])
        .toArray();
  }
}
