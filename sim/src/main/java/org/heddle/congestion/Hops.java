package org.heddle.congestion;

import java.util.Arrays;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;

/**
 * The hops of all switches towards one destination, which form a tree, and an order in which to
 * pass along it. Used for one destination after the other; not thread-safe.
 *
 * <p>What is done for each switch and destination is free of hard to predict branches, as there are
 * millions: entries of all switches for one LID are copied beside each other, a block of LIDs at a
 * time (destinations should be gone through by ascending LID), ends are switches of their own, and
 * the order stays until a destination contradicts it. Sorted by hops, it suits all minimal routes
 * to the same switch.
 */
final class Hops {
  private static final int BLOCK = ForwardingTables.BLOCK_SIZE;

  /** By switch: channel it sends to; {@link Channels#NONE} at ends. */
  final int[] channel;

  /** By switch: the switch behind that channel, or an end. */
  final int[] next;

  /** All switches, but for ends; each comes after the next one on its way. */
  final int[] order;

  private final Channels channels;
  private final ForwardingTables tables;
  private final int switches;
  private final int arrived; // the end of routes that arrive, numbered like a switch
  private final int lost; // that of others
  private final int[] firstPort; // by switch
  private final int[] portLimit; // by switch: its largest number of a port
  private final long[] step; // by port id: channel << 32 | switch or end
  private final int[] place; // by switch or end: where in the order; ends before all
  private final int[] hops; // by switch or end; scratch
  private final boolean[] arrives; // by switch or end
  private final byte[] entries; // of a block: by LID, then by switch
  private int block = -1;
  private boolean all; // every switch has a way to the destination

  Hops(Channels channels, ForwardingTables tables) {
    this.channels = channels;
    this.tables = tables;
    Fabric fabric = channels.fabric;
    switches = fabric.switchCount();
    arrived = switches;
    lost = switches + 1;
    channel = new int[switches];
    next = new int[switches];
    order = new int[switches];
    place = new int[switches + 2];
    hops = new int[switches + 2];
    arrives = new boolean[switches + 2];
    arrives[arrived] = true;
    entries = new byte[BLOCK * switches];
    firstPort = new int[switches];
    portLimit = new int[switches];
    for (int s = 0; s < switches; s++) {
      firstPort[s] = fabric.port(s, 0);
      portLimit[s] = fabric.portCount(s);
      order[s] = s;
      place[s] = s;
    }
    place[arrived] = -1;
    place[lost] = -1;
    step = channels.step.clone();
    for (int port = 0; port < step.length; port++) {
      step[port] = step[port] == Channels.NONE ? end(lost) : step[port];
    }
  }

  private static long end(int end) {
    return (long) Channels.NONE << 32 | end;
  }

  /** All destinations, ascending by LID. */
  static int[] destinations(Channels channels) {
    long[] keys = new long[channels.size()];
    for (int d = 0; d < keys.length; d++) {
      keys[d] = (long) channels.lids[d] << 32 | d;
    }
    Arrays.sort(keys);
    int[] out = new int[keys.length];
    Arrays.setAll(out, i -> (int) keys[i]);
    return out;
  }

  /** True if packets at this switch arrive. */
  boolean arrives(int sw) {
    return all || arrives[sw];
  }

  /** Finds the hops towards a destination. O(switches). */
  void towards(int destination) {
    int target = channels.endports[destination];
    int lid = channels.lids[destination];
    if (lid / BLOCK != block) {
      load(lid / BLOCK);
    }
    int last = channels.fabric.peer(target);
    step[last] = end(arrived);
    int first = lid % BLOCK * switches;
    int without = 0;
    int backwards = -1; // negative as long as all hops go back in the order
    for (int sw = 0; sw < switches; sw++) {
      int number = entries[first + sw] & 0xff;
      long to = step[firstPort[sw] + (number <= portLimit[sw] ? number : 0)];
      int behind = (int) to;
      channel[sw] = (int) (to >> 32);
      next[sw] = behind;
      without += behind == lost ? 1 : 0;
      backwards &= place[behind] - place[sw];
    }
    step[last] = end(lost);
    if (backwards >= 0) {
      without += sort();
    }
    all = without == 0;
    for (int i = 0; !all && i < switches; i++) {
      arrives[order[i]] = arrives[next[order[i]]];
    }
  }

  private void load(int number) {
    block = number;
    int from = number * BLOCK;
    int length = Math.clamp(tables.topLid() + 1L - from, 0, BLOCK);
    byte[] row = new byte[BLOCK];
    Arrays.fill(row, (byte) ForwardingTables.NO_PORT);
    for (int s = 0; s < switches; s++) {
      tables.copy(s, Math.min(from, tables.topLid()), row, 0, length);
      for (int i = 0; i < BLOCK; i++) {
        entries[i * switches + s] = row[i];
      }
    }
  }

  /** Finds an order, by hops. Switches in loops become lost; returns how many hops were cut. */
  private int sort() {
    int cut = 0;
    int[] path = new int[switches + 1];
    Arrays.fill(hops, -1);
    hops[arrived] = 0;
    hops[lost] = 0;
    int longest = 0;
    for (int start = 0; start < switches; start++) {
      int length = 0;
      int sw = start;
      while (hops[sw] == -1) {
        hops[sw] = -2; // under way
        path[length++] = sw;
        sw = next[sw];
      }
      if (hops[sw] == -2) {
        next[path[length - 1]] = lost;
        channel[path[length - 1]] = Channels.NONE;
        cut++;
        sw = lost;
      }
      for (int h = hops[sw]; length > 0; ) {
        hops[path[--length]] = ++h;
        longest = Math.max(longest, h);
      }
    }
    int[] at = new int[longest + 2];
    for (int sw = 0; sw < switches; sw++) {
      at[hops[sw] + 1]++;
    }
    for (int h = 1; h < at.length; h++) {
      at[h] += at[h - 1];
    }
    for (int sw = 0; sw < switches; sw++) {
      int i = at[hops[sw]]++;
      order[i] = sw;
      place[sw] = i;
    }
    return cut;
  }
}
