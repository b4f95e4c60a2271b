package org.heddle.smp.discover;

import java.util.BitSet;
import java.util.List;
import java.util.Map;
import org.heddle.fabric.Fabric;
import org.heddle.mad.Smp;
import org.heddle.mad.SwitchInfo;
import org.heddle.smp.client.SmpRoute;

/**
 * A fabric as datagrams have shown it, and how to reach its nodes. Immutable.
 *
 * <p>Node and port ids are those of {@link #fabric()}.
 */
public final class DiscoveredFabric {
  private final Fabric fabric;
  private final SmpRoute[] routes;
  private final byte[][] switchInfos;
  private final BitSet linkUp;
  private final BitSet enforcing;
  private final List<String> warnings;
  private final List<String> doubles;

  /**
   * Makes one of what was found.
   *
   * @param routes by node GUID
   * @param switchInfos the attribute SwitchInfo by node GUID
   * @param linkUp ids of the ports whose link is up
   * @param enforcing see {@link #enforcement}: bits 2 * port and 2 * port + 1
   * @param doubles see {@link #doubles}
   */
  DiscoveredFabric(
      Fabric fabric,
      Map<Long, SmpRoute> routes,
      Map<Long, byte[]> switchInfos,
      BitSet linkUp,
      BitSet enforcing,
      List<String> warnings,
      List<String> doubles) {
    this.fabric = fabric;
    this.routes = new SmpRoute[fabric.nodeCount()];
    this.switchInfos = new byte[fabric.switchCount()][];
    for (int node = 0; node < this.routes.length; node++) {
      this.routes[node] = routes.get(fabric.nodeGuid(node));
    }
    for (int sw = 0; sw < this.switchInfos.length; sw++) {
      this.switchInfos[sw] = switchInfos.getOrDefault(fabric.nodeGuid(sw), new byte[Smp.DATA_SIZE]);
    }
    this.linkUp = linkUp;
    this.enforcing = enforcing;
    this.warnings = List.copyOf(warnings);
    this.doubles = List.copyOf(doubles);
  }

  private DiscoveredFabric(DiscoveredFabric of, byte[][] switchInfos) {
    this.fabric = of.fabric;
    this.routes = of.routes;
    this.switchInfos = switchInfos;
    this.linkUp = of.linkUp;
    this.enforcing = of.enforcing;
    this.warnings = of.warnings;
    this.doubles = of.doubles;
  }

  /**
   * The same with what switches have said of themselves since.
   *
   * @param newer the attribute SwitchInfo by switch; null where it was not read
   */
  DiscoveredFabric withSwitchInfos(byte[][] newer) {
    byte[][] infos = switchInfos.clone();
    for (int sw = 0; sw < infos.length; sw++) {
      infos[sw] = newer[sw] == null ? infos[sw] : newer[sw];
    }
    return new DiscoveredFabric(this, infos);
  }

  /** The fabric, with the LIDs the ports have now. */
  public Fabric fabric() {
    return fabric;
  }

  /** The shortest directed route to a node; the smallest of several, port by port. */
  public SmpRoute route(int node) {
    return routes[node];
  }

  /**
   * A directed route that enters an adapter by one of its ports, as attributes of that port need:
   * through the switch it is linked to; that of {@link #route} if there is none.
   */
  public SmpRoute routeToPort(int port) {
    int sw = fabric.attachedSwitch(port);
    SmpRoute toSwitch = sw == Fabric.NONE ? null : routes[sw];
    return toSwitch == null || !toSwitch.canGrow()
        ? routes[fabric.nodeOf(port)]
        : toSwitch.then(fabric.numberOf(fabric.peer(port)));
  }

  private SwitchInfo info(int sw) {
    return new SwitchInfo().wrap(switchInfos[sw], 0);
  }

  /**
   * What to set as SwitchInfo of a switch to change nothing but the largest LID it looks up; 64
   * bytes.
   */
  public byte[] switchInfoWithTop(int sw, int topLid) {
    byte[] data = switchInfos[sw].clone();
    SwitchInfo info = new SwitchInfo().wrap(data, 0);
    info.linearFdbTop(topLid);
    info.portStateChange(false); // true would reset it
    return data;
  }

  /** Entries the linear forwarding table of a switch can have; 0 if it did not say. */
  public int linearFdbCap(int sw) {
    return info(sw).linearFdbCap();
  }

  /** The largest LID a switch looks up. */
  public int linearFdbTop(int sw) {
    return info(sw).linearFdbTop();
  }

  /** Entries of the P_Key table of each external port of a switch. */
  public int partitionCap(int sw) {
    return info(sw).partitionEnforcementCap();
  }

  /** True if the port said its link is up, whether or not anything answered behind it. */
  public boolean linkUp(int port) {
    return linkUp.get(port);
  }

  /**
   * Whether a port discards packets of partitions that are not in its table: bit 0 what comes in,
   * bit 1 what goes out.
   */
  public int enforcement(int port) {
    return (enforcing.get(2 * port) ? 1 : 0) | (enforcing.get(2 * port + 1) ? 2 : 0);
  }

  /**
   * Nodes or ports that have one GUID, one sentence each. One of them is missing here, or cannot be
   * told from the other: such a fabric is not to be used, as a file of it would be refused.
   */
  public List<String> doubles() {
    return doubles;
  }

  /** What did not fit together or did not answer, one sentence each; empty if all is well. */
  public List<String> warnings() {
    return warnings;
  }
}
