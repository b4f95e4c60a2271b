package org.heddle.routing.engine;

import com.google.auto.service.AutoService;
import java.util.Set;
import org.heddle.routing.RoutingEngine;
import org.heddle.routing.RoutingOption;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;

/**
 * Routing in two phases as the paper has it: the way of a host comes from its rank by a closed form
 * ({@link Metabase#tables}), and nothing is searched for. Takes a fraction of the time of {@link
 * MetabaseRouting}, whose tables are as good or better for bruck and recursive doubling; without an
 * order, and on trees without a metabase, both give the same.
 */
@AutoService(RoutingEngine.class)
public final class MetabaseRank implements RoutingEngine {
  @Override
  public String name() {
    return "metabase-rank";
  }

  @Override
  public String description() {
    return "as metabase, hosts to ways by their rank alone, without search";
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
    return switch (Metabase.build(request)) {
      case Metabase.Outcome.Ready ready ->
          new RoutingResult.Routed(ready.metabase().tables(request.hostOrder()), ready.notes());
      case Metabase.Outcome.Refused refused -> refused.reason();
      case Metabase.Outcome.Unfit unfit -> MetabaseRouting.withoutMetabase(request, unfit.reason());
    };
  }
}
