package org.heddle.routing.engine;

class PFTreeTest extends RoutingEngineContract {
  @Override
  String name() {
    return "pftree";
  }

  @Override
  boolean routesAnything() {
    return false;
  }
}
