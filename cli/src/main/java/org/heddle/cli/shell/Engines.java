package org.heddle.cli.shell;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.heddle.catalog.Catalog;
import org.heddle.routing.RoutingEngine;
import org.heddle.routing.RoutingOption;

/** Routing engines as users name them. */
public final class Engines {
  private static final int FARTHEST_SUGGESTION = 3;

  private Engines() {}

  /**
   * Refuses an option that the engine would ignore.
   *
   * @param option as typed
   * @throws Failure exit code 2, with the engines that use it
   */
  public static void requireUse(RoutingEngine engine, RoutingOption used, String option) {
    if (!engine.uses().contains(used)) {
      throw Failure.badInput(
          engine.name() + " does not use " + option, "engines that do: " + users(used));
    }
  }

  /** Names of the engines that use a part of a request. */
  public static String users(RoutingOption used) {
    return Catalog.engines().stream()
        .filter(e -> e.uses().contains(used))
        .map(RoutingEngine::name)
        .collect(Collectors.joining(", "));
  }

  /**
   * The value of {@code --isolation}.
   *
   * @param otherwise if the option is not there
   * @throws Failure exit code 2, if it is not 0..1 or the engine has no use for it
   */
  public static double isolation(RoutingEngine engine, Double typed, double otherwise) {
    if (typed == null) {
      return otherwise;
    }
    if (!(typed >= 0 && typed <= 1)) {
      throw Failure.badInput("--isolation must be 0 to 1, got: " + typed);
    }
    requireUse(engine, RoutingOption.ISOLATION, "--isolation");
    return typed;
  }

  /** The engine of that name, in any case; else a failure that lists the names there are. */
  public static RoutingEngine named(String engineName) {
    return named(engineName, "");
  }

  /**
   * The same for a name in a file.
   *
   * @param place goes before the message, as {@code tenants.yaml:3: }
   */
  public static RoutingEngine named(String engineName, String place) {
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
                  place + "there is no engine '" + engineName + "'", hints.toArray(new String[0]));
            });
  }
}
