package org.heddle.routing.engine;

import com.google.auto.service.AutoService;
import java.util.Set;
import org.heddle.routing.EngineNames;
import org.heddle.routing.RoutingEngine;
import org.heddle.routing.RoutingOption;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.routing.tree.CountingSlots;
import org.heddle.routing.tree.Destinations;
import org.heddle.routing.tree.Mates;
import org.heddle.routing.tree.NodeOrder;
import org.heddle.routing.tree.TreeRouting;

/**
 * Fat-tree routing with a counter per channel, like OpenSM's ftree, for any recognised tree,
 * regular or damaged, of any height, with parallel links and hosts on upper switches.
 *
 * <p>On an undamaged tree every downward channel in use carries ceil(oversubscription)
 * destinations, that is, one if the tree is not oversubscribed; on some uneven trees of four levels
 * a few carry more. On damaged trees links that would carry far more than others are relieved
 * ({@link org.heddle.routing.tree.TreeRouting}). With a host order it is NoFTree, which relieves
 * none.
 *
 * <p>O(hosts * up-links + switches * LIDs) time, the second term being a copy of memory.
 */
@AutoService(RoutingEngine.class)
public final class FTree implements RoutingEngine {
  @Override
  public String name() {
    return EngineNames.FTREE;
  }

  @Override
  public String description() {
    return "fat-tree, balanced by counters per channel; any tree, damaged ones too";
  }

  @Override
  public String source() {
    return "OpenSM ftree; Zahavi 2010; Zahid et al., section 3.2.1";
  }

  @Override
  public Set<RoutingOption> uses() {
    return Set.of(RoutingOption.HOST_ORDER);
  }

  @Override
  public RoutingResult route(RoutingRequest request) {
    int[] order = NodeOrder.lids(request.fabric(), request.hostOrder());
    Mates mates = // an order that was asked for is kept
        order.length > 0 ? null : Mates.of(request.fabric(), new Destinations(request.fabric()));
    return TreeRouting.route(request, new CountingSlots(order, mates));
  }
}
