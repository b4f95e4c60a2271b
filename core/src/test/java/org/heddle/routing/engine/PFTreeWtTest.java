package org.heddle.routing.engine;

class PFTreeWtTest extends RoutingEngineContract {
  @Override
  protected String name() {
    return "pftree-wt";
  }

  @Override
  protected boolean routesAnything() {
    return false;
  }
}
