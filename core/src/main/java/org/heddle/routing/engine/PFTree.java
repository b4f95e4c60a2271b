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
 * Partition-aware fat-tree routing: balances only the routes inside partitions, and among equally
 * loaded channels prefers those that carry the partition already. Policies decide lanes, not
 * routes.
 */
@AutoService(RoutingEngine.class)
public final class PFTree implements RoutingEngine {
  @Override
  public String name() {
    return "pftree";
  }

  @Override
  public String description() {
    return "fat-tree, partition-aware: balance first, then partitions on links of their own";
  }

  @Override
  public String source() {
    return "pFTree: Zahid et al., section 5";
  }

  @Override
  public Set<RoutingOption> uses() {
    return Set.of(RoutingOption.PARTITIONS);
  }

  @Override
  public RoutingResult route(RoutingRequest request) {
    return PartitionRouting.route(request, new PartitionSlots.Style(false, false, 0, false, 0));
  }
}
