package org.heddle.routing;

import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.topology.Recognition;

/**
 * What an engine gets.
 *
 * @param fabric every endport has a LID ({@link Fabric#withAssignedLids()})
 * @param recognition the fabric's tree, or why it has none
 * @param hostOrder node or port GUIDs of hosts in the order they shall get routing slots; empty:
 *     the engine's own order. Engines without a use for it ignore it
 * @param roots node GUIDs of the switches to take as roots; empty: those of the tree, or chosen by
 *     the engine
 */
public record RoutingRequest(
    Fabric fabric, Recognition recognition, List<Guid> hostOrder, List<Guid> roots) {
  public RoutingRequest {
    hostOrder = List.copyOf(hostOrder);
    roots = List.copyOf(roots);
  }

  /** A request without host order and roots. */
  public static RoutingRequest of(Fabric fabric, Recognition recognition) {
    return new RoutingRequest(fabric, recognition, List.of(), List.of());
  }
}
