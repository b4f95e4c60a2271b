package org.heddle.routing.partition;

import java.util.ArrayList;
import java.util.List;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.routing.tree.Destinations;
import org.heddle.routing.tree.Mates;
import org.heddle.routing.tree.TreeRouting;
import org.heddle.solver.SatSolver;
import org.heddle.tenancy.IsolationPolicy;
import org.heddle.tenancy.Lanes;
import org.heddle.tenancy.Tenancy;
import org.heddle.topology.FatTree;
import org.heddle.topology.Recognition;

/**
 * What the engines of the pFTree family have in common: they route, trace which partitions meet,
 * assign lanes, and compare the result with the promises. Where promises are broken and another
 * order of choices may keep them, they try again a limited number of times; after that, {@link
 * PartitionSearch} searches every up/down routing, within limits. The attempt that breaks the
 * fewest promises is taken.
 */
public final class PartitionRouting {
  /** Attempts with isolated partitions choosing in other orders. */
  private static final int ATTEMPTS = 24;

  /** On big fabrics there are fewer: this many LIDs in all attempts together, but at least two. */
  private static final int ATTEMPT_HOSTS = 20_000;

  private PartitionRouting() {}

  /**
   * One attempt: tables, lanes, and what they break.
   *
   * @param physical channels that physically isolated partitions use
   * @param excess those of them beyond the cap
   */
  private record Attempt(
      RoutingResult.Routed routed, long broken, List<String> violations, int physical, int excess) {
    boolean kept() {
      return broken == 0 && excess == 0;
    }

    boolean isBetter(Attempt other) {
      return other == null
          || broken < other.broken
          || (broken == other.broken && excess < other.excess);
    }
  }

  public static RoutingResult route(RoutingRequest request, PartitionSlots.Style style) {
    if (!(request.recognition() instanceof Recognition.Found found)) {
      return TreeRouting.notATree(request);
    }
    Tenancy tenancy = request.tenancy();
    Destinations dest = new Destinations(request.fabric());
    PartitionMap map = new PartitionMap(request.fabric(), tenancy, dest);
    PhysicalCap cap = new PhysicalCap(request.fabric(), tenancy);
    Mates mates = Mates.of(request.fabric(), dest);
    Attempt best = null;
    boolean proven = true;
    boolean isolated = style.policies() && hasIsolated(tenancy);
    int attempts = isolated ? Math.clamp(ATTEMPT_HOSTS / (1 + dest.topLid), 2, ATTEMPTS) : 1;
    for (int i = 0; i < attempts && (best == null || !best.kept()); i++) {
      PartitionSlots.Style tried =
          new PartitionSlots.Style(
              isolated, style.weighted(), style.isolation(), i % 2 == 1, i / 2);
      PartitionSlots slots = new PartitionSlots(map, tried, request.fabric().switchCount(), mates);
      TreeRouting.Tables tables = TreeRouting.route(request, found.tree(), slots);
      Attempt attempt = validate(request, map, dest, cap, tables.routed());
      if (attempt.isBetter(best)) {
        best = attempt;
        proven = tables.provenByOrder();
      }
    }
    if (best.kept()) {
      return best.routed();
    }
    if (!proven) { // any other choice of ways would have to be proven as a whole
      return outcome(
          tenancy, cap, best, "; not searched for where turns are not proven one by one");
    }
    return style.policies()
        ? search(request, map, dest, cap, best)
        : outcome(tenancy, cap, best, "");
  }

  /** The last resort: looks among all up/down routings. */
  private static RoutingResult search(
      RoutingRequest request, PartitionMap map, Destinations dest, PhysicalCap cap, Attempt best) {
    FatTree tree = ((Recognition.Found) request.recognition()).tree();
    PartitionSearch search =
        new PartitionSearch(request.fabric(), tree, map, dest, best.routed().tables());
    SatSolver.Answer answer = search.run(cap.most(), PartitionSearch.BUDGET);
    Attempt attempt = best;
    if (answer == SatSolver.Answer.SATISFIABLE) {
      RoutingResult.Routed routed =
          new RoutingResult.Routed(search.tables(), best.routed().notes());
      Attempt found = validate(request, map, dest, cap, routed);
      attempt = found.isBetter(best) ? found : best;
      if (attempt.kept()) {
        return attempt.routed();
      }
    }
    String proof = proof(answer, search.wasTried());
    return outcome(request.tenancy(), cap, attempt, proof);
  }

  private static String proof(SatSolver.Answer answer, boolean tried) {
    if (answer == SatSolver.Answer.UNSATISFIABLE) {
      return "; no up/down routing with one route to each LID keeps it";
    }
    return tried
        ? "; no solution found within " + PartitionSearch.BUDGET + " steps, not proven impossible"
        : "; too large to search for another routing, not proven impossible";
  }

  private static boolean hasIsolated(Tenancy tenancy) {
    return tenancy.partitions().stream().anyMatch(p -> p.policy() == IsolationPolicy.PHY);
  }

  private static Attempt validate(
      RoutingRequest request,
      PartitionMap map,
      Destinations dest,
      PhysicalCap cap,
      RoutingResult.Routed routed) {
    PartitionChannels channels =
        new PartitionChannels(request.fabric(), routed.tables(), map, dest);
    int[] lane =
        new LaneColouring(map, channels.meets(), request.tenancy().rules().dataLanes()).colour();
    List<String> violations = channels.violations(lane);
    int physical = channels.physical();
    return new Attempt(
        new RoutingResult.Routed(routed.tables(), routed.notes(), new Lanes(lane)),
        channels.broken(),
        violations,
        physical,
        Math.max(0, physical - cap.most()));
  }

  private static RoutingResult outcome(
      Tenancy tenancy, PhysicalCap cap, Attempt best, String proof) {
    List<String> broken = new ArrayList<>();
    if (best.broken() > 0) {
      broken.add(
          "isolation cannot be kept: "
              + best.broken()
              + " times two partitions meet on a channel that should not"
              + proof);
      broken.addAll(best.violations());
    }
    if (best.excess() > 0) {
      broken.add(cap.sentence(best.physical()) + (best.broken() > 0 ? "" : proof));
    }
    if (tenancy.rules().strict()) {
      return new RoutingResult.Unsupported(broken.getFirst(), broken.subList(1, broken.size()));
    }
    List<String> notes = new ArrayList<>(best.routed().notes());
    notes.addAll(broken);
    return new RoutingResult.Routed(best.routed().tables(), notes, best.routed().lanes());
  }
}
