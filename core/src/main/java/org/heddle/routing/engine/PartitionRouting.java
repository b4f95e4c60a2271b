package org.heddle.routing.engine;

import java.util.ArrayList;
import java.util.List;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.tenancy.IsolationPolicy;
import org.heddle.tenancy.Lanes;
import org.heddle.tenancy.Tenancy;

/**
 * What the engines of the pFTree family do alike: route, trace which partitions meet, give them
 * lanes, and compare with what was promised. Where promises are broken and another order of choices
 * may keep them, it tries again, a bounded number of times; the attempt that breaks fewest is
 * taken.
 */
final class PartitionRouting {
  /** Attempts with isolated partitions choosing in other orders. */
  private static final int ATTEMPTS = 24;

  /** On big fabrics there are fewer: this many LIDs in all attempts together, but at least two. */
  private static final int ATTEMPT_HOSTS = 20_000;

  private PartitionRouting() {}

  /** One attempt: tables, lanes, and what they break. */
  private record Attempt(RoutingResult.Routed routed, long broken, List<String> violations) {}

  static RoutingResult route(RoutingRequest request, PartitionSlots.Style style) {
    Tenancy tenancy = request.tenancy();
    Destinations dest = new Destinations(request.fabric());
    PartitionMap map = new PartitionMap(request.fabric(), tenancy, dest);
    Attempt best = null;
    boolean isolated = style.policies() && hasIsolated(tenancy);
    int attempts = isolated ? Math.clamp(ATTEMPT_HOSTS / (1 + dest.topLid), 2, ATTEMPTS) : 1;
    for (int i = 0; i < attempts; i++) {
      PartitionSlots.Style tried =
          new PartitionSlots.Style(
              isolated, style.weighted(), style.isolation(), i % 2 == 1, i / 2);
      PartitionSlots slots = new PartitionSlots(map, tried, request.fabric().switchCount());
      RoutingResult result = TreeRouting.route(request, slots);
      if (!(result instanceof RoutingResult.Routed routed)) {
        return result;
      }
      Attempt attempt = validate(request, map, dest, routed);
      if (best == null || attempt.broken() < best.broken()) {
        best = attempt;
      }
      if (best.broken() == 0) {
        break;
      }
    }
    return outcome(tenancy, best);
  }

  private static boolean hasIsolated(Tenancy tenancy) {
    return tenancy.partitions().stream().anyMatch(p -> p.policy() == IsolationPolicy.PHY);
  }

  private static Attempt validate(
      RoutingRequest request, PartitionMap map, Destinations dest, RoutingResult.Routed routed) {
    PartitionChannels channels =
        new PartitionChannels(request.fabric(), routed.tables(), map, dest);
    int[] lane =
        new LaneColouring(map, channels.meets(), request.tenancy().rules().dataLanes()).colour();
    List<String> violations = channels.violations(lane);
    return new Attempt(
        new RoutingResult.Routed(routed.tables(), routed.notes(), new Lanes(lane)),
        channels.broken(),
        violations);
  }

  private static RoutingResult outcome(Tenancy tenancy, Attempt best) {
    if (best.broken() == 0) {
      return best.routed();
    }
    List<String> listed = best.violations();
    String summary =
        "isolation cannot be kept: "
            + best.broken()
            + " times two partitions meet on a channel that should not";
    if (tenancy.rules().strict()) {
      return new RoutingResult.Unsupported(summary, listed);
    }
    List<String> notes = new ArrayList<>(best.routed().notes());
    notes.add(summary);
    notes.addAll(listed);
    return new RoutingResult.Routed(best.routed().tables(), notes, best.routed().lanes());
  }
}
