package org.heddle.routing.tree;

import java.util.Arrays;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;

/**
 * Whether routes between hosts wait for each other in a cycle: the channel dependency graph of
 * Dally and Seitz (IEEE Trans. Comput. 1987). Asked where no order of the links proves that they do
 * not. O(switches * LIDs + ports * 256).
 */
final class ChannelCycles {
  private static final int WORDS = 4; // bits of the outputs that packets of a channel take next
  private static final byte OPEN = 1;
  private static final byte DONE = 2;

  private final Fabric fabric;
  private final long[] next;
  private final int ports;

  private ChannelCycles(Fabric fabric) {
    this.fabric = fabric;
    int last = fabric.switchCount() - 1;
    ports = last < 0 ? 0 : fabric.port(last, 0) + fabric.portCount(last) + 1;
    next = new long[ports * WORDS];
  }

  /** True if routes from switches with hosts to LIDs of hosts close a cycle of channels. */
  static boolean exist(Fabric fabric, Destinations dest, byte[][] rows) {
    ChannelCycles graph = new ChannelCycles(fabric);
    int[] stamp = new int[rows.length];
    for (int lid : dest.lids) {
      if (dest.portOf[lid] != 0) {
        graph.add(dest, rows, lid, stamp);
      }
    }
    return graph.hasCycle();
  }

  private void add(Destinations dest, byte[][] rows, int lid, int[] stamp) {
    for (int s = 0; s < rows.length; s++) {
      int in = Fabric.NONE;
      int at = dest.hasHosts[s] ? s : Fabric.NONE;
      while (at != Fabric.NONE && at != dest.switchOf[lid]) {
        int number = rows[at][lid] & 0xff;
        if (number == ForwardingTables.NO_PORT) {
          break;
        }
        if (in != Fabric.NONE) {
          next[in * WORDS + (number >>> 6)] |= 1L << number;
        }
        if (stamp[at] == lid) {
          break; // from here on it is known
        }
        stamp[at] = lid;
        in = fabric.port(at, number);
        int to = fabric.peerNode(in);
        at = fabric.isSwitch(to) ? to : Fabric.NONE;
      }
    }
  }

  private boolean hasCycle() {
    byte[] state = new byte[ports];
    int[] stack = new int[ports];
    int[] from = new int[ports]; // by channel: the output to look at next
    Arrays.fill(from, 0);
    for (int first = 0; first < ports; first++) {
      int n = 0;
      if (state[first] == 0) {
        state[first] = OPEN;
        stack[n++] = first;
      }
      while (n > 0) {
        int channel = stack[n - 1];
        int number = nextOutput(channel, from[channel]);
        if (number < 0) {
          state[channel] = DONE;
          n--;
          continue;
        }
        from[channel] = number + 1;
        int out = fabric.port(fabric.peerNode(channel), number);
        if (state[out] == OPEN) {
          return true;
        }
        if (state[out] == 0) {
          state[out] = OPEN;
          stack[n++] = out;
        }
      }
    }
    return false;
  }

  private int nextOutput(int channel, int from) {
    for (int w = from >>> 6; w < WORDS; w++) {
      long bits = next[channel * WORDS + w] & (w == from >>> 6 ? -1L << from : -1L);
      if (bits != 0) {
        return (w << 6) + Long.numberOfTrailingZeros(bits);
      }
    }
    return -1;
  }
}
