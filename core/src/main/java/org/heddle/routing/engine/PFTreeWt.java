package org.heddle.routing.engine;

import com.google.auto.service.AutoService;
import java.util.Set;
import org.heddle.routing.RoutingEngine;
import org.heddle.routing.RoutingOption;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.routing.partition.PartitionRouting;
import org.heddle.routing.partition.PartitionSlots;

/** Partition-aware fat-tree routing that balances weights instead of route counts. */
@AutoService(RoutingEngine.class)
public final class PFTreeWt implements RoutingEngine {
  @Override
  public String name() {
    return "pftree-wt";
  }

  @Override
  public String description() {
    return "fat-tree, partition-aware: balances by weight of the receivers";
  }

  @Override
  public String source() {
    return "pFTree-Wt: Zahid et al., section 7";
  }

  @Override
  public Set<RoutingOption> uses() {
    return Set.of(RoutingOption.PARTITIONS, RoutingOption.WEIGHTS);
  }

  @Override
  public RoutingResult route(RoutingRequest request) {
    return PartitionRouting.route(request, new PartitionSlots.Style(false, true, 0, false, 0));
  }
}
