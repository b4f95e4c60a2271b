package org.heddle.routing.engine;

class UpDownTest extends RoutingEngineContract {
  @Override
  protected String name() {
    return "updn";
  }

  @Override
  protected boolean routesAnything() {
    return true;
  }
}
