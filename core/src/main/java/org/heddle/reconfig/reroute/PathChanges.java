package org.heddle.reconfig.reroute;

import org.heddle.fabric.Fabric;
import org.heddle.reconfig.Wiring;
import org.heddle.routing.ForwardingTables;

/**
 * Counts the paths, entries and blocks in which two sets of tables of one fabric differ. O(switches
 * * LIDs).
 */
final class PathChanges {
  private static final byte SAME = 1;
  private static final byte DIFFERENT = 2;

  private final Wiring wiring;
  private final ForwardingTables old;
  private final int[] sources; // by switch: host ports with a LID
  private final byte[] known;
  private final int[] stack;

  PathChanges(Wiring wiring, ForwardingTables old) {
    this.wiring = wiring;
    this.old = old;
    Fabric fabric = wiring.fabric;
    sources = new int[wiring.switches];
    known = new byte[wiring.switches];
    stack = new int[wiring.switches];
    for (int p = wiring.ports; p < fabric.portIdLimit(); p++) {
      if (fabric.lid(p) != 0 && fabric.attachedSwitch(p) != Fabric.NONE) {
        sources[fabric.attachedSwitch(p)]++;
      }
    }
  }

  /** Pairs of a source and a host LID in the same component. */
  long paths() {
    long[] inComponent = new long[wiring.switches];
    for (int s = 0; s < wiring.switches; s++) {
      inComponent[wiring.component[s]] += sources[s];
    }
    long sum = 0;
    for (int lid = 0; lid <= wiring.fabric.topLid(); lid++) {
      int at = deliveredAt(lid);
      sum += at == Fabric.NONE ? 0 : inComponent[wiring.component[at]] - 1;
    }
    return sum;
  }

  MinimalReroute.Changes count(ForwardingTables tables) {
    long paths = 0;
    for (int lid = 0; lid <= wiring.fabric.topLid(); lid++) {
      int at = deliveredAt(lid);
      paths += at == Fabric.NONE ? 0 : paths(tables, lid, at);
    }
    long entries = 0;
    long blocks = 0;
    int top = Math.max(old.topLid(), tables.topLid());
    for (int s = 0; s < wiring.switches; s++) {
      blocks += old.differingBlocks(s, tables);
      for (int lid = 0; lid <= top; lid++) {
        entries += old.port(s, lid) == tables.port(s, lid) ? 0 : 1;
      }
    }
    return new MinimalReroute.Changes(paths, entries, blocks);
  }

  /** The switch that delivers a host's LID, or {@link Fabric#NONE} for any other LID. */
  private int deliveredAt(int lid) {
    int owner = wiring.fabric.portOfLid(lid);
    return owner < wiring.ports ? Fabric.NONE : wiring.fabric.attachedSwitch(owner);
  }

  private long paths(ForwardingTables tables, int lid, int at) {
    java.util.Arrays.fill(known, (byte) 0);
    long count = 0;
    for (int s : wiring.hostSwitches) {
      boolean counts = sources[s] > 0 && wiring.component[s] == wiring.component[at];
      if (counts
          && old.port(s, lid) != ForwardingTables.NO_PORT
          && isDifferent(tables, lid, s, at)) {
        count += s == at ? sources[s] - 1 : sources[s];
      }
    }
    return count;
  }

  /** Follows the new way; the old one is the same as long as it has the same entries. */
  private boolean isDifferent(ForwardingTables tables, int lid, int from, int at) {
    int n = 0;
    int s = from;
    byte result = 0;
    while (result == 0) {
      int number = tables.port(s, lid);
      int c = wiring.channel(s, number);
      if (known[s] != 0) {
        result = known[s];
        break;
      }
      known[s] = DIFFERENT; // should the new way be a circle
      stack[n++] = s;
      if (number != old.port(s, lid)) {
        result = DIFFERENT;
      } else if (s == at || c < 0 || wiring.hop[c] < 0) {
        result = SAME;
      } else {
        s = wiring.hop[c];
      }
    }
    for (int i = 0; i < n; i++) {
      known[stack[i]] = result;
    }
    return result == DIFFERENT;
  }
}
