package org.heddle.routing.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.heddle.fabric.Fabric;
import org.junit.jupiter.api.Test;

class MinHopTest extends RoutingEngineContract {
  @Override
  protected String name() {
    return "minhop";
  }

  @Override
  protected boolean routesAnything() {
    return true;
  }

  @Override
  protected boolean freeOfCreditLoops() {
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
