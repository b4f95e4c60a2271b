package org.heddle.control;

import java.util.List;
import org.heddle.catalog.Catalog;
import org.heddle.fabric.Fabric;
import org.heddle.routing.EngineNames;
import org.heddle.routing.RoutingEngine;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;

/**
 * An engine of others that routes whole fabrics only: those whose switches have all their cables.
 */
public final class PickyEngine implements RoutingEngine {
  /** The name it has. */
  static final String NAME = "picky";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String description() {
    return "whole trees";
  }

  @Override
  public String source() {
    return "a test";
  }

  @Override
  public RoutingResult route(RoutingRequest request) {
    Fabric f = request.fabric();
    for (int sw = 0; sw < f.switchCount(); sw++) {
      for (int k = 1; k <= f.portCount(sw); k++) {
        if (f.peer(f.port(sw, k)) == Fabric.NONE) {
          return new RoutingResult.Unsupported("a cable is missing", List.of());
        }
      }
    }
    return Catalog.engine(EngineNames.UPDN).orElseThrow().route(request);
  }
}
