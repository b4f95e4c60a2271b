package org.heddle.allocation;

import java.util.BitSet;

/**
 * Which hosts a request accepts, and which it would rather have. Made once for a fabric from what
 * the operator knows of the hosts (cores, memory, accelerators).
 *
 * <p>Immutable. Ids are node ids of the plant's fabric.
 */
public final class HostChoice {
  /** Any host, all alike. */
  public static final HostChoice ANY = new HostChoice(null, null);

  private final BitSet eligible;
  private final int[] cost;

  private HostChoice(BitSet eligible, int[] cost) {
    this.eligible = eligible;
    this.cost = cost;
  }

  /** Hosts with these node ids only. */
  public static HostChoice only(BitSet nodes) {
    return new HostChoice((BitSet) nodes.clone(), null);
  }

  /**
   * The same without hosts of these node ids.
   *
   * @param nodeCount nodes of the fabric
   */
  public HostChoice without(BitSet nodes, int nodeCount) {
    if (nodes.isEmpty()) {
      return this;
    }
    BitSet left = new BitSet(nodeCount);
    if (eligible == null) {
      left.set(0, nodeCount);
    } else {
      left.or(eligible);
    }
    left.andNot(nodes);
    return new HostChoice(left, cost);
  }

  /** The same, preferring hosts of low cost: by node id, not negative. */
  public HostChoice withCost(int[] costByNode) {
    return new HostChoice(eligible, costByNode.clone());
  }

  /** True if every host is accepted. */
  public boolean acceptsAll() {
    return eligible == null;
  }

  /** True if the host has what is asked for. */
  public boolean accepts(int node) {
    return eligible == null || eligible.get(node);
  }

  /** True if hosts differ in cost. */
  public boolean hasCosts() {
    return cost != null;
  }

  /** What the host costs; 0 if costs are unknown. */
  public int cost(int node) {
    return cost == null ? 0 : cost[node];
  }
}
