package org.heddle.routing.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.heddle.fabric.Fabric;
import org.junit.jupiter.api.Test;

class MinHopTest extends RoutingEngineContract {
  @Override
  String name() {
    return "minhop";
  }

  @Override
  boolean routesAnything() {
    return true;
  }

  @Override
  boolean freeOfCreditLoops() {
    return false;
  }

  @Test
  void aRingOfSixClosesACreditLoopAndTheAuditSaysSo() {
    Fabric fabric = Fabrics.ring(6);
    assertThat(audit(fabric, tables(fabric)).creditLoops().cyclic()).isPositive();
  }

  @Test
  void everyRouteIsAShortestPath() {
    // In a ring of 6 no two switches are more than 3 hops apart: 4 switches on a route.
    Fabric fabric = Fabrics.ring(6);
    assertThat(audit(fabric, tables(fabric)).hops().max()).isEqualTo(4);
  }
}
