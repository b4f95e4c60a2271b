package org.heddle.routing.tree;

import java.util.Arrays;
import org.heddle.fabric.SwitchLinks;
import org.heddle.routing.ForwardingTables;

/**
 * Fills tables from distances: every entry goes to a neighbour one hop nearer, through the port of
 * the switch that the fewest host LIDs use so far; ties to the lowest port. Switches' own LIDs are
 * not counted. Among ports that carry the least, one is taken whose neighbour no other port of the
 * same machine is reached by ({@link Mates}).
 */
public final class HopRows {
  /** Distance of a pair that is not connected. */
  public static final short FAR = Short.MAX_VALUE;

  private final SwitchLinks links;
  private final Destinations dest;

  /** {@code distance[x * n + d]}: hops from switch x to switch d, or {@link #FAR}. */
  private final short[] distance;

  /** Which neighbours may be taken. */
  public interface Allowed {
    /** True if the entry of x for d may lead to its neighbour y, which is one hop nearer. */
    boolean step(int x, int y, int d);
  }

  public HopRows(SwitchLinks links, Destinations dest, short[] distance) {
    this.links = links;
    this.dest = dest;
    this.distance = distance;
  }

  /**
   * Fills the tables.
   *
   * @param mates null if no machine has two ports
   */
  public ForwardingTables fill(Mates mates, Allowed allowed) {
    int n = links.switches();
    int[] behind = new int[256]; // by port: the neighbour
    byte[][] rows = new byte[n][];
    int[] load = new int[256];
    int[] candidates = new int[256];
    for (int x = 0; x < n; x++) {
      byte[] row = new byte[dest.topLid + 1];
      Arrays.fill(row, (byte) ForwardingTables.NO_PORT);
      Arrays.fill(load, 0);
      Arrays.fill(behind, -1);
      for (int i = links.start[x]; i < links.start[x + 1]; i++) {
        behind[links.port[i]] = links.neighbour[i];
      }
      RowWays ways = new RowWays(row, behind);
      for (int d = 0; d < n; d++) {
        int count = d == x ? 0 : candidates(x, d, n, candidates, allowed);
        for (int i = dest.start[d]; i < dest.start[d + 1]; i++) {
          int lid = dest.lids[i];
          if (d == x) {
            row[lid] = dest.portOf[lid];
          } else if (count > 0) {
            int port =
                mates == null || mates.of(lid).length == 0
                    ? leastLoaded(candidates, count, load)
                    : apart(lid, candidates, count, load, mates, ways);
            row[lid] = (byte) port;
            load[port] += dest.portOf[lid] != 0 ? 1 : 0;
          }
        }
        if (mates != null && count > 0) {
          mates.separate(dest.lids, dest.start[d], dest.start[d + 1], ways);
        }
      }
      rows[x] = row;
    }
    return ForwardingTables.ofRows(rows, dest.topLid);
  }

  /** The least loaded port, of those the one whose neighbour leads to fewest mates. */
  private static int apart(
      int lid, int[] candidates, int count, int[] load, Mates mates, RowWays ways) {
    int best = candidates[0];
    int meets = mates.meets(lid, ways.behind[best], ways);
    for (int i = 1; i < count; i++) {
      int port = candidates[i];
      if (load[port] > load[best]) {
        continue;
      }
      int m = mates.meets(lid, ways.behind[port], ways);
      if (load[port] < load[best] || m < meets) {
        best = port;
        meets = m;
      }
    }
    return best;
  }

  /** A row as ways: the neighbour an entry leads to. */
  private record RowWays(byte[] row, int[] behind) implements Mates.Ways {
    @Override
    public int way(int lid) {
      return behind[row[lid] & 0xff];
    }

    @Override
    public void swap(int a, int b) {
      byte port = row[a];
      row[a] = row[b];
      row[b] = port;
    }
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
