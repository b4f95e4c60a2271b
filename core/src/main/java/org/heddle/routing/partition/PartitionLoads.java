package org.heddle.routing.partition;

import org.heddle.routing.tree.TreeGraph;

/**
 * The load that the routes chosen so far put on channels and switches, and which of two slots is
 * better because of it.
 *
 * <p>The less loaded channel first. Among equals there are two ways. The usual one takes the parent
 * through which fewer rounds (routes divided by up-links) come down, and in the same round the one
 * through which most of the partition does: up to a round, imbalance between parents costs nothing
 * further up, so it is left to the partition. The exact one compares the parents, and what lies
 * above them, route by route: needed where leaves of unlike need share parents.
 */
final class PartitionLoads {
  private final TreeGraph graph;
  private final int partitions;
  private final boolean exact;

  /** By slot index: routes, or weight. */
  final long[] load;

  private final long[] through; // by switch: load of all channels down from it
  private final long[] rising; // by switch: what of it climbs further
  private final int[] routes; // by switch
  private final int[] marks; // by switch and partition: routes for the partition

  PartitionLoads(TreeGraph graph, int partitions, boolean exact) {
    this.graph = graph;
    this.partitions = partitions;
    this.exact = exact;
    load = new long[graph.slotParent.length];
    through = new long[graph.switches];
    rising = new long[graph.switches];
    routes = new int[graph.switches];
    marks = new int[graph.switches * partitions];
  }

  /**
   * Adds a route.
   *
   * @param index of the slot
   * @param weight of the route on this channel
   * @param further weight of the route on the next channel up, 0 if it ends here
   */
  void add(int index, long weight, long further) {
    int parent = graph.slotParent[index];
    load[index] += weight;
    through[parent] += weight;
    rising[parent] += further;
    routes[parent]++;
  }

  /** Notes that a route down from a switch is one for the partition. */
  void mark(int parent, int partition) {
    marks[parent * partitions + partition]++;
  }

  /** The share of a switch's routes that are of other partitions, 0..1; 0 if there are none. */
  double strangers(int parent, int partition) {
    int all = routes[parent];
    return all == 0 ? 0 : 1 - (double) marks[parent * partitions + partition] / all;
  }

  /**
   * True if slot a is preferred to slot b.
   *
   * @param a index of a slot
   * @param b index of another slot of the same switch
   * @param further true if the route climbs beyond the parents
   */
  boolean better(int a, int b, int partition, boolean further) {
    if (load[a] != load[b]) {
      return load[a] < load[b];
    }
    int x = graph.slotParent[a];
    int y = graph.slotParent[b];
    if (exact) {
      int c = further ? compareUpwards(x, y) : 0;
      c = c != 0 ? c : Long.compare(through[x] * width(y), through[y] * width(x));
      if (c != 0) {
        return c < 0;
      }
    } else {
      long roundA = through[x] / width(x);
      long roundB = through[y] / width(y);
      if (roundA != roundB) {
        return roundA < roundB;
      }
    }
    return marks[x * partitions + partition] > marks[y * partitions + partition];
  }

  /** Compares what climbs through two switches, then what climbs through all that is above them. */
  private int compareUpwards(int x, int y) {
    int c = Long.compare(rising[x] * width(y), rising[y] * width(x));
    if (c != 0 || x == y) {
      return c;
    }
    int a = x;
    int b = y;
    while (graph.upStart[a] < graph.upStart[a + 1] && graph.upStart[b] < graph.upStart[b + 1]) {
      long sumA = 0;
      long sumB = 0;
      for (int g = graph.upStart[a]; g < graph.upStart[a + 1]; g++) {
        sumA += rising[graph.upParent[g]];
      }
      for (int g = graph.upStart[b]; g < graph.upStart[b + 1]; g++) {
        sumB += rising[graph.upParent[g]];
      }
      if (sumA != sumB) {
        return Long.compare(sumA, sumB);
      }
      a = graph.upParent[graph.upStart[a]];
      b = graph.upParent[graph.upStart[b]];
    }
    return 0;
  }

  /** By how much channels are above their ceilings, in all. */
  long excess(int[] ceilings) {
    long sum = 0;
    for (int s = 0; s < graph.switches; s++) {
      for (int i = graph.slotBase[s]; i < graph.slotBase[s + 1]; i++) {
        sum += Math.max(0, load[i] - ceilings[s]);
      }
    }
    return sum;
  }

  private int width(int s) {
    return Math.max(
        1, graph.upPortStart[graph.upStart[s + 1]] - graph.upPortStart[graph.upStart[s]]);
  }
}
