package org.heddle.routing.tree;

import org.heddle.fabric.Fabric;

/**
 * Finds channel adapters, routers and their ports by GUID with one look-up, where {@link Fabric}
 * takes two binary searches: orders name every host, and searching was most of what they cost.
 *
 * <p>Open addressing, at most half full. Immutable. Built in O(endports).
 */
public final class GuidIndex {
  public static final int UNKNOWN = Integer.MIN_VALUE;

  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  private final Fabric fabric;

  /** Pairs of a GUID, 0 if free, and its port or ~node: one cache line for a look-up. */
  private final long[] pairs;

  private final int shift;

  public GuidIndex(Fabric fabric) {
    this.fabric = fabric;
    int entries = 0;
    for (int node = fabric.switchCount(); node < fabric.nodeCount(); node++) {
      entries += 1 + fabric.portCount(node);
    }
    int bits = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(2, 2 * entries - 1));
    shift = Long.SIZE - bits;
    pairs = new long[2 << bits];
    for (int node = fabric.switchCount(); node < fabric.nodeCount(); node++) {
      for (int number = 1; number <= fabric.portCount(node); number++) {
        int port = fabric.port(node, number);
        put(fabric.portGuid(port), port);
      }
    }
    for (int node = fabric.switchCount(); node < fabric.nodeCount(); node++) {
      int what = fabric.portCount(node) == 1 ? fabric.port(node, 1) : ~node;
      put(fabric.nodeGuid(node), what); // a port of the same GUID is there already and stays
    }
  }

  private void put(long guid, int what) {
    int i = place(guid);
    if (guid != 0 && pairs[i] == 0) {
      pairs[i] = guid;
      pairs[i + 1] = what;
    }
  }

  /** Where a GUID is, or would be. */
  private int place(long guid) {
    int i = 2 * (int) (guid * GOLDEN >>> shift);
    while (pairs[i] != guid && pairs[i] != 0) {
      i = i + 2 & pairs.length - 1;
    }
    return i;
  }

  /**
   * The port of a GUID, or of the node that has it; {@code ~node} if it has several; else {@link
   * #UNKNOWN}.
   */
  public int find(long guid) {
    int i = place(guid);
    if (pairs[i] != 0) {
      return (int) pairs[i + 1];
    }
    int port = fabric.findPort(guid); // a switch, or nothing
    int node = port != Fabric.NONE ? Fabric.NONE : fabric.findNode(guid);
    return port != Fabric.NONE ? port : node != Fabric.NONE ? ~node : UNKNOWN;
  }
}
