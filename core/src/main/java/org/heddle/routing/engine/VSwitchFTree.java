package org.heddle.routing.engine;

import com.google.auto.service.AutoService;
import org.heddle.fabric.Fabric;
import org.heddle.routing.EngineNames;
import org.heddle.routing.RoutingEngine;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.routing.tree.CountingSlots;
import org.heddle.routing.tree.Destinations;
import org.heddle.routing.tree.Mates;
import org.heddle.routing.tree.TreeRouting;
import org.heddle.routing.tree.VirtualSlots;

/**
 * Weighted fat-tree routing for virtual machines, the vSwitchFatTree of Tasoulas (thesis, paper V,
 * section 5.2): every machine is routed separately, and all machines of one hypervisor together
 * weigh as much as those of any other hypervisor, because they share its link.
 *
 * <p>Without virtual LIDs it is FTree. O(LIDs * up-links + switches * LIDs) time.
 */
@AutoService(RoutingEngine.class)
public final class VSwitchFTree implements RoutingEngine {
  @Override
  public String name() {
    return EngineNames.VSWITCH_FTREE;
  }

  @Override
  public String description() {
    return "fat-tree, virtual machines routed one by one, weighted by their share of the link";
  }

  @Override
  public String source() {
    return "vSwitchFatTree: Tasoulas, thesis, paper V, section 5.2";
  }

  @Override
  public RoutingResult route(RoutingRequest request) {
    Fabric fabric = request.fabric();
    return TreeRouting.route(
        request,
        fabric.virtualLids().size() > 0
            ? new VirtualSlots(fabric)
            : new CountingSlots(new int[0], Mates.of(fabric, new Destinations(fabric))));
  }
}
