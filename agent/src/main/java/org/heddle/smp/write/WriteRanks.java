package org.heddle.smp.write;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.reconfig.TableChange;
import org.heddle.routing.ForwardingTables;

/**
 * How many writes an ordered write has to wait for: one more than the last of those on the new
 * routes of the LIDs it changes. Writes of one rank do not depend on each other. LIDs that are
 * dropped temporarily, and those that only get entries where there were none, wait for nothing.
 * Asked in the order of {@link TableChange}. O(64 * hops) per write, O(64 * switches) per block.
 */
final class WriteRanks {
  private static final int BLOCK = ForwardingTables.BLOCK_SIZE;

  private final Fabric fabric;
  private final ForwardingTables from;
  private final ForwardingTables to;
  private final BitSet dropped = new BitSet();
  private final BitSet free = new BitSet(); // of the present block: LIDs that need no order
  private final int[] rank; // of the present block, by switch
  private int block = -1;

  WriteRanks(Fabric fabric, ForwardingTables from, ForwardingTables to, List<Integer> dropped) {
    this.fabric = fabric;
    this.from = from;
    this.to = to;
    dropped.forEach(this.dropped::set);
    this.rank = new int[fabric.switchCount()];
  }

  /** The rank of the next write. */
  int next(int sw, int ofBlock) {
    if (ofBlock != block) {
      block = ofBlock;
      Arrays.fill(rank, 0);
      findFree();
    }
    int most = 0;
    for (int lid = block * BLOCK; lid < (block + 1) * BLOCK; lid++) {
      if (!free.get(lid) && changes(sw, lid)) {
        int before = firstChanged(sw, lid);
        most = before == Fabric.NONE ? most : Math.max(most, rank[before] + 1);
      }
    }
    rank[sw] = most;
    return most;
  }

  private void findFree() {
    free.clear();
    for (int lid = block * BLOCK; lid < (block + 1) * BLOCK; lid++) {
      boolean onlyAdds = true;
      for (int sw = 0; sw < rank.length && onlyAdds; sw++) {
        onlyAdds = !changes(sw, lid) || from.port(sw, lid) == ForwardingTables.NO_PORT;
      }
      free.set(lid, onlyAdds || dropped.get(lid));
    }
  }

  private boolean changes(int sw, int lid) {
    return from.port(sw, lid) != to.port(sw, lid);
  }

  /** The first switch on the new way whose entry changes, too. */
  private int firstChanged(int sw, int lid) {
    int at = sw;
    for (int hops = 0; hops < fabric.switchCount(); hops++) {
      int port = to.port(at, lid);
      if (port == 0 || port > fabric.portCount(at)) {
        return Fabric.NONE;
      }
      int peer = fabric.peer(fabric.port(at, port));
      if (peer == Fabric.NONE || !fabric.isSwitch(fabric.nodeOf(peer))) {
        return Fabric.NONE;
      }
      at = fabric.nodeOf(peer);
      if (changes(at, lid)) {
        return at;
      }
    }
    return Fabric.NONE;
  }
}
