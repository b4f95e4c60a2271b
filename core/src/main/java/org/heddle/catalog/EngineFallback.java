package org.heddle.catalog;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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

  private EngineFallback() {}

  /**
   * An engine that said no.
   *
   * @param engine its name
   */
  public record Refusal(String engine, RoutingResult.Unsupported reason) {}

  /**
   * What came of it.
   *
   * @param engine the one that routed; empty if none could
   * @param routed its tables; where it is not the one wanted, the first notes say whose they are
   *     and why
   * @param refusals of the engines tried before, in order
   */
  public record Outcome(
      Optional<RoutingEngine> engine,
      Optional<RoutingResult.Routed> routed,
      List<Refusal> refusals) {
    public Outcome {
      refusals = List.copyOf(refusals);
    }
  }

  /** Routes with the engine wanted, or with the first that can. */
  public static Outcome route(RoutingEngine wanted, RoutingRequest request) {
    List<Refusal> refusals = new ArrayList<>();
    Set<String> names = new LinkedHashSet<>();
    names.add(wanted.name());
    names.addAll(ORDER);
    for (String name : names) {
      Optional<RoutingEngine> engine =
          name.equals(wanted.name()) ? Optional.of(wanted) : Catalog.engine(name);
      if (engine.isEmpty()) {
        continue;
      }
      switch (engine.get().route(request)) {
        case RoutingResult.Unsupported no -> refusals.add(new Refusal(name, no));
        case RoutingResult.Routed yes -> {
          List<String> notes = new ArrayList<>();
          for (Refusal refusal : refusals) {
            notes.add(
                refusal.engine()
                    + " cannot route this fabric, "
                    + name
                    + " did: "
                    + refusal.reason().reason());
          }
          notes.addAll(yes.notes());
          return new Outcome(
              engine,
              Optional.of(new RoutingResult.Routed(yes.tables(), notes, yes.lanes())),
              refusals);
        }
      }
    }
    return new Outcome(Optional.empty(), Optional.empty(), refusals);
  }
}
