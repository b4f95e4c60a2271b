package org.heddle.routing.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;
import org.heddle.tenancy.IsolationPolicy;

/**
 * Which partitions meet on which switch-to-switch channels, traced from finished tables: what an
 * engine claims rests on this, not on what it meant to do. The verifier computes the same on its
 * own.
 *
 * <p>A partition's destinations are pushed through the tables switch by switch, as bits, so that a
 * (switch, destination) combination is looked at once however many senders are behind it, and a row
 * of the tables is read in one go. O(sum over partitions of switches * members) at most.
 */
final class PartitionChannels {
  private static final int LISTED = 20;

  private final Fabric fabric;
  private final ForwardingTables tables;
  private final PartitionMap map;

  /** Partitions on a channel, by port id: null, or their indices ascending. */
  private final int[][] users;

  private final int[] lastUser;
  private final int[] queue;
  private final boolean[] queued;
  private long broken;

  PartitionChannels(Fabric fabric, ForwardingTables tables, PartitionMap map, Destinations dest) {
    this.fabric = fabric;
    this.tables = tables;
    this.map = map;
    users = new int[fabric.portIdLimit()][];
    lastUser = new int[fabric.portIdLimit()];
    Arrays.fill(lastUser, -1);
    queue = new int[fabric.switchCount() + 1];
    queued = new boolean[fabric.switchCount()];
    for (int p = 0; p < map.count; p++) {
      if (map.switches[p].length > 1) {
        push(p, dest);
      }
    }
  }

  private void push(int p, Destinations dest) {
    int[] lids = map.lids[p];
    int words = (lids.length + 63) >>> 6;
    long[] waiting = new long[fabric.switchCount() * words];
    long[] seen = new long[waiting.length];
    long[] fullBits = new long[words];
    long[] allBits = new long[words];
    for (int i = 0; i < lids.length; i++) {
      allBits[i >>> 6] |= 1L << i;
      fullBits[i >>> 6] |= map.full[p][i] ? 1L << i : 0;
      seen[dest.switchOf[lids[i]] * words + (i >>> 6)] |= 1L << i; // arrived: goes nowhere
    }
    int head = 0;
    int tail = 0;
    for (int s : map.switches[p]) {
      boolean full = Arrays.binarySearch(map.fullSwitches[p], s) >= 0;
      for (int w = 0; w < words; w++) {
        waiting[s * words + w] |= full ? allBits[w] : fullBits[w];
      }
      queue[tail++] = s;
      queued[s] = true;
    }
    while (head != tail) {
      int s = queue[head];
      head = head + 1 == queue.length ? 0 : head + 1;
      queued[s] = false;
      for (int w = 0; w < words; w++) {
        int at = s * words + w;
        long fresh = waiting[at] & ~seen[at];
        waiting[at] = 0;
        seen[at] |= fresh;
        for (; fresh != 0; fresh &= fresh - 1) {
          int i = (w << 6) + Long.numberOfTrailingZeros(fresh);
          int next = follow(p, s, lids[i]);
          if (next < 0 || (seen[next * words + w] >>> i & 1) != 0) {
            continue;
          }
          waiting[next * words + w] |= 1L << i;
          if (!queued[next]) {
            queued[next] = true;
            queue[tail] = next;
            tail = tail + 1 == queue.length ? 0 : tail + 1;
          }
        }
      }
    }
  }

  /** Notes the channel that s sends the LID over; returns the switch behind it, or -1. */
  private int follow(int p, int s, int lid) {
    int out = tables.port(s, lid);
    if (out == ForwardingTables.NO_PORT || out == 0 || out > fabric.portCount(s)) {
      return -1;
    }
    int channel = fabric.port(s, out);
    int next = fabric.peerNode(channel);
    if (!fabric.isSwitch(next)) {
      return -1;
    }
    if (lastUser[channel] != p) {
      lastUser[channel] = p;
      users[channel] = append(users[channel], p);
    }
    return next;
  }

  private static int[] append(int[] list, int p) {
    if (list == null) {
      return new int[] {p};
    }
    int[] longer = Arrays.copyOf(list, list.length + 1);
    longer[list.length] = p;
    return longer;
  }

  /** Pairs of partitions that meet on a channel: {@code meets[a][b]}. */
  boolean[][] meets() {
    boolean[][] meets = new boolean[map.count][map.count];
    for (int[] list : users) {
      for (int i = 0; list != null && i < list.length; i++) {
        for (int j = i + 1; j < list.length; j++) {
          meets[list[i]][list[j]] = true;
          meets[list[j]][list[i]] = true;
        }
      }
    }
    return meets;
  }

  /** Number of channels that physically isolated partitions use. */
  int physical() {
    int count = 0;
    for (int[] list : users) {
      boolean physical = false;
      for (int i = 0; list != null && i < list.length; i++) {
        physical |= map.isPhysical(list[i]);
      }
      count += physical ? 1 : 0;
    }
    return count;
  }

  /** Number of (channel, pair of partitions) combinations that {@link #violations} found. */
  long broken() {
    return broken;
  }

  /** Broken promises, one sentence per channel and pair, in channel order; the first few. */
  List<String> violations(int[] lane) {
    boolean[][] bad = new boolean[map.count][map.count];
    for (int a = 0; a < map.count; a++) {
      for (int b = 0; b < map.count; b++) {
        bad[a][b] = a != b && reason(a, b, lane) != null;
      }
    }
    List<String> out = new ArrayList<>();
    broken = 0;
    for (int channel = 0; channel < users.length; channel++) {
      int[] list = users[channel];
      for (int i = 0; list != null && i < list.length; i++) {
        for (int j = i + 1; j < list.length; j++) {
          if (bad[list[i]][list[j]] && ++broken <= LISTED) {
            out.add(sentence(channel, list[i], list[j], lane));
          }
        }
      }
    }
    if (broken > LISTED) {
      out.add("... and " + (broken - LISTED) + " more");
    }
    return out;
  }

  private String sentence(int channel, int a, int b, int[] lane) {
    return fabric.node(fabric.nodeOf(channel)).display()
        + " port "
        + fabric.numberOf(channel)
        + ": "
        + map.tenancy.partitions().get(a).name()
        + " and "
        + map.tenancy.partitions().get(b).name()
        + reason(a, b, lane);
  }

  private String reason(int a, int b, int[] lane) {
    if (map.tenancy.mayShare(a, b)) {
      return null;
    }
    if (map.clash(a, b)) {
      return " share it, and physical isolation was promised";
    }
    boolean lanes =
        map.policy(a) == IsolationPolicy.VLANE || map.policy(b) == IsolationPolicy.VLANE;
    return lanes && lane[a] == lane[b]
        ? " share it on one lane, and lanes of their own were promised"
        : null;
  }
}
