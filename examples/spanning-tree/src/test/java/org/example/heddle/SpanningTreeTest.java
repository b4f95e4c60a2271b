package org.example.heddle;

import org.heddle.routing.engine.RoutingEngineContract;

/** What Heddle expects of every engine. */
class SpanningTreeTest extends RoutingEngineContract {
  @Override
  protected String name() {
    return "spanning-tree";
  }

  @Override
  protected boolean routesAnything() {
    return true;
  }
}
