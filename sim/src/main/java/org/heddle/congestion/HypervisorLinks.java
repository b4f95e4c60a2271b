package org.heddle.congestion;

import java.util.Arrays;
import org.heddle.fabric.Fabric;

/**
 * Puts the links of hypervisors into routes between machines: what {@link Routes#traceMachines}
 * adds to routes that were traced from leaf to leaf.
 */
final class HypervisorLinks {
  private static final int LINK = 2; // a link's channels, and so what a route gets longer by

  private final Routes leaves;
  private final int[] hypervisor; // by endport
  private final int[] port; // by hypervisor
  private final int[] machines; // by hypervisor
  private final int count;

  private HypervisorLinks(Routes leaves, Fabric fabric) {
    this.leaves = leaves;
    int n = leaves.size();
    hypervisor = new int[n];
    port = new int[n];
    machines = new int[n];
    int[] known = new int[fabric.portIdLimit()];
    Arrays.fill(known, Fabric.NONE);
    int found = 0;
    for (int i = 0; i < n; i++) {
      int at = leaves.endport(i);
      if (known[at] == Fabric.NONE) {
        port[found] = at;
        known[at] = found++;
      }
      hypervisor[i] = known[at];
      machines[known[at]]++;
    }
    count = found;
  }

  /**
   * One row a hypervisor instead of one a leaf switch.
   *
   * @throws IllegalArgumentException if the routes would take more than 4 GiB
   */
  static Routes add(Routes leaves, Fabric fabric) {
    return new HypervisorLinks(leaves, fabric).add(fabric);
  }

  private Routes add(Fabric fabric) {
    int n = leaves.size();
    int before = leaves.channels();
    int[] portOfChannel = new int[before + LINK * count];
    for (int c = 0; c < before; c++) {
      portOfChannel[c] = leaves.portOfChannel(c);
    }
    for (int h = 0; h < count; h++) {
      portOfChannel[up(h)] = port[h];
      portOfChannel[down(h)] = fabric.peer(port[h]);
    }
    int[] sample = new int[count]; // an endport of each, whose row at the leaf is that of all
    for (int i = n - 1; i >= 0; i--) {
      sample[hypervisor[i]] = i;
    }
    int[][] rows = new int[count][];
    int[] stride = new int[count];
    long kept = 0;
    long lost = 0;
    for (int h = 0; h < count; h++) {
      int leaf = leaves.rowOf[sample[h]];
      stride[h] = leaves.stride[leaf] + LINK;
      kept += (long) stride[h] * n;
      if (kept > Routes.LARGEST) {
        throw new IllegalArgumentException("the routes would take more than 4 GiB");
      }
      rows[h] = new int[stride[h] * n];
      lost += (long) machines[h] * row(h, leaf, rows[h]);
    }
    int[] switches = new int[count];
    Arrays.setAll(switches, h -> fabric.attachedSwitch(port[h]));
    return new Routes(
        leaves.channels.regrouped(hypervisor, switches, portOfChannel), rows, stride, lost);
  }

  /** Fills the row of a hypervisor; the number of machines that are not reached from it. */
  private int row(int h, int leaf, int[] row) {
    int[] from = leaves.rows[leaf];
    int width = leaves.stride[leaf];
    int wide = width + LINK;
    int lost = 0;
    Arrays.fill(row, Routes.END);
    for (int d = 0; d < hypervisor.length; d++) {
      int at = d * wide;
      if (hypervisor[d] == h) {
        continue; // the machines of a hypervisor reach each other inside
      }
      if (from[d * width] == Routes.LOST) {
        row[at] = Routes.LOST;
        lost++;
        continue;
      }
      row[at++] = up(h);
      for (int k = d * width; k < (d + 1) * width && from[k] >= 0; k++) {
        row[at++] = from[k];
      }
      row[at] = down(hypervisor[d]);
    }
    return lost;
  }

  private int up(int h) {
    return leaves.channels() + LINK * h;
  }

  private int down(int h) {
    return leaves.channels() + LINK * h + 1;
  }
}
