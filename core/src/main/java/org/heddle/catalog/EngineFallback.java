package org.heddle.catalog;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.heddle.routing.EngineNames;
import org.heddle.routing.RoutingEngine;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;

/**
 * Finds an engine that can route a fabric: the requested one if it can, else the next of {@link
 * #ORDER} that can, with the reason. For callers that must route whatever is there, such as a
 * controller whose fabric has just changed.
 */
public final class EngineFallback {
  /**
   * Names of the engines tried after the one wanted: a tree with its balance, then what routes
   * every connected fabric without a credit loop.
   */
  public static final List<String> ORDER = List.of(EngineNames.FTREE, EngineNames.UPDN);

  /**
   * What routed a fabric.
   *
   * @param engine whose tables these are; the one wanted if none can
   * @param why the one wanted cannot, a sentence; empty if the tables are its own
   */
  public record Choice(RoutingResult result, String engine, Optional<String> why) {}

  private EngineFallback() {}

  /**
   * Routes with the engine wanted, or with the first that can.
   *
   * @return its tables; where it is not the one wanted, the first notes say whose they are and why.
   *     Why the one wanted cannot, if none can
   */
  public static RoutingResult route(RoutingEngine wanted, RoutingRequest request) {
    return choose(wanted, request).result();
  }

  /** The same, with the engine whose tables they are. */
  public static Choice choose(RoutingEngine wanted, RoutingRequest request) {
    RoutingResult first = wanted.route(request);
    if (!(first instanceof RoutingResult.Unsupported no)) {
      return new Choice(first, wanted.name(), Optional.empty());
    }
    String why = wanted.name() + " cannot route this fabric: " + no.reason();
    List<String> notes = new ArrayList<>();
    notes.add(why);
    for (String name : ORDER) {
      RoutingEngine engine = Catalog.engine(name).orElseThrow();
      if (name.equals(wanted.name())) {
        continue;
      }
      switch (engine.route(request)) {
        case RoutingResult.Unsupported other ->
            notes.add(name + " cannot route this fabric: " + other.reason());
        case RoutingResult.Routed yes -> {
          notes.add("the tables are those of " + name + " instead");
          notes.addAll(yes.notes());
          return new Choice(
              new RoutingResult.Routed(yes.tables(), notes, yes.lanes()), name, Optional.of(why));
        }
      }
    }
    return new Choice(first, wanted.name(), Optional.of(why));
  }
}
