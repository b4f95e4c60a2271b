package org.heddle.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.heddle.catalog.Catalog;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.reconfig.reroute.MinimalReroute;
import org.heddle.routing.RoutingEngine;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.routing.metabase.Metabase;
import org.heddle.topology.FatTree;
import org.heddle.topology.FatTreeRecogniser;
import org.heddle.topology.Recognition;
import org.heddle.topology.generate.DamageSpec;
import org.heddle.topology.generate.FabricDamage;
import org.heddle.topology.generate.TreeGenerator;
import org.heddle.topology.generate.TreeSpec;

/**
 * Processor times of {@code ftree}, of the metabase's phases and of a minimal update after one lost
 * link, in one JVM; the fabric is recognised beforehand. The floor is the least any phase II can
 * take: to copy as many rows as there are switches that have a choice. Run by {@code
 * bench/metabase}; arguments: specifications of trees.
 */
public final class MetabaseSpeed {
  private MetabaseSpeed() {}

  public static void main(String[] args) {
    for (String spec : args) {
      measure(spec);
    }
  }

  private static void measure(String spec) {
    Fabric fabric = TreeGenerator.generate(TreeSpec.parse(spec)).withAssignedLids();
    RoutingRequest request = RoutingRequest.of(fabric, FatTreeRecogniser.recognise(fabric));
    RoutingEngine ftree = Catalog.engine("ftree").orElseThrow();
    Metabase metabase = metabase(request);
    List<Guid> order = order(fabric);
    Stopwatch tree = Stopwatch.ofProcessorTime(() -> ftree.route(request));
    row(spec, "ftree", tree, tree, tree);
    Stopwatch initial = Stopwatch.ofProcessorTime(() -> metabase(request).tables(List.of()));
    row(spec, "metabase, initial", initial, initial, tree);
    timed(spec, "phase II, no order", () -> metabase.tables(List.of()), initial, tree);
    timed(spec, "phase II, random order", () -> metabase.tables(order), initial, tree);
    timed(spec, "floor: copying its rows", () -> copies(request), initial, tree);
    timed(spec, "phase II, tuned", () -> metabase.tunedTables(order), initial, tree);
    DamageSpec one = DamageSpec.none(1).withLinks(DamageSpec.Amount.of(1));
    Fabric damaged = FabricDamage.apply(fabric, one).fabric();
    RoutingRequest later = RoutingRequest.of(damaged, FatTreeRecogniser.recognise(damaged));
    FatTree damagedTree = ((Recognition.Found) later.recognition()).tree();
    RoutingResult.Routed old = (RoutingResult.Routed) ftree.route(request);
    RoutingResult.Routed fresh = (RoutingResult.Routed) ftree.route(later);
    Stopwatch minimal =
        Stopwatch.ofProcessorTime(
            () -> MinimalReroute.of(damaged, damagedTree, old.tables(), fresh.tables()));
    row(spec, "minimal update after one link", minimal, tree, tree);
  }

  private static Metabase metabase(RoutingRequest request) {
    return ((Metabase.Outcome.Ready) Metabase.build(request)).metabase();
  }

  private static List<Guid> order(Fabric fabric) {
    SplittableRandom random = new SplittableRandom(5);
    List<Guid> order = new ArrayList<>();
    for (int node = fabric.switchCount(); node < fabric.nodeCount(); node++) {
      order.add(random.nextInt(order.size() + 1), new Guid(fabric.nodeGuid(node)));
    }
    return order;
  }

  private static byte[][] copies(RoutingRequest request) {
    FatTree tree = ((Recognition.Found) request.recognition()).tree();
    byte[] row = new byte[request.fabric().topLid() + 1];
    byte[][] out = new byte[request.fabric().switchCount()][];
    for (int s = 0; s < out.length; s++) {
      out[s] = tree.level(s) < tree.levels() ? row.clone() : row;
    }
    return out;
  }

  private static void timed(
      String spec, String what, Supplier<?> work, Stopwatch initial, Stopwatch ftree) {
    row(spec, what, Stopwatch.ofProcessorTime(work), initial, ftree);
  }

  private static void row(
      String spec, String what, Stopwatch times, Stopwatch initial, Stopwatch ftree) {
    System.out.printf(
        Locale.ROOT,
        "| %s | %s | %s | %.1f%% | %.1f%% |%n",
        spec,
        what,
        times.columns(),
        100 * times.median() / initial.median(),
        100 * times.median() / ftree.median());
  }
}
