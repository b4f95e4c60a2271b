package org.heddle.routing.engine;

class PFTreeExtTest extends RoutingEngineContract {
  @Override
  String name() {
    return "pftree-ext";
  }

  @Override
  boolean routesAnything() {
    return false;
  }
}
