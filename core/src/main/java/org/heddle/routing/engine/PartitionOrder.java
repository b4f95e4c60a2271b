package org.heddle.routing.engine;

import java.util.Arrays;

/**
 * The order in which the hosts of a leaf are routed (Zahid et al., algorithm 2, corrected):
 * strictest policy first; inside a policy such that members of one partition fall on the same
 * up-link when up-links are taken in turn: a partition's first member takes the next free place,
 * each further one the place one round of up-links after its previous one if that is free, else the
 * next free place. With weights, heavier members of a partition come first.
 */
final class PartitionOrder {
  private final PartitionMap map;
  private final boolean weighted;

  PartitionOrder(PartitionMap map, boolean weighted) {
    this.map = map;
    this.weighted = weighted;
  }

  /**
   * Orders LIDs of one leaf and one policy.
   *
   * @param lids LIDs that climb, in port order
   * @param upLinks up-links of the leaf
   */
  int[] order(int[] lids, int upLinks) {
    int n = lids.length;
    int[] sorted = lids.clone();
    if (weighted) {
      sortByWeight(sorted);
    }
    if (n <= upLinks) {
      return sorted;
    }
    int[] place = new int[n];
    Arrays.fill(place, -1);
    int[] previous = new int[map.count];
    Arrays.fill(previous, -1);
    for (int lid : sorted) {
      int p = map.primary[lid];
      int at = previous[p] < 0 ? -1 : previous[p] + upLinks;
      if (at < 0 || at >= n || place[at] >= 0) {
        at = 0;
        while (place[at] >= 0) {
          at++;
        }
      }
      place[at] = lid;
      previous[p] = at;
    }
    return place;
  }

  /** Stable, heaviest first; only LIDs of the same partition change places with each other. */
  private void sortByWeight(int[] lids) {
    for (int i = 1; i < lids.length; i++) {
      for (int j = i; j > 0; j--) {
        int k = j - 1;
        while (k >= 0 && map.primary[lids[k]] != map.primary[lids[j]]) {
          k--;
        }
        if (k < 0 || map.weight[lids[k]] >= map.weight[lids[j]]) {
          break;
        }
        int swap = lids[k];
        lids[k] = lids[j];
        lids[j] = swap;
        j = k + 1;
      }
    }
  }
}
