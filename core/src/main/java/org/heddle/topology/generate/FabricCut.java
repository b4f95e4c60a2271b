package org.heddle.topology.generate;

import java.util.BitSet;
import org.heddle.fabric.Fabric;

/** Removes named nodes and links from a fabric, as a failure would. */
public final class FabricCut {
  private FabricCut() {}

  /**
   * The fabric without some nodes and cables; port counts, addresses and names of what is left stay
   * as they are. O(nodes + ports).
   *
   * @param nodes node ids to leave out, with their cables
   * @param ports port ids whose cables to leave out; either end will do
   */
  public static Fabric without(Fabric fabric, BitSet nodes, BitSet ports) {
    boolean[] dropNode = new boolean[fabric.nodeCount()];
    boolean[] dropPort = new boolean[fabric.portIdLimit()];
    nodes.stream().forEach(node -> dropNode[node] = true);
    ports.stream().forEach(port -> dropPort[port] = true);
    return new FabricCopy(fabric, dropNode, dropPort, new int[fabric.nodeCount()]).build();
  }
}
