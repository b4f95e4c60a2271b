package org.heddle.routing.tree;

import java.util.ArrayList;
import java.util.List;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;

/**
 * Evens out what links carry on damaged trees: among parents ({@link UpLinkRelief}), then beside
 * the tree ({@link TurnRelief}); if a link is still too full, the whole fabric by up*&#47;down*
 * routes, where these are much evener. Regular trees stay as they are.
 */
final class Relief {
  private final RoutingRequest request;
  private final ReRootedOrder turns;
  private final Destinations dest;
  private final byte[][] rows;
  private boolean[] full = {}; // by switch: a link still carries too much
  private int fullestShare;
  private int turned;

  Relief(RoutingRequest request, ReRootedOrder turns, Destinations dest, byte[][] rows) {
    this.request = request;
    this.turns = turns;
    this.dest = dest;
    this.rows = rows;
  }

  /**
   * Moves destinations from full links to others.
   *
   * @param filler what filled the rows
   * @param proven true if an order proves that tree routes and the turns beside them are free of
   *     credit loops; else this is asked of the channels
   */
  void apply(TreeGraph graph, LeafHosts hosts, SlotPlan plan, TreeTables filler, boolean proven) {
    Fabric fabric = request.fabric();
    UpLinkRelief up = new UpLinkRelief(fabric, graph, turns, dest, hosts, plan, filler, rows);
    if (up.isUntouched()) {
      return;
    }
    full = up.relieve();
    fullestShare = up.fullestShare();
    boolean[] before = full.clone();
    TurnRelief aside = new TurnRelief(fabric, graph, turns, dest, rows);
    turned = aside.relieve(full, fullestShare);
    if (turned > 0 && !(proven && turns.isSafe()) && ChannelCycles.exist(fabric, dest, rows)) {
      aside.undo();
      full = before;
      turned = 0;
    }
  }

  /** True if entries lead beside the tree that would not need to. */
  boolean hasTurned() {
    return turned > 0;
  }

  /** What the user should know. */
  List<String> notes() {
    if (turned == 0) {
      return List.of();
    }
    return List.of(
        Counted.of(turned, "entry leads", "entries lead")
            + " down and up again, or do so at another place, because links would carry far more"
            + " destinations than others without it");
  }

  /** Up*&#47;down* routes for all, if a link is too full and theirs are much less so; else null. */
  RoutingResult.Routed orUpDown(ForwardingTables tables) {
    int most = 0;
    for (boolean one : full) {
      if (one) {
        most = FullestChannel.of(request.fabric(), dest, tables::port);
        break;
      }
    }
    if (most <= UpLinkRelief.tolerated(fullestShare)) {
      return null;
    }
    RoutingResult.Routed other = UpDownRoutes.of(request);
    int least = FullestChannel.of(request.fabric(), dest, other.tables()::port);
    if (most <= UpLinkRelief.tolerated(least)) {
      return null;
    }
    List<String> notes = new ArrayList<>();
    notes.add(
        "a link between switches would carry routes to "
            + Counted.of(most, "host", "hosts")
            + " with routes along the tree: all routes are up*/down* ones, as with engine updn, of"
            + " which no link carries more than "
            + least);
    return new RoutingResult.Routed(other.tables(), notes);
  }
}
