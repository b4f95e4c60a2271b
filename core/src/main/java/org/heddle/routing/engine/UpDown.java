package org.heddle.routing.engine;

import com.google.auto.service.AutoService;
import java.util.List;
import org.heddle.routing.EngineNames;
import org.heddle.routing.RoutingEngine;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.routing.tree.ReRootedOrder;
import org.heddle.routing.tree.UpDownRoutes;

/**
 * Up*&#47;Down*: every link has an upper end, and every route climbs first and then descends, so no
 * cycle of channels can wait for itself. Routes every connected fabric.
 *
 * <p>On a recognised tree the order is that of the levels, re-rooted at one leaf ({@link
 * ReRootedOrder}) so that even two roots, or two leaves without a common ancestor, have a legal
 * route. Elsewhere it is the breadth-first order from one root per component: the first root given,
 * else the switch nearest to all others. Among the shortest legal routes the least loaded port is
 * taken.
 *
 * <p>O(switches * links + switches * LIDs * ports) time, O(switches^2) memory.
 */
@AutoService(RoutingEngine.class)
public final class UpDown implements RoutingEngine {
  @Override
  public String name() {
    return EngineNames.UPDN;
  }

  @Override
  public String description() {
    return "up*/down*: free of credit loops on every connected fabric";
  }

  @Override
  public String source() {
    return "Autonet (Schroeder et al. 1991); OpenSM updn";
  }

  @Override
  public RoutingResult route(RoutingRequest request) {
    return request.fabric().switchCount() == 0 ? noSwitch() : UpDownRoutes.of(request);
  }

  /** Hosts cabled to each other need no tables, and a file without any would say nothing. */
  static RoutingResult.Unsupported noSwitch() {
    return new RoutingResult.Unsupported(
        "the fabric has no switch",
        List.of("hosts that are cabled to each other need no forwarding tables"));
  }
}
