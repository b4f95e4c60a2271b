package org.heddle.draw.layout;

import java.util.Arrays;
import org.heddle.fabric.Fabric;

/**
 * Rows by distance from the switch with the most neighbours, which stands on top; hosts below their
 * switches. Within a row switches are ordered by the mean position of their neighbours (the
 * barycentre heuristic of Sugiyama, Tagawa and Toda, 1981), a few sweeps down and up. O(sweeps *
 * links * log).
 */
final class LayeredLayout {
  private static final int SWEEPS = 6;

  private LayeredLayout() {}

  /**
   * Depth of every switch of every component below its top switch; the negated value is the rank
   * that links are drawn by.
   *
   * @param part switches of one component, ascending
   */
  private static int[] depths(SwitchGraph graph, int[] part, int switches) {
    int top = part[0];
    for (int sw : part) {
      top = graph.degree(sw) > graph.degree(top) ? sw : top;
    }
    int[] depth = new int[switches];
    Arrays.fill(depth, -1);
    int[] queue = new int[part.length];
    int tail = 0;
    queue[tail++] = top;
    depth[top] = 0;
    for (int head = 0; head < tail; head++) {
      int sw = queue[head];
      for (int i = 0; i < graph.degree(sw); i++) {
        int other = graph.neighbour(sw, i);
        if (depth[other] < 0) {
          depth[other] = depth[sw] + 1;
          queue[tail++] = other;
        }
      }
    }
    return depth;
  }

  static Placement layout(
      Fabric fabric, SwitchGraph graph, Attachments hosts, Detail detail, int[] part) {
    int[] depth = depths(graph, part, fabric.switchCount());
    int rowCount = 0;
    for (int sw : part) {
      rowCount = Math.max(rowCount, depth[sw] + 1);
    }
    int[][] rows = new int[rowCount][];
    for (int d = 0; d < rowCount; d++) {
      int row = d;
      rows[d] = Arrays.stream(part).filter(sw -> depth[sw] == row).toArray();
    }
    order(graph, rows, depth);
    Placement p = new Placement(fabric.switchCount());
    new Rows(p, fabric, hosts, detail, rows).place();
    return p;
  }

  private static void order(SwitchGraph graph, int[][] rows, int[] depth) {
    double[] at = new double[depth.length];
    for (int[] row : rows) {
      number(row, at);
    }
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
      boolean down = sweep % 2 == 0;
      for (int k = 1; k < rows.length; k++) {
        int d = down ? k : rows.length - 1 - k;
        sort(graph, rows[d], depth, down ? d - 1 : d + 1, at);
      }
    }
  }

  private static void number(int[] row, double[] at) {
    for (int i = 0; i < row.length; i++) {
      at[row[i]] = (i + 0.5) / row.length;
    }
  }

  private static void sort(SwitchGraph graph, int[] row, int[] depth, int beside, double[] at) {
    Integer[] boxed = new Integer[row.length];
    double[] centre = new double[row.length];
    for (int i = 0; i < row.length; i++) {
      boxed[i] = i;
      double sum = 0;
      int n = 0;
      for (int k = 0; k < graph.degree(row[i]); k++) {
        int other = graph.neighbour(row[i], k);
        if (depth[other] == beside) {
          sum += at[other];
          n++;
        }
      }
      centre[i] = n == 0 ? at[row[i]] : sum / n;
    }
    Arrays.sort(boxed, (a, b) -> Double.compare(centre[a], centre[b])); // stable
    int[] sorted = new int[row.length];
    for (int i = 0; i < row.length; i++) {
      sorted[i] = row[boxed[i]];
    }
    System.arraycopy(sorted, 0, row, 0, row.length);
    number(row, at);
  }

  /** Turns rows into coordinates. */
  private record Rows(Placement p, Fabric fabric, Attachments hosts, Detail detail, int[][] rows) {

    void place() {
      int longest = 1;
      int most = 0;
      for (int[] row : rows) {
        longest = Math.max(longest, row.length);
        for (int sw : row) {
          most = Math.max(most, hosts.count(sw));
        }
      }
      boolean names = detail == Detail.NAMED && rows.length <= 3;
      double slot = Math.clamp(1400.0 / Math.max(1, hosts.total()), 14, 26);
      double width = names ? Math.max(110, most * slot + 12) : 0;
      double cell = Math.max(width, Math.clamp(1500.0 / longest, 4.5, 130));
      p.width = Math.max(260, longest * cell + 20);
      double y = 36;
      double bottom = y;
      double step = Math.clamp(p.width * 0.12, 40, Math.clamp(1600.0 / rows.length, 40, 220));
      HostBlock.Grid grid = HostBlock.fit(most, cell * 0.9, 60);
      for (int[] row : rows) {
        y = bottom == 36 ? 36 : bottom + step;
        double pitch = Math.min((p.width - 20) / row.length, Math.max(cell, 160));
        double x = (p.width - pitch * row.length) / 2 + pitch / 2;
        for (int sw : row) {
          double w = Math.min(pitch * 0.84, 124);
          p.place(sw, x, y, w, w >= 34 ? 24 : Math.clamp(w * 0.7, 5, 12));
          p.named[sw] = w >= 34;
          double hostTop = y + p.h[sw] / 2;
          if (names) {
            bottom = Math.max(bottom, HostBlock.namedRow(p, fabric, hosts, sw, hostTop + 34, slot));
          } else {
            HostBlock.below(p, fabric, hosts, sw, hostTop + 5, grid);
            bottom = Math.max(bottom, hostTop + 5 + grid.height(hosts.count(sw)));
          }
          x += pitch;
        }
      }
      p.height = bottom + 24;
    }
  }
}
