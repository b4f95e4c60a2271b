package org.heddle.verify;

import java.util.ArrayList;
import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;

/**
 * One route, traced through finished tables hop by hop.
 *
 * @param from port id of the sending endport
 * @param lid destination LID
 * @param links the cables on the way, in order
 * @param outcome how it ends
 * @param end node where it ends
 */
public record RouteTrace(int from, int lid, List<Link> links, Outcome outcome, int end) {

  public RouteTrace {
    links = List.copyOf(links);
  }

  /**
   * A cable on the way.
   *
   * @param out port id at which packets leave
   * @param in port id at which they enter the next node
   */
  public record Link(int out, int in) {}

  /** How a route ends. */
  public enum Outcome {
    /** At the port that owns the LID. */
    ARRIVED,
    /** A switch has no entry for the LID. */
    NO_ENTRY,
    /** An entry names a port the switch does not have. */
    PORT_OUT_OF_RANGE,
    /** An entry names a port without cable. */
    DANGLING_PORT,
    /** A switch keeps packets that are not for it. */
    PORT_ZERO,
    /** The route enters a channel adapter or router that does not own the LID. */
    WRONG_HOST,
    /** The route comes back to a switch it has passed. */
    LOOP
  }

  /**
   * Follows a route. O(length).
   *
   * @param from port id of the sender: an endport of a channel adapter or router, or port 0 of a
   *     switch
   * @param lid destination
   */
  public static RouteTrace follow(Fabric fabric, ForwardingTables tables, int from, int lid) {
    int target = fabric.portOfLid(lid);
    List<Link> links = new ArrayList<>();
    int node = fabric.nodeOf(from);
    if (target == from) {
      return new RouteTrace(from, lid, links, Outcome.ARRIVED, node);
    }
    if (!fabric.isSwitch(node)) {
      int in = fabric.peer(from);
      if (in == Fabric.NONE) {
        return new RouteTrace(from, lid, links, Outcome.DANGLING_PORT, node);
      }
      links.add(new Link(from, in));
      node = fabric.nodeOf(in);
      if (!fabric.isSwitch(node)) {
        return ended(from, lid, links, in == target, node);
      }
    }
    boolean[] passed = new boolean[fabric.switchCount()];
    while (true) {
      if (passed[node]) {
        return new RouteTrace(from, lid, links, Outcome.LOOP, node);
      }
      passed[node] = true;
      int number = tables.port(node, lid);
      Outcome stop = stop(fabric, node, number, target);
      if (stop != null) {
        return new RouteTrace(from, lid, links, stop, node);
      }
      int out = fabric.port(node, number);
      int in = fabric.peer(out);
      links.add(new Link(out, in));
      node = fabric.nodeOf(in);
      if (!fabric.isSwitch(node)) {
        return ended(from, lid, links, in == target, node);
      }
    }
  }

  private static RouteTrace ended(int from, int lid, List<Link> links, boolean arrived, int node) {
    return new RouteTrace(from, lid, links, arrived ? Outcome.ARRIVED : Outcome.WRONG_HOST, node);
  }

  /** Why the route goes no further at a switch, or null if it does. */
  private static Outcome stop(Fabric fabric, int sw, int number, int target) {
    if (number == ForwardingTables.NO_PORT) {
      return Outcome.NO_ENTRY;
    }
    if (number == 0) {
      return target == fabric.port(sw, 0) ? Outcome.ARRIVED : Outcome.PORT_ZERO;
    }
    if (number > fabric.portCount(sw)) {
      return Outcome.PORT_OUT_OF_RANGE;
    }
    return fabric.peer(fabric.port(sw, number)) == Fabric.NONE ? Outcome.DANGLING_PORT : null;
  }
}
