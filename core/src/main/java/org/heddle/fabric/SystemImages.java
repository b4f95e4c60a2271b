package org.heddle.fabric;

import java.util.HashMap;
import java.util.Map;

/**
 * Which channel adapters say that they are of one machine: those with the same system image GUID
 * (IBTA, volume 1, NodeInfo). Adapters without one, and those whose GUID more than {@value
 * #MAX_ADAPTERS} adapters claim, stand for themselves.
 */
public final class SystemImages {
  /** More adapters than this have no machine in common: their GUID is a default. */
  public static final int MAX_ADAPTERS = 64;

  private SystemImages() {}

  /**
   * The machine of every node.
   *
   * @return by node id the smallest node id of its machine; for switches their own. O(nodes)
   */
  public static int[] firstOfMachine(Fabric fabric) {
    int[] first = new int[fabric.nodeCount()];
    Map<Long, Integer> byGuid = new HashMap<>();
    int[] size = new int[first.length];
    for (int n = 0; n < first.length; n++) {
      long guid = fabric.systemGuid(n);
      first[n] = fabric.isSwitch(n) || guid == 0 ? n : byGuid.merge(guid, n, (old, _) -> old);
      size[first[n]]++;
    }
    for (int n = 0; n < first.length; n++) {
      if (size[first[n]] > MAX_ADAPTERS) {
        first[n] = n;
      }
    }
    return first;
  }
}
