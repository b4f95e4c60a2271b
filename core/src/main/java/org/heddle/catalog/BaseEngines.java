package org.heddle.catalog;

import java.util.Optional;
import org.heddle.routing.EngineNames;
import org.heddle.routing.RoutingEngine;
import org.heddle.routing.RoutingOption;

/**
 * Which engines can make the base tables of a controller: those under the tenants' own, for a
 * fabric that loses and regains links, without anybody who looks at them first.
 */
public final class BaseEngines {
  private BaseEngines() {}

  /**
   * Why an engine cannot, and which to take instead, in a sentence; empty if it can. A fabric that
   * it cannot route is another matter: {@link EngineFallback}.
   */
  public static Optional<String> refusal(RoutingEngine engine) {
    if (engine.name().equals(EngineNames.MINHOP)) {
      return Optional.of(
          engine.name()
              + " makes no base tables: after damage its routes may wait for each other in a circle"
              + " (credit loop); "
              + EngineNames.UPDN
              + " routes every connected fabric without");
    }
    if (engine.uses().contains(RoutingOption.PARTITIONS)) {
      return Optional.of(
          engine.name()
              + " makes no base tables: it routes for partitions, and a controller keeps its"
              + " tenants apart by their policies whatever the engine; take "
              + EngineNames.FTREE
              + " or "
              + EngineNames.DMODK);
    }
    return Optional.empty();
  }
}
