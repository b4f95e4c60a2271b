package org.heddle.routing.tree;

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
 * What the tree engines have in common: they take the tree, let the {@link SlotChooser} decide, and
 * fill the tables. Hosts without a common ancestor reach each other by turns that the {@link
 * ReRootedOrder} proves safe. Where it does not, the channel dependencies of the finished tables
 * decide, and if these close a cycle, all routes are up*&#47;down* ones: nothing connected is
 * refused.
 */
public final class TreeRouting {
  private TreeRouting() {}

  public static RoutingResult route(RoutingRequest request, SlotChooser chooser) {
    return switch (request.recognition()) {
      case Recognition.Refused _ -> notATree(request);
      case Recognition.Found found -> route(request, found.tree(), chooser).routed();
    };
  }

  public static RoutingResult.Unsupported notATree(RoutingRequest request) {
    List<TreeFinding> findings =
        request.recognition() instanceof Recognition.Refused no ? no.findings() : List.of();
    return new RoutingResult.Unsupported(
        "the fabric is not recognised as a fat-tree",
        findings.stream().map(TreeFinding::message).toList());
  }

  /**
   * A fabric that is a tree, routed.
   *
   * @param provenByOrder true if the {@link ReRootedOrder} proves that these entries and any others
   *     that climb, then descend, are free of credit loops together
   */
  public record Tables(RoutingResult.Routed routed, boolean provenByOrder) {}

  public static Tables route(RoutingRequest request, FatTree tree, SlotChooser chooser) {
    Fabric fabric = request.fabric();
    TreeGraph graph = new TreeGraph(fabric, tree, chooser.keepsCables());
    Destinations dest = new Destinations(fabric);
    LeafHosts hosts = new LeafHosts(fabric, tree, dest);
    SlotPlan plan = chooser.choose(graph, dest, hosts);
    ReRootedOrder turns = new ReRootedOrder(graph, tree);
    TreeTables filler = new TreeTables(graph, turns, dest, plan);
    byte[][] rows = filler.fill();
    RemainingEntries rest = new RemainingEntries(fabric, graph, turns, dest, rows);
    rest.fill();
    TurnNotes notes = new TurnNotes(fabric, tree, graph, dest);
    boolean proven = isProvenByOrder(turns, rest, notes);
    Relief relief = new Relief(request, turns, dest, rows);
    if (chooser.evensLinks()) {
      relief.apply(graph, hosts, plan, filler, proven);
    }
    if (!proven && !relief.hasTurned() && ChannelCycles.exist(fabric, dest, rows)) {
      return new Tables(upDown(request, notes), false);
    }
    List<String> said = new ArrayList<>(notes.describe((s, lid) -> rows[s][lid] & 0xff));
    said.addAll(relief.notes());
    ForwardingTables tables = ForwardingTables.ofRows(rows, dest.topLid);
    RoutingResult.Routed evener = relief.orUpDown(tables);
    return evener != null
        ? new Tables(evener, false)
        : new Tables(
            new RoutingResult.Routed(tables, said),
            proven && (!relief.hasTurned() || turns.isSafe()));
  }

  /** Whether hosts need no turns but those whose place excludes credit loops. */
  public static boolean isProvenByOrder(
      ReRootedOrder turns, RemainingEntries rest, TurnNotes notes) {
    return rest.unsafeFrom() < 0 && (turns.isSafe() || notes.isEmpty());
  }

  /** Routes that are safe everywhere, where those of the tree and turns beside them are not. */
  private static RoutingResult.Routed upDown(RoutingRequest request, TurnNotes notes) {
    Fabric fabric = request.fabric();
    RoutingResult.Routed routed = UpDownRoutes.of(request);
    int[] pair = notes.first();
    List<String> said = new ArrayList<>();
    said.add(
        "hosts on switches "
            + fabric.node(pair[0]).display()
            + " and "
            + fabric.node(pair[1]).display()
            + " have no common ancestor, and no place was found where their traffic could go "
            + "down and up again without a credit loop: all routes are up*/down* ones, as with "
            + "engine updn");
    said.addAll(notes.describe(routed.tables()::port));
    return new RoutingResult.Routed(routed.tables(), said);
  }
}
