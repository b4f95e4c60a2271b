package org.heddle.fabric;

import java.util.Arrays;

/**
 * LIDs in addition to the base LIDs: those of virtual functions, which are delivered at the port of
 * the hypervisor that they belong to (vSwitch: Tasoulas, thesis, papers II and V). They need not be
 * consecutive, and they move between ports while the base LIDs stay.
 *
 * <p>Every LID has a weight: the share of its hypervisor's link relative to the other LIDs there, 1
 * where nothing is known, {@value #IDLE} for a virtual function that runs no machine. Immutable;
 * valid for one snapshot, since it names port ids. Look-ups by port are O(log n).
 */
public final class VirtualLids {
  /** Weight of a LID that is kept for a virtual function without a machine. */
  public static final int IDLE = 0;

  /** No virtual LIDs. */
  public static final VirtualLids NONE = new VirtualLids(new long[0], new int[0], new int[0]);

  private final long[] order; // port << 32 | LID, ascending
  private final int[] lid; // by position in order
  private final int[] weight;

  private VirtualLids(long[] order, int[] lid, int[] weight) {
    this.order = order;
    this.lid = lid;
    this.weight = weight;
  }

  /**
   * Collects LIDs in any order.
   *
   * @param lids unicast, each at most once
   * @param ports id of the port each one is delivered at
   * @param weights not negative
   * @throws IllegalArgumentException if lengths differ, a LID is not unicast or occurs twice
   */
  public static VirtualLids of(int[] lids, int[] ports, int[] weights) {
    if (lids.length != ports.length || lids.length != weights.length) {
      throw new IllegalArgumentException("one port and one weight per LID is needed");
    }
    int n = lids.length;
    long[] keys = new long[n];
    int[] weightOf = new int[Lid.MAX_UNICAST + 1];
    Arrays.fill(weightOf, -1);
    for (int i = 0; i < n; i++) {
      if (!Lid.isUnicast(lids[i]) || weightOf[lids[i]] >= 0) {
        throw new IllegalArgumentException("LID " + lids[i] + " is not unicast or occurs twice");
      }
      if (ports[i] < 0 || weights[i] < 0) {
        throw new IllegalArgumentException("port " + ports[i] + ", weight " + weights[i]);
      }
      weightOf[lids[i]] = weights[i];
      keys[i] = (long) ports[i] << 32 | lids[i];
    }
    Arrays.sort(keys);
    int[] lid = new int[n];
    int[] weight = new int[n];
    for (int i = 0; i < n; i++) {
      lid[i] = (int) keys[i];
      weight[i] = weightOf[lid[i]];
    }
    return new VirtualLids(keys, lid, weight);
  }

  /** Number of LIDs. */
  public int size() {
    return lid.length;
  }

  /** The i-th LID, in the order of ports, then of LIDs. */
  public int lid(int i) {
    return lid[i];
  }

  /** The port the i-th LID is delivered at. */
  public int port(int i) {
    return (int) (order[i] >>> 32);
  }

  /** Weight of the i-th LID; {@link #IDLE} if no machine has it. */
  public int weight(int i) {
    return weight[i];
  }

  /** Index of the first LID of a port; those of port p are {@code first(p) .. first(p + 1) - 1}. */
  public int first(int port) {
    int at = Arrays.binarySearch(order, (long) port << 32);
    return at >= 0 ? at : -at - 1;
  }

  /** Number of LIDs of a port. */
  public int count(int port) {
    return first(port + 1) - first(port);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof VirtualLids v
        && Arrays.equals(order, v.order)
        && Arrays.equals(weight, v.weight);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(order);
  }

  @Override
  public String toString() {
    return "VirtualLids[" + lid.length + "]";
  }
}
