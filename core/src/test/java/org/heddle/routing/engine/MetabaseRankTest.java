package org.heddle.routing.engine;

class MetabaseRankTest extends RoutingEngineContract {
  @Override
  String name() {
    return "metabase-rank";
  }

  @Override
  boolean routesAnything() {
    return false;
  }
}
