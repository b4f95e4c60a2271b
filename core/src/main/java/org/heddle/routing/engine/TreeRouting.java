package org.heddle.routing.engine;

import java.util.ArrayList;
import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.topology.FatTree;
import org.heddle.topology.Recognition;
import org.heddle.topology.TreeFinding;

/**
 * What the tree engines do alike: see the tree, let the {@link SlotChooser} decide, fill the
 * tables, and refuse where hosts could only reach each other by routes that may close a credit
 * loop.
 */
final class TreeRouting {
  private TreeRouting() {}

  static RoutingResult route(RoutingRequest request, SlotChooser chooser) {
    return switch (request.recognition()) {
      case Recognition.Refused refused ->
          new RoutingResult.Unsupported(
              "the fabric is not recognised as a fat-tree",
              refused.findings().stream().map(TreeFinding::message).toList());
      case Recognition.Found found -> route(request.fabric(), found.tree(), chooser);
    };
  }

  private static RoutingResult route(Fabric fabric, FatTree tree, SlotChooser chooser) {
    TreeGraph graph = new TreeGraph(fabric, tree);
    Destinations dest = new Destinations(fabric);
    RoutingResult.Unsupported refusal = cutLeaves(fabric, tree, graph, dest);
    if (refusal != null) {
      return refusal;
    }
    LeafHosts hosts = new LeafHosts(fabric, tree, dest);
    SlotPlan plan = chooser.choose(graph, dest, hosts);
    TurnOrder turns = new TurnOrder(graph, tree);
    byte[][] rows = new TreeTables(graph, turns, dest, plan).fill();
    RemainingEntries rest = new RemainingEntries(fabric, graph, turns, dest, rows);
    rest.fill();
    List<String> notes = new ArrayList<>();
    refusal = unsafeTurns(fabric, graph, turns, dest, rest, notes);
    return refusal != null
        ? refusal
        : new RoutingResult.Routed(ForwardingTables.ofRows(rows, dest.topLid), notes);
  }

  /** Refuses if two leaves with hosts have lost every common ancestor but are still connected. */
  static RoutingResult.Unsupported cutLeaves(
      Fabric fabric, FatTree tree, TreeGraph graph, Destinations dest) {
    int[] component = null;
    long[] leaves = new long[graph.words];
    for (int i = 0; i < tree.leafCount(); i++) {
      if (dest.hasHosts[tree.leaf(i)]) {
        leaves[tree.leaf(i) >>> 6] |= 1L << tree.leaf(i);
      }
    }
    for (int i = 0; i < tree.leafCount(); i++) {
      int a = tree.leaf(i);
      for (int w = 0; w < graph.words && dest.hasHosts[a]; w++) {
        long cut = leaves[w] & ~graph.good[a * graph.words + w];
        for (; cut != 0; cut &= cut - 1) {
          int b = (w << 6) + Long.numberOfTrailingZeros(cut);
          component = component == null ? new SwitchLinks(fabric).components() : component;
          if (component[a] == component[b]) {
            return new RoutingResult.Unsupported(
                "leaf switches "
                    + fabric.node(a).display()
                    + " and "
                    + fabric.node(b).display()
                    + " have no common ancestor left",
                List.of("engine updn routes every connected fabric"));
          }
        }
      }
    }
    return null;
  }

  /** Refuses if hosts need turns that may close a credit loop; notes turns that are safe. */
  static RoutingResult.Unsupported unsafeTurns(
      Fabric fabric,
      TreeGraph graph,
      TurnOrder turns,
      Destinations dest,
      RemainingEntries rest,
      List<String> notes) {
    int from = rest.unsafeFrom();
    int to = rest.unsafeTo();
    int pairs = 0;
    int[] component = null;
    long[] hosted = new long[graph.words];
    for (int a = 0; a < graph.switches; a++) {
      hosted[a >>> 6] |= dest.hasHosts[a] ? 1L << a : 0;
    }
    for (int a = 0; a < graph.switches; a++) {
      for (int w = 0; w < graph.words && dest.hasHosts[a]; w++) {
        long cut = hosted[w] & ~graph.good[a * graph.words + w];
        for (; cut != 0; cut &= cut - 1) {
          int b = (w << 6) + Long.numberOfTrailingZeros(cut);
          component = component == null ? new SwitchLinks(fabric).components() : component;
          if (component[a] != component[b]) {
            continue; // in another plane, where nothing is expected to lead
          }
          pairs++;
          if (!turns.isSafe() && from < 0) {
            from = a;
            to = b;
          }
        }
      }
    }
    if (from >= 0) {
      return new RoutingResult.Unsupported(
          "hosts on switches "
              + fabric.node(from).display()
              + " and "
              + fabric.node(to).display()
              + " reach each other only by routes that may close a credit loop",
          List.of("engine updn routes every connected fabric"));
    }
    if (pairs > 0) {
      notes.add(
          pairs
              + " ordered pairs of switches with hosts have no common ancestor (hosts on upper"
              + " switches); their traffic goes down and up again at one leaf");
    }
    return null;
  }
}
