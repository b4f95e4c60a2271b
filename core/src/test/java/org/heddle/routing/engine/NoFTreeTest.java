package org.heddle.routing.engine;

class NoFTreeTest extends RoutingEngineContract {
  @Override
  protected String name() {
    return "noftree";
  }

  @Override
  protected boolean routesAnything() {
    return false;
  }
}
