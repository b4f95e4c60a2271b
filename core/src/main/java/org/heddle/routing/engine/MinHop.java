package org.heddle.routing.engine;

import com.google.auto.service.AutoService;
import java.util.Arrays;
import java.util.List;
import org.heddle.fabric.SwitchLinks;
import org.heddle.routing.EngineNames;
import org.heddle.routing.RoutingEngine;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;
import org.heddle.routing.tree.Destinations;
import org.heddle.routing.tree.HopRows;
import org.heddle.routing.tree.Mates;

/**
 * Shortest paths, spread over the ports of each switch by the number of hosts routed through them,
 * like OpenSM's minhop. Routes any fabric, but its routes may close credit loops where the shortest
 * paths do not form a tree.
 *
 * <p>O(switches * links + switches * LIDs * ports) time, O(switches^2) memory.
 */
@AutoService(RoutingEngine.class)
public final class MinHop implements RoutingEngine {
  @Override
  public String name() {
    return EngineNames.MINHOP;
  }

  @Override
  public String description() {
    return "shortest paths on any fabric; may close credit loops, audit the result";
  }

  @Override
  public String source() {
    return "OpenSM minhop";
  }

  @Override
  public RoutingResult route(RoutingRequest request) {
    if (request.fabric().switchCount() == 0) {
      return UpDown.noSwitch();
    }
    SwitchLinks links = new SwitchLinks(request.fabric());
    short[] distance = distances(links);
    Destinations dest = new Destinations(request.fabric());
    return new RoutingResult.Routed(
        new HopRows(links, dest, distance)
            .fill(Mates.of(request.fabric(), dest), (x, y, d) -> true),
        List.of());
  }

  private static short[] distances(SwitchLinks links) {
    int n = links.switches();
    short[] distance = new short[n * n];
    Arrays.fill(distance, HopRows.FAR);
    int[] queue = new int[n];
    for (int s = 0; s < n; s++) {
      int row = s * n;
      int end = 0;
      distance[row + s] = 0;
      queue[end++] = s;
      for (int at = 0; at < end; at++) {
        int x = queue[at];
        for (int i = links.start[x]; i < links.start[x + 1]; i++) {
          int y = links.neighbour[i];
          if (distance[row + y] == HopRows.FAR) {
            distance[row + y] = (short) (distance[row + x] + 1);
            queue[end++] = y;
          }
        }
      }
    }
    return distance;
  }
}
