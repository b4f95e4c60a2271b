package org.heddle.routing.engine;

import com.google.auto.service.AutoService;
import java.util.Set;
import org.heddle.routing.RoutingEngine;
import org.heddle.routing.RoutingOption;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.routing.partition.PartitionRouting;
import org.heddle.routing.partition.PartitionSlots;

/**
 * Combines isolation and weighted balance: every choice of a port minimises A f_Ext + (1 - A) f_Wt,
 * with A the request's {@link RoutingRequest#isolation()}. At 0 this is pFTree-Wt. At 1 promises
 * come first, then partitions without strangers, then weight. From 2/3 upwards, no promise is given
 * up for balance where a choice keeps it; below that, one is given up when the other channels carry
 * far more.
 */
@AutoService(RoutingEngine.class)
public final class PFTreeMix implements RoutingEngine {
  @Override
  public String name() {
    return "pftree-mix";
  }

  @Override
  public String description() {
    return "fat-tree, partition-aware: isolation against balance by weight (--isolation A)";
  }

  @Override
  public String source() {
    return "combined objective: Zahid et al., section 8";
  }

  @Override
  public Set<RoutingOption> uses() {
    return Set.of(
        RoutingOption.PARTITIONS,
        RoutingOption.POLICIES,
        RoutingOption.WEIGHTS,
        RoutingOption.ISOLATION);
  }

  @Override
  public RoutingResult route(RoutingRequest request) {
    double a = request.isolation();
    return PartitionRouting.route(request, new PartitionSlots.Style(a > 0, true, a, false, 0));
  }
}
