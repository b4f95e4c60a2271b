package org.heddle.routing.tree;

import java.util.Arrays;
import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.SwitchLinks;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;

/**
 * Routes that climb first and then descend, in the order of {@link LinkOrder}: safe on every
 * fabric. The engine {@code updn} is this; others fall back on it where turns beside the tree would
 * close a cycle of channels.
 *
 * <p>O(switches * links + switches * LIDs * ports) time, O(switches^2) memory.
 */
public final class UpDownRoutes {
  private UpDownRoutes() {}

  /** Tables for every destination, of a fabric with switches. */
  public static RoutingResult.Routed of(RoutingRequest request) {
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
