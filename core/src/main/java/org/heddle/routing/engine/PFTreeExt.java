package org.heddle.routing.engine;

import com.google.auto.service.AutoService;
import java.util.Set;
import org.heddle.routing.EngineNames;
import org.heddle.routing.RoutingEngine;
import org.heddle.routing.RoutingOption;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.routing.partition.PartitionRouting;
import org.heddle.routing.partition.PartitionSlots;

/**
 * Partition-aware fat-tree routing with isolation policies: physically isolated partitions are
 * routed first and get a fair share of the links for themselves; no other partition is routed over
 * these.
 */
@AutoService(RoutingEngine.class)
public final class PFTreeExt implements RoutingEngine {
  @Override
  public String name() {
    return EngineNames.PFTREE_EXT;
  }

  @Override
  public String description() {
    return "fat-tree, partition-aware: isolation policies first, then balance";
  }

  @Override
  public String source() {
    return "pFTree-Ext: Zahid et al., section 6";
  }

  @Override
  public Set<RoutingOption> uses() {
    return Set.of(RoutingOption.PARTITIONS, RoutingOption.POLICIES);
  }

  @Override
  public RoutingResult route(RoutingRequest request) {
    return PartitionRouting.route(request, new PartitionSlots.Style(true, false, 0, false, 0));
  }
}
