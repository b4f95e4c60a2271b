package org.heddle.routing.engine;

class MetabaseRoutingTest extends RoutingEngineContract {
  @Override
  protected String name() {
    return "metabase";
  }

  @Override
  protected boolean routesAnything() {
    return false;
  }
}
