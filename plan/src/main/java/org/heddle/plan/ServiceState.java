package org.heddle.plan;

import java.util.Arrays;
import java.util.BitSet;
import org.heddle.fabric.Fabric;
import org.heddle.plan.model.Drained;
import org.heddle.plan.model.LinkRef;
import org.heddle.routing.ForwardingTables;
import org.heddle.topology.generate.FabricCut;

/**
 * A fabric of which something is out of service: what is left for tenants to be routed on, with the
 * same node and port ids. Immutable.
 *
 * <p>A switch is out of service if it was drained, or if it is cut off from where most hosts are;
 * so are its hosts, and a host whose link was drained. All of them stay reachable, for management
 * and because nobody can be sure that they are not used: see {@link OutOfServiceRoutes}.
 */
public final class ServiceState {
  private final Fabric whole;
  private final Drained drained;
  private final BitSet ports = new BitSet();
  private final BitSet drainedPorts = new BitSet();
  private final BitSet switches = new BitSet();
  private final Fabric used;

  private ServiceState(Fabric whole, Drained drained) {
    this.whole = whole;
    this.drained = drained;
    for (LinkRef l : drained.links()) {
      drain(l.from(), l.port());
      drain(l.to(), l.toPort());
    }
    if (!drained.isEmpty()) {
      SwitchParts wholeParts = SwitchParts.of(whole, _ -> true);
      switchesToDrain(wholeParts).stream().forEach(this::takeOut);
      keepLargestParts(wholeParts);
    }
    this.used = ports.isEmpty() ? whole : FabricCut.without(whole, new BitSet(), ports);
  }

  /** A fabric without what is drained. O(ports). */
  static ServiceState of(Fabric whole, Drained drained) {
    return new ServiceState(whole, drained);
  }

  private void drain(long guid, int number) {
    int node = whole.findNode(guid);
    if (node == Fabric.NONE || number < 1 || number > whole.portCount(node)) {
      return;
    }
    int port = whole.port(node, number);
    if (whole.peer(port) != Fabric.NONE) {
      cut(port);
      drainedPorts.set(port);
      drainedPorts.set(whole.peer(port));
    }
  }

  private void cut(int port) {
    ports.set(port);
    ports.set(whole.peer(port));
  }

  private void takeOut(int sw) {
    switches.set(sw);
    for (int k = 1; k <= whole.portCount(sw); k++) {
      int port = whole.port(sw, k);
      if (whole.peer(port) != Fabric.NONE) {
        cut(port);
      }
    }
  }

  /** Those that were drained, but for one where every switch of a part of the fabric was. */
  private BitSet switchesToDrain(SwitchParts wholeParts) {
    BitSet out = new BitSet();
    for (long guid : drained.switches()) {
      int sw = whole.findNode(guid);
      if (sw != Fabric.NONE && whole.isSwitch(sw)) {
        out.set(sw);
      }
    }
    int[] last = new int[wholeParts.count()];
    Arrays.fill(last, Fabric.NONE);
    for (int sw = 0; sw < whole.switchCount(); sw++) {
      int in = wholeParts.of(sw);
      if (last[in] == Fabric.NONE || last[in] >= 0 && hosts(sw) > hosts(last[in])) {
        last[in] = sw;
      }
    }
    for (int sw = 0; sw < whole.switchCount(); sw++) {
      if (!out.get(sw)) {
        last[wholeParts.of(sw)] = Fabric.NONE;
      }
    }
    Arrays.stream(last).filter(sw -> sw != Fabric.NONE).forEach(out::clear);
    return out;
  }

  private int hosts(int sw) {
    int n = 0;
    for (int k = 1; k <= whole.portCount(sw); k++) {
      int next = whole.peerNode(whole.port(sw, k));
      n += next != Fabric.NONE && !whole.isSwitch(next) ? 1 : 0;
    }
    return n;
  }

  /**
   * Takes out what draining has cut off: of the switches of each connected part of the whole fabric
   * those stay in service that are still connected with most hosts; of equals, with the switch of
   * the lowest GUID. A switch alone stays only if nothing else of its part does: something has to,
   * or the rest could not be reached from anywhere.
   */
  private void keepLargestParts(SwitchParts wholeParts) {
    SwitchParts parts = SwitchParts.of(whole, port -> !ports.get(port));
    int[] best = new int[wholeParts.count()];
    Arrays.fill(best, Fabric.NONE);
    for (int sw = 0; sw < whole.switchCount(); sw++) {
      int in = wholeParts.of(sw);
      if (!switches.get(sw) && (best[in] == Fabric.NONE || isLarger(parts, sw, best[in]))) {
        best[in] = sw;
      }
    }
    for (int sw = 0; sw < whole.switchCount(); sw++) {
      if (!switches.get(sw) && parts.of(sw) != parts.of(best[wholeParts.of(sw)])) {
        takeOut(sw);
      }
    }
  }

  private boolean isLarger(SwitchParts parts, int a, int b) {
    boolean alone = parts.switches(parts.of(a)) == 1;
    if (alone != (parts.switches(parts.of(b)) == 1)) {
      return !alone;
    }
    int more = Integer.compare(parts.hosts(parts.of(a)), parts.hosts(parts.of(b)));
    return more != 0 ? more > 0 : whole.nodeGuid(a) < whole.nodeGuid(b);
  }

  /** True if no link between switches is left in service, where there are some. */
  boolean leavesNoLinks() {
    return SwitchParts.of(whole, _ -> true).haveLinks()
        && !SwitchParts.of(used, _ -> true).haveLinks();
  }

  /** True if there is nothing. */
  boolean isEmpty() {
    return ports.isEmpty();
  }

  /** What was asked for. */
  Drained drained() {
    return drained;
  }

  Fabric whole() {
    return whole;
  }

  /** What is left; the same object if nothing is out of service. */
  Fabric used() {
    return used;
  }

  /** True if nobody's traffic may cross the switch. */
  boolean hasSwitch(int sw) {
    return switches.get(sw);
  }

  /** Switches that nobody's traffic may cross. */
  BitSet switches() {
    return (BitSet) switches.clone();
  }

  /** True if the cable at a port is out of service, itself or with a switch at its end. */
  boolean hasPort(int port) {
    return ports.get(port);
  }

  /** True if the cable at a port was drained itself. */
  boolean isDrained(int port) {
    return drainedPorts.get(port);
  }

  /** Tables of what is left, made to be those of the whole fabric. */
  ForwardingTables complete(ForwardingTables tables) {
    return isEmpty() ? tables : new OutOfServiceRoutes(this, tables).tables();
  }

  /**
   * What crosses something that is out of service and should not, or null.
   *
   * @param addressed the whole fabric with all LIDs of the tables
   */
  public String trouble(Fabric addressed, ForwardingTables tables) {
    return isEmpty() ? null : OutOfServiceRoutes.trouble(this, addressed, tables);
  }
}
