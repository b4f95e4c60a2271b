package org.heddle.verify.isolation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.heddle.routing.ForwardingTables;
import org.heddle.verify.Network;
import org.heddle.verify.RouteTree;
import org.heddle.verify.Workers;

/**
 * One worker's pass over a range of {@link Memberships} as destinations. From the switches that
 * have sources the entries are followed towards the LID, each switch once; what enters a switch is
 * added up. Costs O(switches on the way) for each destination, however many pairs there are.
 *
 * <p>A route counts as far as it goes: one that is dropped, or runs in a circle, has used its
 * channels, each of them once.
 */
final class PartitionSweep {
  private static final int[] EMPTY = {};
  private static final int WORDS = 4;

  private final Network net;
  private final ForwardingTables tables;
  private final Memberships members;
  private final boolean[] receiver; // by membership

  /** By port id: distinct destinations of any partition, and those that are receivers. */
  final int[] load;

  final int[] receivers;

  /** What was found for a partition; consecutive workers may both have a part of one. */
  record Part(int partition, PartitionChannels channels, long routes, long unreached) {}

  final List<Part> parts = new ArrayList<>();

  // the walk towards one LID; valid for switches stamped with the current walk
  private final int[] stamp;
  private final int[] next;
  private final int[] out;
  private final int[] weight;
  private final int[] pending; // predecessors not yet added up; all zero between walks
  private final int[] touched;
  private final int[] queue;
  private int touchedCount;
  private int walk;

  // of the current partition, by port id four words: destinations, routes, their weights, nothing;
  // side by side because a big partition touches more channels than the cache holds
  private final long[] sums;
  private int[] used = EMPTY;
  private int usedCount;
  private long allRoutes;
  private long unreached;

  PartitionSweep(Network net, ForwardingTables tables, Memberships members, boolean[] receiver) {
    this.net = net;
    this.tables = tables;
    this.members = members;
    this.receiver = receiver;
    this.load = new int[net.switchPorts];
    this.receivers = new int[net.switchPorts];
    this.stamp = new int[net.switches];
    this.next = new int[net.switches];
    this.out = new int[net.switches];
    this.weight = new int[net.switches];
    this.pending = new int[net.switches];
    this.touched = new int[net.switches];
    this.queue = new int[net.switches];
    this.sums = new long[WORDS * net.switchPorts];
  }

  /** Follows the routes to the memberships {@code from .. to - 1}. */
  void run(int from, int to, Workers.Counter counter) {
    for (int m = from; m < to; m++) {
      int port = members.port[m];
      int lids = net.lidCount(port);
      for (int i = 0; i < lids; i++) {
        destination(m, net.lid(port, i));
      }
      counter.add(lids);
      if (m + 1 == to || members.partition[m + 1] != members.partition[m]) {
        closePart(members.partition[m]);
      }
    }
  }

  private void destination(int m, int lid) {
    int port = members.port[m];
    begin();
    allRoutes += enter(m, lid);
    settle();
    boolean alone = members.partitionsOf(port) == 1;
    addUp(members.weight[m], alone, alone && receiver[m]);
    if (!alone && members.byPort[members.portStart[port]] == m) {
      // one destination, however many partitions send to it: the union of their channels
      union(port, lid, load, false);
      union(port, lid, receivers, true);
    }
  }

  // ---- the walk

  private void begin() {
    walk++;
    touchedCount = 0;
  }

  /** Lets the sources of a membership's partition send; returns their number. */
  private long enter(int m, int lid) {
    int p = members.partition[m];
    int owner = members.port[m];
    int attached = net.attachedSwitch(owner);
    int component = net.component[attached];
    boolean full = members.full[m];
    long sources = 0;
    for (int k = members.senderStart[p]; k < members.senderStart[p + 1]; k++) {
      int sw = members.senderSwitch[k];
      int n = full ? members.senderAll[k] : members.senderFull[k];
      n -= full && sw == attached ? 1 : 0; // it does not send to itself
      if (n > 0 && net.component[sw] == component) {
        sources += n;
        follow(sw, n, lid, owner);
      }
    }
    return sources;
  }

