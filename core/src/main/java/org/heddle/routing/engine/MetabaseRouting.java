package org.heddle.routing.engine;

import com.google.auto.service.AutoService;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Guid;
import org.heddle.routing.EngineNames;
import org.heddle.routing.RoutingEngine;
import org.heddle.routing.RoutingOption;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.routing.metabase.Metabase;
import org.heddle.routing.tree.SlotChooser;
import org.heddle.routing.tree.TreeRouting;

/**
 * Routing in two phases over a {@link Metabase}: the paths to every leaf, then one of them for
 * every host, by rank if an order is given, else by counters as in FTree.
 *
 * <p>It routes any recognised tree; on damaged ones phase I works out the paths that are left.
 * Trees with merged planes have no metabase; the same choice of paths is then routed like FTree,
 * and a note says so. With an order it searches for good paths, see {@link
 * Metabase#separatedTables} and {@link Metabase#tunedTables}; {@link MetabaseRank} does without.
 */
@AutoService(RoutingEngine.class)
public final class MetabaseRouting implements RoutingEngine {
  @Override
  public String name() {
    return EngineNames.METABASE;
  }

  @Override
  public String description() {
    return "fat-tree in two phases: routes to every leaf, then hosts to routes by counters or "
        + "--order";
  }

  @Override
  public String source() {
    return "Zahid, thesis, paper IV, sections 7 and 8";
  }

  @Override
  public Set<RoutingOption> uses() {
    return Set.of(RoutingOption.HOST_ORDER);
  }

  @Override
  public RoutingResult route(RoutingRequest request) {
    return forOrders(request).apply(request.hostOrder());
  }

  @Override
  public Function<List<Guid>, RoutingResult> forOrders(RoutingRequest request) {
    return forOrders(request, MetabaseRouting::withMetabase);
  }

  /** Phase I, and what gives an order its tables. */
  static Function<List<Guid>, RoutingResult> forOrders(
      RoutingRequest request,
      BiFunction<Metabase.Outcome.Ready, List<Guid>, RoutingResult> phaseTwo) {
    return switch (Metabase.build(request)) {
      case Metabase.Outcome.Ready ready -> order -> phaseTwo.apply(ready, order);
      case Metabase.Outcome.Refused refused -> order -> refused.reason();
      case Metabase.Outcome.Unfit unfit ->
          order -> withoutMetabase(request.withHostOrder(order), unfit.reason());
    };
  }

  private static RoutingResult withMetabase(Metabase.Outcome.Ready ready, List<Guid> order) {
    Metabase metabase = ready.metabase();
    List<String> notes = new ArrayList<>(ready.notes());
    Metabase.Separated separated = metabase.separatedTables(order).orElse(null);
    if (separated == null) {
      return new RoutingResult.Routed(metabase.tunedTables(order), notes);
    }
    if (separated.changes() > 0) {
      notes.add(
          Counted.of(separated.changes(), "entry leads", "entries lead")
              + " away from the spanning tree of their LID, so that no flows of one"
              + " step of bruck "
              + (separated.doubling() ? "or" : "(few of")
              + " recursive doubling"
              + (separated.doubling() ? "" : ")")
              + " meet; channels down carry more destinations for that");
    }
    return new RoutingResult.Routed(separated.tables(), notes);
  }

  private static RoutingResult withoutMetabase(RoutingRequest request, String reason) {
    SlotChooser chooser = Metabase.tunedChooser(request.fabric(), request.hostOrder());
    RoutingResult result = TreeRouting.route(request, chooser);
    if (result instanceof RoutingResult.Routed ok) {
      List<String> notes = new ArrayList<>(ok.notes());
      notes.add("no metabase, routed in one go: " + reason);
      return new RoutingResult.Routed(ok.tables(), notes, ok.lanes());
    }
    return result;
  }
}
