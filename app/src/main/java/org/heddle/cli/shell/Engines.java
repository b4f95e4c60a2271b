package org.heddle.cli.shell;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.heddle.catalog.Catalog;
import org.heddle.routing.RoutingEngine;

/** Routing engines as users name them. */
public final class Engines {
  private static final int FARTHEST_SUGGESTION = 3;

  private Engines() {}

  /** The engine of that name, in any case; else a failure that lists the names there are. */
  public static RoutingEngine named(String engineName) {
    return Catalog.engine(engineName.toLowerCase(Locale.ROOT))
        .orElseThrow(
            () -> {
              List<String> names = Catalog.engines().stream().map(RoutingEngine::name).toList();
              String near = Suggestions.closest(engineName, names, FARTHEST_SUGGESTION);
              List<String> hints = new ArrayList<>();
              if (near != null) {
                hints.add("did you mean " + near + "?");
              }
              hints.add("engines: " + String.join(", ", names));
              return Failure.badInput(
                  "there is no engine '" + engineName + "'", hints.toArray(new String[0]));
            });
  }
}
