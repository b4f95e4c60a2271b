package org.heddle.routing.engine;

class PFTreeWtTest extends RoutingEngineContract {
  @Override
  String name() {
    return "pftree-wt";
  }

  @Override
  boolean routesAnything() {
    return false;
  }
}
