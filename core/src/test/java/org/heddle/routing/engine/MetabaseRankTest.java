package org.heddle.routing.engine;

class MetabaseRankTest extends RoutingEngineContract {
  @Override
  protected String name() {
    return "metabase-rank";
  }

  @Override
  protected boolean routesAnything() {
    return false;
  }
}
