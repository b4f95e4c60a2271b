package org.heddle.umad;

import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.heddle.fabric.Fabric;

/**
 * A fabric as datagrams have shown it, and how to reach its nodes. Immutable.
 *
 * <p>Node and port ids are those of {@link #fabric()}.
 */
public final class DiscoveredFabric {
  /**
   * What a switch said about its linear forwarding table.
   *
   * @param cap entries it can have
   * @param top the largest LID that is looked up
   * @param partitionCap entries of each external port's P_Key table
   */
  record SwitchLimits(int cap, int top, int partitionCap) {}

  private final Fabric fabric;
  private final SmpRoute[] routes;
  private final SwitchLimits[] limits;
  private final BitSet linkUp;
  private final List<String> warnings;

  /**
   * Makes one of what was found.
   *
   * @param routes by node GUID
   * @param limits by node GUID
   * @param linkUp ids of the ports whose link is up
   */
  DiscoveredFabric(
      Fabric fabric,
      Map<Long, SmpRoute> routes,
      Map<Long, SwitchLimits> limits,
      BitSet linkUp,
      List<String> warnings) {
    this.fabric = fabric;
    this.routes = new SmpRoute[fabric.nodeCount()];
    this.limits = new SwitchLimits[fabric.switchCount()];
    for (int node = 0; node < this.routes.length; node++) {
      this.routes[node] = routes.get(fabric.nodeGuid(node));
    }
    for (int sw = 0; sw < this.limits.length; sw++) {
      this.limits[sw] = limits.getOrDefault(fabric.nodeGuid(sw), new SwitchLimits(0, 0, 0));
    }
    this.linkUp = linkUp;
    this.warnings = List.copyOf(warnings);
  }

  /** The fabric, with the LIDs the ports have now. */
  public Fabric fabric() {
    return fabric;
  }

  /** The shortest directed route to a node; the smallest of several, port by port. */
  public SmpRoute route(int node) {
    return routes[node];
  }

  /** Entries the linear forwarding table of a switch can have. */
  public int linearFdbCap(int sw) {
    return limits[sw].cap();
  }

  /** The largest LID a switch looks up. */
  public int linearFdbTop(int sw) {
    return limits[sw].top();
  }

  /** Entries of the P_Key table of each external port of a switch. */
  public int partitionCap(int sw) {
    return limits[sw].partitionCap();
  }

  /** True if the port said its link is up, whether or not anything answered behind it. */
  public boolean linkUp(int port) {
    return linkUp.get(port);
  }

  /** What did not fit together or did not answer, one sentence each; empty if all is well. */
  public List<String> warnings() {
    return warnings;
  }
}
