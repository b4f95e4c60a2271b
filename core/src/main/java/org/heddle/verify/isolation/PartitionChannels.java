package org.heddle.verify.isolation;

import java.util.Arrays;

/**
 * The switch-to-switch channels that the routes of one partition take, ascending by port id. A
 * channel is named by the id of the port it leaves. Immutable.
 */
public final class PartitionChannels {
  static final PartitionChannels NONE =
      new PartitionChannels(new int[0], new int[0], new long[0], new long[0]);

  private final int[] port;
  private final int[] destinations;
  private final long[] routes;
  private final long[] weight;

  /** Takes ownership of the arrays. */
  PartitionChannels(int[] port, int[] destinations, long[] routes, long[] weight) {
    this.port = port;
    this.destinations = destinations;
    this.routes = routes;
    this.weight = weight;
  }

  /** Number of channels. */
  public int size() {
    return port.length;
  }

  /** Port id of the i-th channel. */
  public int port(int i) {
    return port[i];
  }

  /** Distinct destination LIDs of the partition routed over the i-th channel, at least 1. */
  public int destinations(int i) {
    return destinations[i];
  }

  /** Routes, (source port, destination LID), over the i-th channel. */
  public long routes(int i) {
    return routes[i];
  }

  /**
   * Sum of the weights of the destinations of the i-th channel, each LID with its port's weight.
   */
  public long weight(int i) {
    return weight[i];
  }

  /** The most destinations of the partition that share one channel; 0 if it uses none. */
  public int fullest() {
    int max = 0;
    for (int d : destinations) {
      max = Math.max(max, d);
    }
    return max;
  }

  /**
   * Total contention among the destinations of the partition: R of them on one channel are worth R
   * - 1.
   */
  public long contention() {
    long total = 0;
    for (int d : destinations) {
      total += d - 1;
    }
    return total;
  }

  /** Position of the channel that leaves a port, or negative if it is not used. O(log n). */
  public int indexOf(int portId) {
    return Arrays.binarySearch(port, portId);
  }

  /** Port ids of the channels that both use, ascending. O(n + m). */
  public int[] common(PartitionChannels other) {
    int[] out = new int[Math.min(port.length, other.port.length)];
    int n = 0;
    int j = 0;
    for (int p : port) {
      while (j < other.port.length && other.port[j] < p) {
        j++;
      }
      if (j < other.port.length && other.port[j] == p) {
        out[n++] = p;
      }
    }
    return Arrays.copyOf(out, n);
  }

  /** The sums of two disjoint sets of destinations of one partition. */
  PartitionChannels plus(PartitionChannels other) {
    if (size() == 0) {
      return other;
    }
    int shared = common(other).length;
    int length = size() + other.size() - shared;
    int[] p = new int[length];
    int[] d = new int[length];
    long[] r = new long[length];
    long[] w = new long[length];
    for (int i = 0, j = 0, n = 0; n < length; n++) {
      int a = i < size() ? port[i] : Integer.MAX_VALUE;
      int b = j < other.size() ? other.port[j] : Integer.MAX_VALUE;
      p[n] = Math.min(a, b);
      if (a <= b) {
        d[n] += destinations[i];
        r[n] += routes[i];
        w[n] += weight[i++];
      }
      if (b <= a) {
        d[n] += other.destinations[j];
        r[n] += other.routes[j];
        w[n] += other.weight[j++];
      }
    }
    return new PartitionChannels(p, d, r, w);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof PartitionChannels c
        && Arrays.equals(port, c.port)
        && Arrays.equals(destinations, c.destinations)
        && Arrays.equals(routes, c.routes)
        && Arrays.equals(weight, c.weight);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(port) + Arrays.hashCode(routes);
  }

  @Override
  public String toString() {
    return "PartitionChannels[" + port.length + "]";
  }
}
