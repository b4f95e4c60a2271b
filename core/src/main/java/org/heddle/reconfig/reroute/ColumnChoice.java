package org.heddle.reconfig.reroute;

import org.heddle.reconfig.Wiring;
import org.heddle.routing.ForwardingTables;

/**
 * Chooses the missing entries of one LID: downwards where that leads to the LID, else upwards, over
 * the path whose channels are least loaded. Upper switches come first, so that the rest of each
 * path is known; among the lower ones, those that already have an entry come first, so that the
 * others can join their paths. Not thread-safe.
 */
final class ColumnChoice {
  private final Wiring wiring;
  private final TreeReach reach;
  private final ChannelUse use;
  private final ForwardingTables fresh;
  private final boolean[] hasHosts;

  ColumnChoice(Wiring wiring, TreeReach reach, ChannelUse use, ForwardingTables fresh) {
    this.wiring = wiring;
    this.reach = reach;
    this.use = use;
    this.fresh = fresh;
    hasHosts = new boolean[wiring.switches];
    for (int s : wiring.hostSwitches) {
      hasHosts[s] = true;
    }
  }

  /**
   * Fills the open entries.
   *
   * @param open which; all of them reach the destination by going up, then down
   * @param counts false for LIDs that count in no balance: they take the fresh entries
   * @param allowed by switch: which may be the next; null for all
   */
  void complete(byte[] column, int lid, int to, boolean[] open, boolean counts, boolean[] allowed) {
    use.begin();
    int[] rising = reach.rising;
    for (int s : rising) {
      if (open[s] && reach.isBelow(s, to)) {
        column[s] = (byte) choose(column, s, lid, to, counts, allowed);
      }
    }
    for (int i = rising.length - 1; i >= 0; ) {
      int from = i;
      int level = wiring.level[rising[i]];
      for (; i >= 0 && wiring.level[rising[i]] == level; i--) {
        int s = rising[i];
        if (hasHosts[s] && !open[s]) {
          use.mark(column, s, to);
        }
      }
      for (int k = i + 1; k <= from; k++) {
        int s = rising[k];
        if (open[s] && !reach.isBelow(s, to)) {
          column[s] = (byte) choose(column, s, lid, to, counts, allowed);
        }
        if (open[s] && hasHosts[s]) {
          use.mark(column, s, to);
        }
      }
    }
  }

  private int choose(byte[] column, int s, int lid, int to, boolean counts, boolean[] allowed) {
    int preferred = fresh.port(s, lid);
    if (!counts && reach.isLegal(s, preferred, to)) {
      return preferred;
    }
    int best = ForwardingTables.NO_PORT;
    long least = Long.MAX_VALUE;
    for (int number = 1; number < wiring.first[s + 1] - wiring.first[s]; number++) {
      if (!reach.isLegal(s, number, to)
          || (allowed != null && !allowed[wiring.hop[wiring.first[s] + number]])) {
        continue;
      }
      long cost = counts ? use.cost(column, s, number, to) : 0;
      if (best == ForwardingTables.NO_PORT || cost < least) {
        best = number;
        least = cost;
      }
    }
    return best;
  }
}
