package org.heddle.topology.generate;

import java.util.function.IntPredicate;
import org.heddle.fabric.Fabric;

/** Fabrics without some of their hosts. */
public final class FabricWithout {
  private FabricWithout() {}

  /**
   * The fabric without these channel adapters and routers and their cables. Switches keep their
   * ids, ports their LIDs, so that tables of the fabric are those of what remains. O(nodes +
   * ports).
   *
   * @param left node ids to leave out; switches stay whatever it says
   */
  public static Fabric hosts(Fabric fabric, IntPredicate left) {
    boolean[] drop = new boolean[fabric.nodeCount()];
    for (int node = fabric.switchCount(); node < drop.length; node++) {
      drop[node] = left.test(node);
    }
    return new FabricCopy(
            fabric, drop, new boolean[fabric.portIdLimit()], new int[fabric.nodeCount()])
        .build();
  }
}
