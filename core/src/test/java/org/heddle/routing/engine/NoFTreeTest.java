package org.heddle.routing.engine;

class NoFTreeTest extends RoutingEngineContract {
  @Override
  String name() {
    return "noftree";
  }

  @Override
  boolean routesAnything() {
    return false;
  }
}
