package org.heddle.routing.engine;

import java.util.ArrayList;
import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;
import org.heddle.verify.RouteTrace;

/**
 * Patterns of collective operations over ranks, and what they meet on the way, route by route as
 * the verifier follows them.
 */
public final class Collectives {
  private Collectives() {}

  /** Every rank sends to the one 1, 2, 4 .. ranks on, in a circle. */
  public static List<int[]> bruck(int ranks) {
    List<int[]> steps = new ArrayList<>();
    for (int d = 1; d < ranks; d *= 2) {
      steps.add(shift(ranks, d));
    }
    return steps;
  }

  /** The first 2^k ranks exchange with the one that differs in one bit. */
  public static List<int[]> recursiveDoubling(int ranks) {
    List<int[]> steps = new ArrayList<>();
    int n = Integer.highestOneBit(ranks);
    for (int d = 1; d < n; d *= 2) {
      int[] to = new int[n];
      for (int r = 0; r < n; r++) {
        to[r] = r ^ d;
      }
      steps.add(to);
    }
    return steps;
  }

  private static int[] shift(int ranks, int d) {
    int[] to = new int[ranks];
    for (int r = 0; r < ranks; r++) {
      to[r] = (r + d) % ranks;
    }
    return to;
  }

  /** Flows of a step that share a channel with another, and the sum of 1/(fullest channel). */
  record Step(int sharing, double bandwidth, int flows) {}

  /**
   * Follows the flows of one step.
   *
   * @param ports host port by rank
   * @param to receiver by rank
   */
  static Step follow(Fabric fabric, ForwardingTables tables, int[] ports, int[] to) {
    int[] load = new int[fabric.portIdLimit()];
    List<List<RouteTrace.Link>> routes = new ArrayList<>();
    for (int r = 0; r < to.length; r++) {
      RouteTrace route = RouteTrace.follow(fabric, tables, ports[r], fabric.lid(ports[to[r]]));
      if (route.outcome() != RouteTrace.Outcome.ARRIVED) {
        throw new AssertionError(route);
      }
      route.links().forEach(link -> load[link.out()]++);
      routes.add(route.links());
    }
    int sharing = 0;
    double bandwidth = 0;
    for (List<RouteTrace.Link> links : routes) {
      int most = 1;
      for (RouteTrace.Link link : links) {
        most = Math.max(most, load[link.out()]);
      }
      sharing += most > 1 ? 1 : 0;
      bandwidth += 1.0 / most;
    }
    return new Step(sharing, bandwidth, to.length);
  }

  /** Mean of 1/(fullest channel on the way) over all flows of all steps. */
  public static double effectiveBandwidth(
      Fabric fabric, ForwardingTables tables, int[] ports, List<int[]> steps) {
    double sum = 0;
    long flows = 0;
    for (int[] to : steps) {
      Step step = follow(fabric, tables, ports, to);
      sum += step.bandwidth();
      flows += step.flows();
    }
    return sum / flows;
  }

  public static int sharing(
      Fabric fabric, ForwardingTables tables, int[] ports, List<int[]> steps) {
    int sum = 0;
    for (int[] to : steps) {
      sum += follow(fabric, tables, ports, to).sharing();
    }
    return sum;
  }
}
