package org.heddle.routing.partition;

import java.util.Arrays;

/**
 * The order in which the hosts of a leaf are routed (Zahid et al., algorithm 2, corrected):
 * strictest policy first; inside a policy such that members of one partition fall on the same
 * up-link when up-links are taken in turn: a partition's first member takes the next free place,
 * each further one the place one round of up-links after its previous one if that is free, else the
 * next free place.
 *
 * <p>Hosts can have ranks; then those of a higher rank come first, whatever their partition, and
 * the above holds among equals. With the weight as rank, heavy hosts find the channels still empty:
 * sorting inside of partitions only, as the paper does, lets two of them meet on one channel when
 * light hosts of another partition happen to have filled the others.
 */
final class PartitionOrder {
  private final int partitions;
  private final int[] decider;

  /**
   * An order.
   *
   * @param partitions number of partitions
   * @param decider partition by LID
   */
  PartitionOrder(int partitions, int[] decider) {
    this.partitions = partitions;
    this.decider = decider;
  }

  /**
   * Orders LIDs of one leaf and one policy.
   *
   * @param lids LIDs that climb, in port order
   * @param rank of each of them, or null
   * @param upLinks up-links of the leaf
   */
  int[] order(int[] lids, int[] rank, int upLinks) {
    if (rank == null) {
      return inTurn(lids, 0, lids.length, upLinks);
    }
    int n = lids.length;
    long[] keys = new long[n];
    for (int i = 0; i < n; i++) {
      keys[i] = (long) (Integer.MAX_VALUE - rank[i]) << 32 | i;
    }
    Arrays.sort(keys);
    int[] sorted = new int[n];
    for (int i = 0; i < n; i++) {
      sorted[i] = lids[(int) keys[i]];
    }
    int[] out = new int[n];
    for (int from = 0, to = 0; from < n; from = to) {
      while (to < n && keys[to] >>> 32 == keys[from] >>> 32) {
        to++;
      }
      System.arraycopy(inTurn(sorted, from, to, upLinks), 0, out, from, to - from);
    }
    return out;
  }

  private int[] inTurn(int[] lids, int from, int to, int upLinks) {
    int n = to - from;
    if (n <= upLinks) {
      return Arrays.copyOfRange(lids, from, to);
    }
    int[] place = new int[n];
    Arrays.fill(place, -1);
    int[] previous = new int[partitions];
    Arrays.fill(previous, -1);
    int free = 0;
    for (int i = from; i < to; i++) {
      int p = decider[lids[i]];
      int at = previous[p] < 0 ? -1 : previous[p] + upLinks;
      if (at < 0 || at >= n || place[at] >= 0) {
        while (place[free] >= 0) {
          free++;
        }
        at = free;
      }
      place[at] = lids[i];
      previous[p] = at;
    }
    return place;
  }
}
