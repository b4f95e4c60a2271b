package org.heddle.routing;

import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.tenancy.Tenancy;
import org.heddle.topology.Recognition;

/**
 * What an engine gets.
 *
 * @param fabric every endport has a LID ({@link Fabric#withAssignedLids()})
 * @param recognition the fabric's tree, or why it has none
 * @param hostOrder node or port GUIDs of hosts in the order in which they get routing slots; empty:
 *     the engine's own order. Engines that do not use it ignore it
 * @param roots node GUIDs of the switches to take as roots; empty: those of the tree, or chosen by
 *     the engine
 * @param tenancy the partitions whose traffic counts; {@link Tenancy#NONE} if none is known.
 *     Engines that know nothing of partitions ignore it
 * @param isolation how much isolation counts against even load for engines that weigh the two,
 *     0..1; engines whose {@link RoutingEngine#uses()} does not name it ignore it
 */
public record RoutingRequest(
    Fabric fabric,
    Recognition recognition,
    List<Guid> hostOrder,
    List<Guid> roots,
    Tenancy tenancy,
    double isolation) {
  /** The isolation of requests that do not set it. */
  public static final double DEFAULT_ISOLATION = 0.5;

  public RoutingRequest {
    if (!(isolation >= 0 && isolation <= 1)) {
      throw new IllegalArgumentException("isolation " + isolation + " is not 0..1");
    }
    hostOrder = List.copyOf(hostOrder);
    roots = List.copyOf(roots);
  }

  /** A request without host order, roots and partitions. */
  public static RoutingRequest of(Fabric fabric, Recognition recognition) {
    return new RoutingRequest(fabric, recognition, List.of(), List.of());
  }

  /** A request without partitions. */
  public RoutingRequest(
      Fabric fabric, Recognition recognition, List<Guid> hostOrder, List<Guid> roots) {
    this(fabric, recognition, hostOrder, roots, Tenancy.NONE);
  }

  /** A request with {@link #DEFAULT_ISOLATION}. */
  public RoutingRequest(
      Fabric fabric,
      Recognition recognition,
      List<Guid> hostOrder,
      List<Guid> roots,
      Tenancy tenancy) {
    this(fabric, recognition, hostOrder, roots, tenancy, DEFAULT_ISOLATION);
  }

  /** The same request with another order of hosts. */
  public RoutingRequest withHostOrder(List<Guid> order) {
    return new RoutingRequest(fabric, recognition, order, roots, tenancy, isolation);
  }

  /** The same request for these partitions. */
  public RoutingRequest withTenancy(Tenancy partitions) {
    return new RoutingRequest(fabric, recognition, hostOrder, roots, partitions, isolation);
  }

  /** The same request with another isolation, 0..1. */
  public RoutingRequest withIsolation(double other) {
    return new RoutingRequest(fabric, recognition, hostOrder, roots, tenancy, other);
  }
}
