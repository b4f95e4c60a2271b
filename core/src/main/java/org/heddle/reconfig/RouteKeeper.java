package org.heddle.reconfig;

import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;
import org.heddle.topology.FatTree;

/** Placeholder of the first commit: takes the fresh tables. */
final class RouteKeeper {
  private final ForwardingTables fresh;

  RouteKeeper(Fabric fabric, FatTree tree, ForwardingTables old, ForwardingTables fresh) {
    this.fresh = fresh;
  }

  MinimalReroute update() {
    MinimalReroute.Changes none = new MinimalReroute.Changes(0, 0, 0);
    return new MinimalReroute(
        fresh, new MinimalReroute.Report(0, none, none, 0, 0, List.of(), true, List.of()));
  }
}
