package org.heddle.routing.engine;

class UpDownTest extends RoutingEngineContract {
  @Override
  String name() {
    return "updn";
  }

  @Override
  boolean routesAnything() {
    return true;
  }
}
