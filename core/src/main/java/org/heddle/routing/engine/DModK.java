package org.heddle.routing.engine;

import com.google.auto.service.AutoService;
import org.heddle.routing.EngineNames;
import org.heddle.routing.RoutingEngine;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.routing.tree.Destinations;
import org.heddle.routing.tree.Mates;
import org.heddle.routing.tree.ModuloSlots;
import org.heddle.routing.tree.TreeRouting;

/**
 * D-mod-K: the up port is a closed form of the destination's index, {@code floor(d / prod w) mod (w
 * p)}. Needs no counters, so damage in one place leaves all other routes as they are; entries that
 * cannot follow the form take the modulo over the ports left to them (Dmodc).
 *
 * <p>O(switches * LIDs) time, being a copy of memory on a regular tree.
 */
@AutoService(RoutingEngine.class)
public final class DModK implements RoutingEngine {
  @Override
  public String name() {
    return EngineNames.DMODK;
  }

  @Override
  public String description() {
    return "fat-tree, closed form by host index; damage changes only what it touches";
  }

  @Override
  public String source() {
    return "D-mod-K: Zahavi 2010; Dmodc: Gliksberg et al. 2019";
  }

  @Override
  public RoutingResult route(RoutingRequest request) {
    Mates mates = Mates.of(request.fabric(), new Destinations(request.fabric()));
    return TreeRouting.route(request, new ModuloSlots(mates));
  }
}
