package org.heddle.fabric;

import java.util.Arrays;

/**
 * Some nodes of a fabric with the cables among them, as a fabric of its own.
 *
 * <p>Nodes keep their order, GUIDs, port numbers, names. LIDs are renumbered without gaps, in their
 * old order, so that routing the part costs only its own LIDs; ranges of an LMC stay together.
 * Cables to nodes outside are left out, and ports that are no longer endports have no LID.
 * Immutable. Made in O(ports and LIDs of the part, nodes of the whole).
 */
public final class FabricPart {
  private final Fabric part;
  private final int[] wholeNode;
  private final int[] wholeLid;

  private FabricPart(Fabric part, int[] wholeNode, int[] wholeLid) {
    this.part = part;
    this.wholeNode = wholeNode;
    this.wholeLid = wholeLid;
  }

  /**
   * Cuts a part out.
   *
   * @param nodes ids of its nodes, ascending, none twice
   */
  public static FabricPart of(Fabric whole, int[] nodes) {
    int[] partNode = new int[whole.nodeCount()];
    Arrays.fill(partNode, Fabric.NONE);
    FabricBuilder.Parts parts = new FabricBuilder.Parts();
    parts.epoch = whole.epoch();
    parts.listed = whole.machineList();
    parts.firstPort = new int[nodes.length + 1];
    for (int n = 0; n < nodes.length; n++) {
      if (n > 0 && nodes[n] <= nodes[n - 1]) {
        throw new IllegalArgumentException("nodes of a part are not in order");
      }
      partNode[nodes[n]] = n;
      parts.firstPort[n + 1] = parts.firstPort[n] + whole.portCount(nodes[n]) + 1;
      parts.switchCount += whole.isSwitch(nodes[n]) ? 1 : 0;
      parts.caCount += whole.nodeType(nodes[n]) == NodeType.CA ? 1 : 0;
    }
    parts.allocate();
    for (int n = 0; n < nodes.length; n++) {
      whole.copyNode(nodes[n], parts, n, partNode);
    }
    int[] lids = lids(whole, nodes, partNode);
    int[] wholeLid = new int[lids.length + 1];
    int count = 0;
    for (int lid : lids) {
      int owner = whole.portOfLid(lid);
      int node = partNode[whole.nodeOf(owner)];
      int port = parts.firstPort[node] + whole.numberOf(owner);
      if (node < parts.switchCount || parts.peer[port] != Fabric.NONE) {
        wholeLid[++count] = lid;
        if (whole.lid(owner) == lid) {
          parts.lid[port] = count;
          parts.lmc[port] = (byte) whole.lmc(owner);
        }
      }
    }
    int[] kept = Arrays.copyOf(wholeLid, count + 1);
    Fabric part = new Fabric(parts);
    return new FabricPart(virtual(whole, part, partNode, kept), nodes.clone(), kept);
  }

  /** The LIDs of these nodes, ascending. */
  private static int[] lids(Fabric whole, int[] nodes, int[] partNode) {
    int[] out = new int[nodes.length];
    int n = 0;
    for (int node : nodes) {
      for (int number = 0; number <= whole.portCount(node); number++) {
        int port = whole.port(node, number);
        int base = whole.lid(port);
        int end = base == Lid.NONE ? base : base + (1 << whole.lmc(port));
        for (int lid = base; lid < end; lid++) {
          if (whole.portOfLid(lid) == port) {
            out = n == out.length ? Arrays.copyOf(out, 2 * n) : out;
            out[n++] = lid;
          }
        }
      }
    }
    VirtualLids virtual = whole.virtualLids();
    for (int i = 0; i < virtual.size(); i++) {
      if (partNode[whole.nodeOf(virtual.port(i))] != Fabric.NONE) {
        out = n == out.length ? Arrays.copyOf(out, 2 * n) : out;
        out[n++] = virtual.lid(i);
      }
    }
    out = Arrays.copyOf(out, n);
    Arrays.sort(out);
    return out;
  }

  private static Fabric virtual(Fabric whole, Fabric part, int[] partNode, int[] wholeLid) {
    VirtualLids all = whole.virtualLids();
    int[] lids = new int[all.size()];
    int[] ports = new int[lids.length];
    int[] weights = new int[lids.length];
    int n = 0;
    for (int i = 0; i < lids.length; i++) {
      int lid = Arrays.binarySearch(wholeLid, all.lid(i)); // entry 0 is 0, which is no LID
      if (lid > 0) {
        lids[n] = lid;
        int node = partNode[whole.nodeOf(all.port(i))];
        ports[n] = part.port(node, whole.numberOf(all.port(i)));
        weights[n++] = all.weight(i);
      }
    }
    return n == 0
        ? part
        : part.withVirtualLids(
            VirtualLids.of(
                Arrays.copyOf(lids, n), Arrays.copyOf(ports, n), Arrays.copyOf(weights, n)));
  }

  /** The part. */
  public Fabric fabric() {
    return part;
  }

  /** Id in the whole fabric of a node of the part. */
  public int wholeNode(int node) {
    return wholeNode[node];
  }

  /** LID in the whole fabric of a LID of the part, 1 .. top LID of the part. */
  public int wholeLid(int lid) {
    return wholeLid[lid];
  }
}
