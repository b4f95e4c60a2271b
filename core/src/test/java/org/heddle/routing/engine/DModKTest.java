package org.heddle.routing.engine;

class DModKTest extends RoutingEngineContract {
  @Override
  String name() {
    return "dmodk";
  }

  @Override
  boolean routesAnything() {
    return false;
  }
}