  private void follow(int from, int sources, int lid, int owner) {
    int s = from;
    int arriving = sources;
    while (stamp[s] != walk) {
      stamp[s] = walk;
      weight[s] = arriving;
      arriving = 0;
      touched[touchedCount++] = s;
      int n = step(s, tables.port(s, lid), owner);
      next[s] = n;
      if (n < 0) {
        return;
      }
      pending[n]++;
      s = n;
    }
    weight[s] += arriving;
  }

  private int step(int s, int number, int owner) {
    int port = net.first[s] + number;
    out[s] = port;
    if (port >= net.first[s + 1]) {
      return number == ForwardingTables.NO_PORT ? RouteTree.NO_ENTRY : RouteTree.PORT_OUT_OF_RANGE;
    }
    int n = net.hop[port];
    boolean delivered = n == RouteTree.WRONG_HOST && net.peer[port] == owner;
    return delivered ? RouteTree.DELIVERED : n;
  }

  /** Adds up what enters every switch, in topological order; circles last. */
  private void settle() {
    int tail = 0;
    for (int i = 0; i < touchedCount; i++) {
      if (pending[touched[i]] == 0) {
        queue[tail++] = touched[i];
      }
    }
    for (int head = 0; head < tail; head++) {
      int s = queue[head];
      int n = next[s];
      if (n >= 0) {
        weight[n] += weight[s];
        if (--pending[n] == 0) {
          queue[tail++] = n;
        }
      } else if (n != RouteTree.DELIVERED) {
        unreached += weight[s];
      }
    }
    for (int i = 0; tail < touchedCount && i < touchedCount; i++) {
      if (pending[touched[i]] != 0) {
        unreached += closeCircle(touched[i]);
      }
    }
  }

  /** A route that enters a loop takes all of its channels. */
  private int closeCircle(int head) {
    int total = 0;
    int s = head;
    do {
      total += weight[s];
      pending[s] = 0;
      s = next[s];
    } while (s != head);
    do {
      weight[s] = total;
      s = next[s];
    } while (s != head);
    return total;
  }

  private void addUp(int destinationWeight, boolean count, boolean receiving) {
    for (int i = 0; i < touchedCount; i++) {
      int s = touched[i];
      if (next[s] < 0) {
        continue;
      }
      int c = out[s];
      int at = WORDS * c;
      if (sums[at]++ == 0) {
        use(c);
      }
      sums[at + 1] += weight[s];
      sums[at + 2] += destinationWeight;
      if (count) {
        load[c]++;
        receivers[c] += receiving ? 1 : 0;
      }
    }
  }

  private void union(int port, int lid, int[] counts, boolean receiversOnly) {
    begin();
    for (int k = members.portStart[port]; k < members.portStart[port + 1]; k++) {
      int m = members.byPort[k];
      if (!receiversOnly || receiver[m]) {
        enter(m, lid);
      }
    }
    for (int i = 0; i < touchedCount; i++) {
      int s = touched[i];
      pending[s] = 0;
      if (next[s] >= 0) {
        counts[out[s]]++;
      }
    }
  }

  // ---- the sums of a partition

  private void use(int channel) {
    if (usedCount == used.length) {
      used = Arrays.copyOf(used, Math.max(256, 2 * usedCount));
    }
    used[usedCount++] = channel;
  }

  private void closePart(int partition) {
    int n = usedCount;
    int[] port = Arrays.copyOf(used, n);
    Arrays.sort(port);
    int[] d = new int[n];
    long[] r = new long[n];
    long[] w = new long[n];
    for (int i = 0; i < n; i++) {
      int at = WORDS * port[i];
      d[i] = (int) sums[at];
      r[i] = sums[at + 1];
      w[i] = sums[at + 2];
      Arrays.fill(sums, at, at + WORDS, 0);
    }
    parts.add(new Part(partition, new PartitionChannels(port, d, r, w), allRoutes, unreached));
    usedCount = 0;
    allRoutes = 0;
    unreached = 0;
  }

  /** Adds the loads of another worker. */
  void merge(PartitionSweep other) {
    for (int p = 0; p < load.length; p++) {
      load[p] += other.load[p];
      receivers[p] += other.receivers[p];
    }
    parts.addAll(other.parts);
  }
}
