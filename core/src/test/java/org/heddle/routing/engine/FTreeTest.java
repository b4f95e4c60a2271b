package org.heddle.routing.engine;

class FTreeTest extends RoutingEngineContract {
  @Override
  String name() {
    return "ftree";
  }

  @Override
  boolean routesAnything() {
    return false;
  }
}
