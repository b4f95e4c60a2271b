package org.heddle.congestion;

import java.util.Arrays;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Lid;

/**
 * Numbers for endports, channels and source rows. Of n endports, channels 0 .. n-1 leave them, n ..
 * 2n-1 reach them, the rest lie between switches. A source row stands for a switch that endports
 * sit on: what they send to the same destination takes the same way from there. Immutable.
 */
final class Channels {
  /** No channel between switches. */
  static final int NONE = -1;

  final Fabric fabric;
  final int[] endports; // port ids
  final int[] lids; // by endport
  final int[] portOfChannel; // the port it leaves
  final long[] step; // by port id: channel << 32 | the switch it leads to; NONE if to no switch
  final int[] rowOf; // by endport
  final int[] switchOfRow;
  final Capacity capacity;
  private final int[] rowStart; // by row, and one more
  private final int[] rowMembers; // endports, row by row, ascending

  /**
   * Numbers everything. O(ports).
   *
   * @param endports handed over
   * @param lids theirs, handed over
   * @throws IllegalArgumentException if an endport is not {@link #usable}
   */
  Channels(Fabric fabric, int[] endports, int[] lids) {
    this.fabric = fabric;
    this.endports = endports;
    this.lids = lids;
    int n = endports.length;
    int[] ports = new int[2 * n + fabric.portIdLimit()];
    for (int i = 0; i < n; i++) {
      if (!usable(fabric, endports[i])) {
        throw new IllegalArgumentException(
            "port " + endports[i] + " has no LID, or is not on a switch");
      }
      ports[i] = endports[i];
      ports[n + i] = fabric.peer(endports[i]);
    }
    step = new long[fabric.portIdLimit()];
    Arrays.fill(step, NONE);
    int channels = 2 * n;
    for (int s = 0; s < fabric.switchCount(); s++) {
      for (int number = 1; number <= fabric.portCount(s); number++) {
        int port = fabric.port(s, number);
        if (fabric.peer(port) != Fabric.NONE && fabric.isSwitch(fabric.peerNode(port))) {
          step[port] = (long) channels << 32 | fabric.peerNode(port);
          ports[channels++] = port;
        }
      }
    }
    portOfChannel = Arrays.copyOf(ports, channels);
    capacity = Capacity.of(fabric, portOfChannel, endports);
    int[] rowOfSwitch = new int[fabric.switchCount()];
    Arrays.fill(rowOfSwitch, NONE);
    rowOf = new int[n];
    int[] switches = new int[Math.min(n, fabric.switchCount())];
    int rows = 0;
    for (int i = 0; i < n; i++) {
      int leaf = fabric.attachedSwitch(endports[i]);
      if (rowOfSwitch[leaf] == NONE) {
        switches[rows] = leaf;
        rowOfSwitch[leaf] = rows++;
      }
      rowOf[i] = rowOfSwitch[leaf];
    }
    switchOfRow = Arrays.copyOf(switches, rows);
    rowStart = new int[rows + 1];
    rowMembers = members();
  }

  private Channels(Channels from, int[] rowOf, int[] switchOfRow, int[] portOfChannel) {
    fabric = from.fabric;
    endports = from.endports;
    lids = from.lids;
    step = from.step;
    this.rowOf = rowOf;
    this.switchOfRow = switchOfRow;
    this.portOfChannel = portOfChannel;
    capacity = Capacity.of(fabric, portOfChannel, endports);
    rowStart = new int[switchOfRow.length + 1];
    rowMembers = members();
  }

  /** Numbers everything for the base LIDs of the endports, which are handed over. */
  static Channels of(Fabric fabric, int[] endports) {
    int[] lids = new int[endports.length];
    Arrays.setAll(lids, i -> fabric.lid(endports[i]));
    return new Channels(fabric, endports, lids);
  }

  /** The same endports in other rows, with more channels after those that are there. */
  Channels regrouped(int[] rows, int[] switches, int[] ports) {
    return new Channels(this, rows, switches, ports);
  }

  /** Sorts endports by row. */
  private int[] members() {
    for (int row : rowOf) {
      rowStart[row + 1]++;
    }
    for (int r = 0; r < rows(); r++) {
      rowStart[r + 1] += rowStart[r];
    }
    int[] out = new int[rowOf.length];
    int[] at = rowStart.clone();
    for (int i = 0; i < rowOf.length; i++) {
      out[at[rowOf[i]]++] = i;
    }
    return out;
  }

  /** True if the port can take part: it has a LID and sits on a switch, and is not one itself. */
  static boolean usable(Fabric fabric, int port) {
    return !fabric.isSwitch(fabric.nodeOf(port))
        && fabric.lid(port) != Lid.NONE
        && fabric.attachedSwitch(port) != Fabric.NONE;
  }

  int size() {
    return endports.length;
  }

  int rows() {
    return switchOfRow.length;
  }

  /** Number of endports of a row. */
  int members(int row) {
    return rowStart[row + 1] - rowStart[row];
  }

  /** One of them. */
  int member(int row, int index) {
    return rowMembers[rowStart[row] + index];
  }
}
