package org.heddle.routing.engine;

class PFTreeTest extends RoutingEngineContract {
  @Override
  protected String name() {
    return "pftree";
  }

  @Override
  protected boolean routesAnything() {
    return false;
  }
}
