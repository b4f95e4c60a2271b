package org.heddle.routing.engine;

import java.util.Optional;
import java.util.function.UnaryOperator;
import org.heddle.catalog.Catalog;
import org.heddle.fabric.Fabric;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.tenancy.Tenancy;
import org.heddle.topology.FatTree;
import org.heddle.topology.Recognition;
import org.heddle.verify.isolation.IsolationAudit;
import org.heddle.verify.isolation.IsolationOptions;
import org.heddle.verify.isolation.IsolationReport;

/** A tree that tests route for one tenancy after another, and what the audit says of it. */
record Tenants(Fabric fabric, Recognition recognition) {
  static Tenants on(Fabric fabric) {
    return new Tenants(fabric, RoutingEngineContract.recognise(fabric));
  }

  FatTree tree() {
    return RoutingEngineContract.treeOf(recognition).orElseThrow();
  }

  IsolationOptions options() {
    return IsolationOptions.defaults().withTree(tree());
  }

  RoutingResult.Routed route(String engine, Tenancy tenancy) {
    return route(engine, tenancy, r -> r).orElseThrow();
  }

  Optional<RoutingResult.Routed> route(
      String engine, Tenancy tenancy, UnaryOperator<RoutingRequest> changed) {
    RoutingRequest request =
        changed.apply(RoutingRequest.of(fabric, recognition).withTenancy(tenancy));
    return Catalog.engine(engine).orElseThrow().route(request) instanceof RoutingResult.Routed r
        ? Optional.of(r)
        : Optional.empty();
  }

  IsolationReport audit(RoutingResult.Routed routed, Tenancy tenancy) {
    return IsolationAudit.run(fabric, routed.tables(), tenancy, routed.lanes(), options());
  }

  IsolationReport audit(String engine, Tenancy tenancy) {
    return audit(route(engine, tenancy), tenancy);
  }
}
