package org.heddle.routing.metabase;

import java.util.Arrays;
import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.routing.tree.GuidIndex;

/**
 * A caller's order of hosts in LIDs: rank r is the position of the node or port GUID in the order.
 * The first mention counts; all ports of a node, and all LIDs of a port, have the same rank. Names
 * that are unknown, or have no LID, take no rank. Immutable.
 */
final class RankedLids {
  static final int NO_RANK = -1;

  /** Rank by LID, or {@link #NO_RANK}. */
  final int[] rank;

  /** All LIDs that have a rank, by rank, then by LID. */
  final int[] lids;

  private RankedLids(int[] rank, int[] lids) {
    this.rank = rank;
    this.lids = lids;
  }

  /** O(order + LIDs). */
  static RankedLids of(Fabric fabric, GuidIndex index, List<Guid> order) {
    int[] rank = new int[fabric.topLid() + 1];
    Arrays.fill(rank, NO_RANK);
    int[] lids = new int[rank.length];
    int n = 0;
    int next = 0;
    for (Guid guid : order) {
      int found = index.find(guid.value());
      if (found == GuidIndex.UNKNOWN) {
        continue;
      }
      if (found >= 0 && fabric.lmc(found) == 0) { // nearly always: a port with one LID
        int lid = fabric.lid(found);
        if (lid != 0 && rank[lid] == NO_RANK) {
          rank[lid] = next++;
          lids[n++] = lid;
        }
        continue;
      }
      int from = found >= 0 ? found : fabric.port(~found, 0);
      int to = found >= 0 ? found : from + fabric.portCount(~found);
      int before = n;
      for (int p = from; p <= to; p++) {
        int lid = fabric.lid(p);
        if (lid == 0 || rank[lid] != NO_RANK) {
          continue;
        }
        for (int i = lid; i < lid + (1 << fabric.lmc(p)); i++) {
          rank[i] = next;
          lids[n++] = i;
        }
      }
      if (n > before + 1) {
        Arrays.sort(lids, before, n);
      }
      next += n > before ? 1 : 0;
    }
    return new RankedLids(rank, Arrays.copyOf(lids, n));
  }
}
