package org.heddle.congestion;

import java.util.Arrays;

/**
 * Puts the links of hypervisors into routes between machines: what {@link Routes#traceMachines}
 * adds to routes that were traced from leaf to leaf.
 */
final class HypervisorLinks {
  private static final int LINK = 2; // a link's channels, and so what a route gets longer by

  private final Routes leaves;
  private final Channels channels;
  private final int firstLink;

  private HypervisorLinks(Routes leaves) {
    this.leaves = leaves;
    channels = leaves.channels.behindHypervisors();
    firstLink = leaves.channels();
  }

  /**
   * One row a hypervisor instead of one a leaf switch.
   *
   * @throws IllegalArgumentException if the routes would take more than 4 GiB
   */
  static Routes add(Routes leaves) {
    return new HypervisorLinks(leaves).add();
  }

  private Routes add() {
    int n = leaves.size();
    int[][] rows = new int[channels.rows()][];
    int[] stride = new int[rows.length];
    long kept = 0;
    long lost = 0;
    for (int h = 0; h < rows.length; h++) {
      int leaf = leaves.rowOf[channels.member(h, 0)];
      stride[h] = leaves.stride[leaf] + LINK;
      kept += (long) stride[h] * n;
      if (kept > Routes.LARGEST) {
        throw new IllegalArgumentException("the routes would take more than 4 GiB");
      }
      rows[h] = new int[stride[h] * n];
      lost += (long) channels.members(h) * fill(h, leaf, rows[h]);
    }
    return new Routes(channels, rows, stride, lost);
  }

  /** Fills the row of a hypervisor; the number of machines that are not reached from it. */
  private int fill(int h, int leaf, int[] row) {
    int[] from = leaves.rows[leaf];
    int width = leaves.stride[leaf];
    int lost = 0;
    Arrays.fill(row, Routes.END);
    for (int d = 0; d < leaves.size(); d++) {
      int to = channels.rowOf[d];
      if (to == h) {
        continue; // the machines of a hypervisor reach each other inside
      }
      int at = d * (width + LINK);
      if (from[d * width] == Routes.LOST) {
        row[at] = Routes.LOST;
        lost++;
        continue;
      }
      row[at++] = firstLink + LINK * h;
      for (int k = d * width; k < (d + 1) * width && from[k] >= 0; k++) {
        row[at++] = from[k];
      }
      row[at] = firstLink + LINK * to + 1;
    }
    return lost;
  }
}
