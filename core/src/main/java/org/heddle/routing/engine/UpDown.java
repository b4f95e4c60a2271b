package org.heddle.routing.engine;

import com.google.auto.service.AutoService;
import java.util.Arrays;
import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.routing.RoutingEngine;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.routing.tree.Destinations;
import org.heddle.routing.tree.HopRows;
import org.heddle.routing.tree.LinkOrder;
import org.heddle.routing.tree.Mates;
import org.heddle.routing.tree.SwitchLinks;
import org.heddle.routing.tree.TurnOrder;

/**
 * Up*&#47;Down*: every link has an up end, every route climbs first and then descends, so no cycle
 * of channels can wait for itself. Routes every connected fabric.
 *
 * <p>On a recognised tree the order is that of the levels, re-rooted at one leaf ({@link
 * TurnOrder}) so that even two roots, or two leaves without a common ancestor, have a legal route.
 * Elsewhere it is the breadth-first order from one root per component: the first root given, else
 * the switch nearest to all others. Among the shortest legal routes the least loaded port is taken.
 *
 * <p>O(switches * links + switches * LIDs * ports) time, O(switches^2) memory.
 */
@AutoService(RoutingEngine.class)
public final class UpDown implements RoutingEngine {
  @Override
  public String name() {
    return "updn";
  }

  @Override
  public String description() {
    return "up*/down*: free of credit loops on every connected fabric";
  }

  @Override
  public String source() {
    return "Autonet (Schroeder et al. 1991); OpenSM updn";
  }

  @Override
  public RoutingResult route(RoutingRequest request) {
    return request.fabric().switchCount() == 0 ? noSwitch() : routeAll(request);
  }

  /** Hosts cabled to each other need no tables, and a file without any would say nothing. */
  static RoutingResult.Unsupported noSwitch() {
    return new RoutingResult.Unsupported(
        "the fabric has no switch",
        List.of("hosts that are cabled to each other need no forwarding tables"));
  }

  public static RoutingResult.Routed routeAll(RoutingRequest request) {
    Fabric fabric = request.fabric();
    SwitchLinks links = new SwitchLinks(fabric);
    int[] rank = new LinkOrder(request, links).rank();
    int n = links.switches();
    short[] distance = new short[n * n];
    boolean[] descends = new boolean[n * n];
    legalDistances(links, rank, distance, descends);
    Destinations dest = new Destinations(fabric);
    HopRows rows = new HopRows(links, dest, distance);
    return new RoutingResult.Routed(
        rows.fill(
            Mates.of(fabric, dest),
            (x, y, d) ->
                descends[x * n + d] ? rank[y] < rank[x] && descends[y * n + d] : rank[y] > rank[x]),
        List.of());
  }

  /**
   * Distances along legal routes as tables can follow them: a switch from which a destination can
   * be reached by descending only, descends.
   */
  private static void legalDistances(
      SwitchLinks links, int[] rank, short[] distance, boolean[] descends) {
    int n = links.switches();
    Arrays.fill(distance, HopRows.FAR);
    int[] falling = new int[n];
    for (int s = 0; s < n; s++) {
      falling[n - 1 - rank[s]] = s;
    }
    int[] queue = new int[n];
    for (int d = 0; d < n; d++) {
      int end = 0;
      queue[end++] = d;
      distance[d * n + d] = 0;
      descends[d * n + d] = true;
      for (int at = 0; at < end; at++) {
        int y = queue[at];
        for (int i = links.start[y]; i < links.start[y + 1]; i++) {
          int x = links.neighbour[i];
          if (rank[x] > rank[y] && !descends[x * n + d]) {
            descends[x * n + d] = true;
            distance[x * n + d] = (short) (distance[y * n + d] + 1);
            queue[end++] = x;
          }
        }
      }
      for (int x : falling) {
        if (!descends[x * n + d]) {
          distance[x * n + d] = climb(links, rank, distance, x, d);
        }
      }
    }
  }

  private static short climb(SwitchLinks links, int[] rank, short[] distance, int x, int d) {
    int n = links.switches();
    int best = HopRows.FAR;
    for (int i = links.start[x]; i < links.start[x + 1]; i++) {
      int y = links.neighbour[i];
      if (rank[y] > rank[x]) {
        best = Math.min(best, distance[y * n + d] + 1);
      }
    }
    return (short) Math.min(best, HopRows.FAR);
  }
}
