package org.heddle.routing.engine;

import org.heddle.fabric.Fabric;

/**
 * Finds channel adapters, routers and their ports by GUID with one look-up, where {@link Fabric}
 * takes two binary searches: orders name every host, and searching was most of what they cost.
 *
 * <p>Open addressing, at most half full. Immutable. Built in O(endports).
 */
final class GuidIndex {
  static final int UNKNOWN = Integer.MIN_VALUE;

  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  private final Fabric fabric;
  private final long[] key; // 0: free
  private final int[] value; // port, or ~node
  private final int shift;

  GuidIndex(Fabric fabric) {
    this.fabric = fabric;
    int entries = 1;
    for (int node = fabric.switchCount(); node < fabric.nodeCount(); node++) {
      entries += 1 + fabric.portCount(node);
    }
    int bits = Math.max(2, 33 - Integer.numberOfLeadingZeros(entries));
    shift = Long.SIZE - bits;
    key = new long[1 << bits];
    value = new int[1 << bits];
    for (int node = fabric.switchCount(); node < fabric.nodeCount(); node++) {
      for (int number = 1; number <= fabric.portCount(node); number++) {
        int port = fabric.port(node, number);
        put(fabric.portGuid(port), port);
      }
    }
    for (int node = fabric.switchCount(); node < fabric.nodeCount(); node++) {
      put(fabric.nodeGuid(node), ~node); // a port of the same GUID is there already and stays
    }
  }

  private void put(long guid, int what) {
    int i = place(guid);
    if (guid != 0 && key[i] == 0) {
      key[i] = guid;
      value[i] = what;
    }
  }

  /** Where a GUID is, or would be. */
  private int place(long guid) {
    int i = (int) (guid * GOLDEN >>> shift);
    while (key[i] != guid && key[i] != 0) {
      i = i + 1 & key.length - 1;
    }
    return i;
  }

  /** The port of a GUID, else {@code ~node} of the node that has it, else {@link #UNKNOWN}. */
  int find(long guid) {
    int i = place(guid);
    if (key[i] != 0) {
      return value[i];
    }
    int port = fabric.findPort(guid); // a switch, or nothing
    int node = port != Fabric.NONE ? Fabric.NONE : fabric.findNode(guid);
    return port != Fabric.NONE ? port : node != Fabric.NONE ? ~node : UNKNOWN;
  }
}
