package org.heddle.control;

import java.util.Arrays;
import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.RoutingEngine;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;

/** An engine of others with a fault: it sends everything by the last port. */
public final class CircleEngine implements RoutingEngine {
  /** The name it has. */
  static final String NAME = "circle";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String description() {
    return "wrong";
  }

  @Override
  public String source() {
    return "a test";
  }

  @Override
  public RoutingResult route(RoutingRequest request) {
    Fabric f = request.fabric();
    byte[][] rows = new byte[f.switchCount()][f.topLid() + 1];
    for (int sw = 0; sw < rows.length; sw++) {
      Arrays.fill(rows[sw], (byte) f.portCount(sw));
    }
    return new RoutingResult.Routed(ForwardingTables.ofRows(rows, f.topLid()), List.of());
  }
}
