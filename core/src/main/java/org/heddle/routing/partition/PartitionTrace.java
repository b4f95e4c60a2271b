package org.heddle.routing.partition;

import java.util.Arrays;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.tree.Destinations;

/**
 * Follows the traffic of all partitions at once through finished tables and notes the partitions of
 * every switch-to-switch channel.
 *
 * <p>Destinations are bits, one for each (partition, LID of a member). A switch is visited with all
 * the bits that have arrived since its last visit: a row of the tables is read in one go, however
 * many partitions pass, and an entry is looked at once for each bit, however many senders are
 * behind it. In a tree a switch is visited twice, on the way up and down. Exact for tables of any
 * origin, with circles, too: a bit passes a switch once. O(switches * memberships) at most.
 */
final class PartitionTrace {
  /**
   * Bits are taken in parts, so that what a part needs (in words of 8 bytes) stays in the cache.
   */
  static final int CACHED_WORDS = 1 << 20;

  private final Fabric fabric;
  private final ForwardingTables tables;
  private final PartitionMap map;
  private final Destinations dest;
  private final int switches;

  /** Switch behind a port of a switch, by port id; -1 for ports that lead to none. */
  private final int[] hop;

  private final int[] lidOf; // by bit
  private final int[] partitionOf; // by bit
  private final int[] first; // by partition, its first bit

  private final int words; // bits of a part
  private final long[] state; // by switch and word of the part: bits waiting, bits that have passed
  private final int[] queue;
  private final boolean[] queued;
  private int head;
  private int waiting;

  private final int[] senders; // scratch: ports of the partition by switch
  private final int[] fullSenders; // scratch: those of them that are full members
  private final long[] every; // scratch: bits of the partition
  private final long[] fullOnes; // scratch: those of them that are full members

  private final byte[] row; // scratch: the current switch's
  private final int copied; // its entries; for LIDs beyond there are none

  private final int userWords;
  private final long[] users;

  /**
   * @param mostWords how much the state of a part may hold, at least one word a switch is taken
   */
  PartitionTrace(
      Fabric fabric, ForwardingTables tables, PartitionMap map, Destinations dest, int mostWords) {
    this.fabric = fabric;
    this.tables = tables;
    this.map = map;
    this.dest = dest;
    switches = fabric.switchCount();
    hop = hops(fabric);
    first = new int[map.count + 1];
    for (int p = 0; p < map.count; p++) {
      first[p + 1] = first[p] + map.lids[p].length;
    }
    lidOf = new int[first[map.count]];
    partitionOf = new int[lidOf.length];
    for (int p = 0; p < map.count; p++) {
      System.arraycopy(map.lids[p], 0, lidOf, first[p], map.lids[p].length);
      Arrays.fill(partitionOf, first[p], first[p + 1], p);
    }
    int all = (lidOf.length + 63) >>> 6;
    words = Math.min(all, Math.max(1, mostWords / (2 * Math.max(1, switches))));
    state = new long[2 * words * switches];
    queue = new int[switches];
    queued = new boolean[switches];
    senders = new int[switches];
    fullSenders = new int[switches];
    every = new long[words];
    fullOnes = new long[words];
    row = new byte[dest.topLid + 1];
    copied = Math.min(dest.topLid, tables.topLid()) + 1;
    Arrays.fill(row, (byte) ForwardingTables.NO_PORT);
    userWords = (map.count + 63) >>> 6;
    users = new long[hop.length * userWords];
  }

  private static int[] hops(Fabric fabric) {
    int switches = fabric.switchCount();
    int last = switches - 1;
    int[] hop = new int[last < 0 ? 0 : fabric.port(last, 0) + fabric.portCount(last) + 1];
    Arrays.fill(hop, -1);
    for (int s = 0; s < switches; s++) {
      for (int number = 1; number <= fabric.portCount(s); number++) {
        int port = fabric.port(s, number);
        int next = fabric.peerNode(port);
        hop[port] = fabric.isSwitch(next) ? next : -1;
      }
    }
    return hop;
  }

  /**
   * The partitions of every channel: bit p of the row at port id * ceil(partitions / 64), for the
   * ports of switches.
   */
  long[] users() {
    for (int from = 0; from < lidOf.length; from += words << 6) {
      int to = Math.min(lidOf.length, from + (words << 6));
      Arrays.fill(state, 0);
      for (int p = partitionOf[from]; p <= partitionOf[to - 1]; p++) {
        start(p, from, to);
      }
      while (waiting > 0) {
        visit(take(), from);
      }
    }
    return users;
  }

  /** Lets the members of a partition send to the bits {@code from .. to - 1} it has there. */
  private void start(int p, int from, int to) {
    int a = Math.max(from, first[p]);
    int b = Math.min(to, first[p + 1]);
    if (a >= b) {
      return;
    }
    count(p);
    for (int bit = a; bit < b; bit++) {
      every[bit - from >>> 6] |= 1L << bit - from;
      fullOnes[bit - from >>> 6] |= map.full[p][bit - first[p]] ? 1L << bit - from : 0;
    }
    int firstWord = a - from >>> 6;
    int endWord = (b - from - 1 >>> 6) + 1;
    for (int s : map.switches[p]) {
      // limited members talk to full ones only
      long[] bits = fullSenders[s] > 0 ? every : fullOnes;
      for (int w = firstWord; w < endWord; w++) {
        state[2 * (s * words + w)] |= bits[w];
      }
      put(s);
    }
    for (int bit = a; bit < b; bit++) {
      int s = dest.switchOf[lidOf[bit]];
      if (senders[s] == 1) { // nobody sends to itself
        state[2 * (s * words + (bit - from >>> 6))] &= ~(1L << bit - from);
      }
    }
    Arrays.fill(every, firstWord, endWord, 0);
    Arrays.fill(fullOnes, firstWord, endWord, 0);
    for (int s : map.switches[p]) {
      senders[s] = 0;
      fullSenders[s] = 0;
    }
  }

  private void count(int p) {
    for (int i = 0; i < map.lids[p].length; i++) {
      int lid = map.lids[p][i];
      if (fabric.lid(fabric.portOfLid(lid)) == lid) { // once for a port of several LIDs
        senders[dest.switchOf[lid]]++;
        fullSenders[dest.switchOf[lid]] += map.full[p][i] ? 1 : 0;
      }
    }
  }

  private void put(int s) {
    if (!queued[s]) {
      queued[s] = true;
      int at = head + waiting++;
      queue[at < switches ? at : at - switches] = s;
    }
  }

  private int take() {
    int s = queue[head];
    head = head + 1 == switches ? 0 : head + 1;
    waiting--;
    queued[s] = false;
    return s;
  }

  private void visit(int s, int from) {
    int ports = fabric.portCount(s);
    int base = fabric.port(s, 0);
    int at = 2 * s * words;
    tables.copy(s, 0, row, 0, copied); // in order, which is faster than fetching entry by entry
    for (int w = 0; w < words; w++, at += 2) {
      long fresh = state[at] & ~state[at + 1];
      state[at] = 0;
      state[at + 1] |= fresh;
      int bits = from + (w << 6);
      for (; fresh != 0; fresh &= fresh - 1) {
        int bit = bits + Long.numberOfTrailingZeros(fresh);
        int out = row[lidOf[bit]] & 0xff;
        int next = out <= ports ? hop[base + out] : -1;
        if (next >= 0) {
          int p = partitionOf[bit];
          users[(base + out) * userWords + (p >>> 6)] |= 1L << p;
          state[2 * (next * words + w)] |= fresh & -fresh;
          put(next);
        }
      }
    }
  }
}
