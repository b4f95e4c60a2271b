package org.heddle.routing;

import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.heddle.fabric.Guid;

/**
 * Computes forwarding tables for a fabric.
 *
 * <p>Engines are stateless and may be used by several threads: input as argument, scratch as
 * locals. They are deterministic: same request, same tables, byte for byte. What they promise for
 * every connected fabric they accept: every switch has an entry for every LID, and every
 * destination is reached without a loop. Implementations are final, have a public constructor
 * without parameters and carry {@code @AutoService(RoutingEngine.class)}; nobody names them outside
 * the catalog.
 */
public interface RoutingEngine {
  /** The name users type, lower case. */
  String name();

  /** One line for {@code heddle engines}: what it does and for which fabrics. */
  String description();

  /**
   * Where the algorithm comes from: paper and section, or the program whose behaviour it follows.
   */
  String source();

  /** The optional parts of a request that the engine uses; it ignores the others. */
  default Set<RoutingOption> uses() {
    return Set.of();
  }

  /** Computes the tables, or says why not. Never throws because of the fabric. */
  RoutingResult route(RoutingRequest request);

  /**
   * The same for many orders of hosts of one fabric. Engines that know which parts no order changes
   * compute these once, here; the function may be used by several threads.
   *
   * @param request its order of hosts is ignored
   * @return tables for an order of node or port GUIDs, the same as {@link #route} makes
   */
  default Function<List<Guid>, RoutingResult> forOrders(RoutingRequest request) {
    return order -> route(request.withHostOrder(order));
  }
}
