package org.heddle.routing.engine;

import java.util.Arrays;
import org.heddle.routing.ForwardingTables;

/**
 * Fills tables from distances: every entry goes to a neighbour one hop nearer, through the port of
 * the switch that the fewest host LIDs use so far; ties to the lowest port. Switches' own LIDs are
 * not counted.
 */
final class HopRows {
  /** Distance of a pair that is not connected. */
  static final short FAR = Short.MAX_VALUE;

  private final SwitchLinks links;
  private final Destinations dest;

  /** {@code distance[x * n + d]}: hops from switch x to switch d, or {@link #FAR}. */
  private final short[] distance;

  /** Which neighbours may be taken. */
  interface Allowed {
    /** True if the entry of x for d may lead to its neighbour y, which is one hop nearer. */
    boolean step(int x, int y, int d);
  }

  HopRows(SwitchLinks links, Destinations dest, short[] distance) {
    this.links = links;
    this.dest = dest;
    this.distance = distance;
  }

  ForwardingTables fill(Allowed allowed) {
    int n = links.switches();
    byte[][] rows = new byte[n][];
    int[] load = new int[256];
    int[] candidates = new int[256];
    for (int x = 0; x < n; x++) {
      byte[] row = new byte[dest.topLid + 1];
      Arrays.fill(row, (byte) ForwardingTables.NO_PORT);
      Arrays.fill(load, 0);
      for (int d = 0; d < n; d++) {
        int count = d == x ? 0 : candidates(x, d, n, candidates, allowed);
        for (int i = dest.start[d]; i < dest.start[d + 1]; i++) {
          int lid = dest.lids[i];
          if (d == x) {
            row[lid] = dest.portOf[lid];
          } else if (count > 0) {
            int port = leastLoaded(candidates, count, load);
            row[lid] = (byte) port;
            load[port] += dest.portOf[lid] != 0 ? 1 : 0;
          }
        }
      }
      rows[x] = row;
    }
    return ForwardingTables.ofRows(rows, dest.topLid);
  }

  private int candidates(int x, int d, int n, int[] out, Allowed allowed) {
    int count = 0;
    int nearer = distance[x * n + d] - 1;
    if (nearer >= FAR - 1) {
      return 0;
    }
    for (int i = links.start[x]; i < links.start[x + 1]; i++) {
      int y = links.neighbour[i];
      if (distance[y * n + d] == nearer && allowed.step(x, y, d)) {
        out[count++] = links.port[i];
      }
    }
    return count;
  }

  private static int leastLoaded(int[] candidates, int count, int[] load) {
    int best = candidates[0];
    for (int i = 1; i < count; i++) {
      if (load[candidates[i]] < load[best]) {
        best = candidates[i];
      }
    }
    return best;
  }
}
