package org.heddle.catalog;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Lid;
import org.heddle.routing.EngineNames;
import org.heddle.routing.ForwardingTables;
import org.heddle.routing.RoutingEngine;
import org.heddle.routing.RoutingOption;
import org.heddle.routing.RoutingRequest;
import org.heddle.routing.RoutingResult;

/**
 * Says which engine forwarding tables of unknown origin look like: every engine of the catalog that
 * can route the fabric is asked for its tables, and equal entries are counted. Cost: that of the
 * engines, and O(switches * LIDs) each.
 *
 * @param engine its name
 * @param equal entries that are the same
 * @param entries entries compared: of every switch for every LID of a port, if one of the two has
 *     one
 */
public record EngineLikeness(String engine, long equal, long entries) {
  /** Of equally close engines the plainest comes first: others make the same without options. */
  private static final List<String> FIRST =
      List.of(EngineNames.FTREE, EngineNames.DMODK, EngineNames.MINHOP, EngineNames.UPDN);

  /** Share of equal entries, 0 to 1. */
  public double share() {
    return entries == 0 ? 0 : (double) equal / entries;
  }

  /** True if all entries are the same. */
  public boolean same() {
    return entries > 0 && equal == entries;
  }

  /**
   * The engines that can route the fabric, closest first. Those that need an order of hosts,
   * partitions or virtual machines are asked only if the request has some.
   */
  public static List<EngineLikeness> of(RoutingRequest request, ForwardingTables tables) {
    List<EngineLikeness> out = new ArrayList<>();
    for (RoutingEngine engine : Catalog.engines()) {
      if (hasWhatItNeeds(engine, request)
          && engine.route(request) instanceof RoutingResult.Routed routed) {
        out.add(compare(engine.name(), request.fabric(), tables, routed.tables()));
      }
    }
    out.sort(
        Comparator.comparingLong(EngineLikeness::equal)
            .reversed()
            .thenComparingInt(
                l -> FIRST.contains(l.engine) ? FIRST.indexOf(l.engine) : FIRST.size())
            .thenComparing(EngineLikeness::engine));
    return out;
  }

  private static boolean hasWhatItNeeds(RoutingEngine engine, RoutingRequest request) {
    if (FIRST.contains(engine.name())) {
      return true;
    }
    boolean machines =
        !engine.name().equals(EngineNames.VSWITCH_FTREE)
            || request.fabric().virtualLids().size() > 0;
    boolean partitions =
        !engine.uses().contains(RoutingOption.PARTITIONS)
            || !request.tenancy().partitions().isEmpty();
    boolean order =
        !engine.uses().contains(RoutingOption.HOST_ORDER) || !request.hostOrder().isEmpty();
    return machines && partitions && order;
  }

  /**
   * True if every entry for a host's LID leads along a shortest path, as minhop's do, and there are
   * some. O(switches * (ports + LIDs)).
   */
  public static boolean isShortest(Fabric fabric, ForwardingTables tables) {
    int[] distance = new int[fabric.switchCount()];
    int[] queue = new int[distance.length];
    int leaf = Fabric.NONE;
    boolean any = false;
    for (int lid : byLeaf(fabric)) {
      int port = fabric.portOfLid(lid);
      if (fabric.attachedSwitch(port) != leaf) {
        leaf = fabric.attachedSwitch(port);
        measure(fabric, leaf, distance, queue);
      }
      for (int sw = 0; sw < distance.length; sw++) {
        int number = tables.port(sw, lid);
        if (sw == leaf || number == ForwardingTables.NO_PORT) {
          continue;
        }
        int next =
            number > fabric.portCount(sw) ? Fabric.NONE : fabric.peerNode(fabric.port(sw, number));
        if (next == Fabric.NONE || !fabric.isSwitch(next) || distance[next] != distance[sw] - 1) {
          return false;
        }
        any = true;
      }
    }
    return any;
  }

  /** LIDs of hosts, those of one switch after the other. */
  private static List<Integer> byLeaf(Fabric fabric) {
    List<Integer> out = new ArrayList<>();
    for (int lid = 1; lid <= fabric.topLid(); lid++) {
      int port = fabric.portOfLid(lid);
      if (port != Fabric.NONE
          && !fabric.isSwitch(fabric.nodeOf(port))
          && fabric.attachedSwitch(port) != Fabric.NONE) {
        out.add(lid);
      }
    }
    out.sort(Comparator.comparingInt(lid -> fabric.attachedSwitch(fabric.portOfLid(lid))));
    return out;
  }

  private static void measure(Fabric fabric, int from, int[] distance, int[] queue) {
    Arrays.fill(distance, Integer.MAX_VALUE);
    distance[from] = 0;
    queue[0] = from;
    int end = 1;
    for (int at = 0; at < end; at++) {
      for (int k = 1; k <= fabric.portCount(queue[at]); k++) {
        int next = fabric.peerNode(fabric.port(queue[at], k));
        if (next != Fabric.NONE && fabric.isSwitch(next) && distance[next] == Integer.MAX_VALUE) {
          distance[next] = distance[queue[at]] + 1;
          queue[end++] = next;
        }
      }
    }
  }

  private static EngineLikeness compare(
      String engine, Fabric fabric, ForwardingTables a, ForwardingTables b) {
    long equal = 0;
    long entries = 0;
    for (int lid = 1; lid <= fabric.topLid(); lid++) {
      int port = fabric.portOfLid(lid);
      if (port == Fabric.NONE || fabric.lid(port) == Lid.NONE) {
        continue;
      }
      for (int sw = 0; sw < fabric.switchCount(); sw++) {
        int x = lid <= a.topLid() ? a.port(sw, lid) : ForwardingTables.NO_PORT;
        int y = lid <= b.topLid() ? b.port(sw, lid) : ForwardingTables.NO_PORT;
        if (x != ForwardingTables.NO_PORT || y != ForwardingTables.NO_PORT) {
          entries++;
          equal += x == y ? 1 : 0;
        }
      }
    }
    return new EngineLikeness(engine, equal, entries);
  }
}
