package org.heddle.routing.engine;

import com.google.auto.service.AutoService;
import java.util.Set;
import org.heddle.routing.EngineNames;
import org.heddle.routing.RoutingEngine;
import org.heddle.routing.RoutingOption;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.routing.tree.CountingSlots;
import org.heddle.routing.tree.NodeOrder;
import org.heddle.routing.tree.TreeRouting;

/**
 * FTree with the caller's host order, the NoFTree of Tasoulas (thesis, paper III): the host at
 * global position n takes routing slot n mod (largest number of hosts at a leaf) of its leaf.
 * Without an order it is FTree.
 */
@AutoService(RoutingEngine.class)
public final class NoFTree implements RoutingEngine {
  @Override
  public String name() {
    return EngineNames.NOFTREE;
  }

  @Override
  public String description() {
    return "ftree with routing slots by the host order given with --order";
  }

  @Override
  public String source() {
    return "Tasoulas, thesis, paper III, section IV-B";
  }

  @Override
  public Set<RoutingOption> uses() {
    return Set.of(RoutingOption.HOST_ORDER);
  }

  @Override
  public RoutingResult route(RoutingRequest request) {
    int[] order = NodeOrder.lids(request.fabric(), request.hostOrder());
    return TreeRouting.route(request, new CountingSlots(order));
  }
}
