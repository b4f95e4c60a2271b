package org.heddle.routing.engine;

class FTreeTest extends RoutingEngineContract {
  @Override
  protected String name() {
    return "ftree";
  }

  @Override
  protected boolean routesAnything() {
    return false;
  }
}
