package org.heddle.routing.engine;

class MetabaseRoutingTest extends RoutingEngineContract {
  @Override
  String name() {
    return "metabase";
  }

  @Override
  boolean routesAnything() {
    return false;
  }
}
