package org.heddle.verify.links;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Lid;
import org.heddle.fabric.VirtualLids;
import org.heddle.routing.ForwardingTables;

/**
 * Proves from finished tables that the hosts of a tenant reach each other over the tenant's own
 * links only. With disjoint links this is stronger than what {@code IsolationAudit} shows: not only
 * is nobody else on them, nobody else can be.
 */
public final class LinkConfinement {
  private LinkConfinement() {}

  /**
   * What was found; a route is one from a switch with hosts of the tenant to a LID of another.
   *
   * @param routes routes checked
   * @param lost routes that do not arrive
   * @param strays routes that use a link between switches which is not the tenant's
   * @param example the first of the lost or straying routes, in words
   */
  public record Result(long routes, long lost, long strays, Optional<String> example) {
    /** True if all routes arrive, inside. */
    public boolean confined() {
      return lost == 0 && strays == 0;
    }
  }

  /**
   * Follows every route, those to LIDs of virtual functions included. O(LIDs x leaves x hops).
   *
   * @param hostPorts port ids of the tenant's hosts; those in parts of the fabric that no cable
   *     joins (rails) do not count as lost
   * @param links the tenant's links by the port id of either end
   */
  public static Result check(Fabric fabric, ForwardingTables tables, int[] hostPorts, int[] links) {
    return check(fabric, tables, hostPorts, new int[hostPorts.length], links);
  }

  /**
   * The same for routes between ports with the same number.
   *
   * @param rails by host port
   */
  public static Result check(
      Fabric fabric, ForwardingTables tables, int[] hostPorts, int[] rails, int[] links) {
    boolean[] own = new boolean[fabric.portIdLimit()];
    for (int port : links) {
      own[port] = true;
      own[fabric.peer(port)] = true;
    }
    int[] part = parts(fabric);
    Map<Integer, int[]> from = new HashMap<>();
    for (int rail : rails) {
      from.computeIfAbsent(rail, r -> switches(fabric, hostPorts, rails, r));
    }
    long routes = 0;
    long lost = 0;
    long strays = 0;
    String example = null;
    for (int i = 0; i < hostPorts.length; i++) {
      int host = hostPorts[i];
      int leaf = fabric.attachedSwitch(host);
      for (int lid : lids(fabric, host)) {
        for (int sw : from.get(rails[i])) {
          if (part[sw] != part[leaf]) {
            continue;
          }
          routes++;
          int end = follow(fabric, tables, sw, lid, host, own);
          lost += end == LOST ? 1 : 0;
          strays += end == STRAY ? 1 : 0;
          if (end != ARRIVED && example == null) {
            example =
                "from %s to LID %d (%s) %s"
                    .formatted(
                        fabric.node(sw).display(),
                        lid,
                        fabric.node(fabric.nodeOf(host)).display(),
                        end == LOST ? "does not arrive" : "leaves the tenant's links");
          }
        }
      }
    }
    return new Result(routes, lost, strays, Optional.ofNullable(example));
  }

  private static int[] switches(Fabric fabric, int[] ports, int[] rails, int rail) {
    return IntStream.range(0, ports.length)
        .filter(i -> rails[i] == rail)
        .map(i -> fabric.attachedSwitch(ports[i]))
        .distinct()
        .sorted()
        .toArray();
  }

  /** True if what {@link #check} finds of hosts depends on the columns of some of these LIDs. */
  public static boolean concerns(Fabric fabric, int[] hostPorts, BitSet some) {
    for (int host : hostPorts) {
      for (int lid : lids(fabric, host)) {
        if (some.get(lid)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Base LIDs of a port, then those of its virtual functions. */
  private static int[] lids(Fabric fabric, int port) {
    int base = fabric.lid(port) == Lid.NONE ? 0 : 1 << fabric.lmc(port);
    VirtualLids virtual = fabric.virtualLids();
    int first = virtual.first(port);
    int[] out = new int[base + virtual.count(port)];
    for (int i = 0; i < out.length; i++) {
      out[i] = i < base ? fabric.lid(port) + i : virtual.lid(first + i - base);
    }
    return out;
  }

  private static final int ARRIVED = 0;
  private static final int LOST = 1;
  private static final int STRAY = 2;

  private static int follow(
      Fabric fabric, ForwardingTables tables, int start, int lid, int host, boolean[] own) {
    boolean stray = false;
    int sw = start;
    for (int hops = 0; hops <= fabric.switchCount(); hops++) {
      int number = tables.port(sw, lid);
      if (number < 1 || number > fabric.portCount(sw)) {
        return LOST;
      }
      int port = fabric.port(sw, number);
      int next = fabric.peer(port);
      if (next == host) {
        return stray ? STRAY : ARRIVED;
      }
      if (next == Fabric.NONE || !fabric.isSwitch(fabric.nodeOf(next))) {
        return LOST;
      }
      stray |= !own[port];
      sw = fabric.nodeOf(next);
    }
    return LOST;
  }

  /** The connected component of every switch, hosts left out. */
  private static int[] parts(Fabric fabric) {
    int[] part = new int[fabric.switchCount()];
    int[] queue = new int[part.length];
    Arrays.fill(part, Fabric.NONE);
    for (int first = 0; first < part.length; first++) {
      if (part[first] != Fabric.NONE) {
        continue;
      }
      int n = 0;
      queue[n++] = first;
      part[first] = first;
      for (int at = 0; at < n; at++) {
        for (int number = 1; number <= fabric.portCount(queue[at]); number++) {
          int next = fabric.peerNode(fabric.port(queue[at], number));
          if (next != Fabric.NONE && fabric.isSwitch(next) && part[next] == Fabric.NONE) {
            part[next] = first;
            queue[n++] = next;
          }
        }
      }
    }
    return part;
  }
}
