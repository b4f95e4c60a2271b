package org.heddle.draw.layout;

import java.util.BitSet;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Machines;
import org.heddle.fabric.NodeType;
import org.heddle.topology.generate.FabricExtras;

/**
 * Which endports of channel adapters and routers hang on which switch, and what kind of node they
 * belong to. A node with several linked ports appears once a port; only its first one counts as
 * primary. O(ports).
 */
public final class Attachments {
  /** What a mark stands for. */
  public enum Kind {
    HOST,
    ROUTER,
    /** An aggregation node inside a switch (SHARP): its adapter is no host. */
    AGGREGATION
  }

  private final Fabric fabric;
  private final int[] first; // by switch
  private final int[] ports; // of adapters and routers, in port order of the switch
  private final int[] loose; // nodes other than switches with no port on a switch
  private int hosts;
  private int routers;
  private int aggregations;

  public Attachments(Fabric fabric) {
    this.fabric = fabric;
    first = new int[fabric.switchCount() + 1];
    int[] found = new int[fabric.portIdLimit()];
    int n = 0;
    for (int sw = 0; sw < fabric.switchCount(); sw++) {
      first[sw] = n;
      int from = fabric.port(sw, 1);
      for (int port = from; port < from + fabric.portCount(sw); port++) {
        int node = fabric.peerNode(port);
        if (node != Fabric.NONE && !fabric.isSwitch(node)) {
          found[n++] = fabric.peer(port);
        }
      }
    }
    first[fabric.switchCount()] = n;
    ports = java.util.Arrays.copyOf(found, n);
    int[] rest = new int[fabric.nodeCount()];
    int loosened = 0;
    for (int node = fabric.switchCount(); node < fabric.nodeCount(); node++) {
      switch (kind(node)) {
        case HOST -> hosts++;
        case ROUTER -> routers++;
        case AGGREGATION -> aggregations++;
      }
      if (primaryPort(node) == Fabric.NONE) {
        rest[loosened++] = node;
      }
    }
    loose = java.util.Arrays.copyOf(rest, loosened);
  }

  /** Number of endports on a switch. */
  public int count(int sw) {
    return first[sw + 1] - first[sw];
  }

  /** Port id (of the adapter) of the i-th endport on a switch. */
  int port(int sw, int i) {
    return ports[first[sw] + i];
  }

  /** Number of endports on all switches. */
  public int total() {
    return ports.length;
  }

  /** Nodes other than switches that no switch is connected to. */
  int[] loose() {
    return loose;
  }

  /** Number of adapters that are no routers and no aggregation nodes. */
  public int hosts() {
    return hosts;
  }

  /** How many machines have a port on one of some switches; hosts, if each has one adapter. */
  String machines(int[] switches) {
    Machines machines = fabric.machines();
    BitSet found = new BitSet();
    for (int sw : switches) {
      for (int i = 0; i < count(sw); i++) {
        int machine = machines.of(fabric.nodeOf(port(sw, i)));
        if (machine != Fabric.NONE) {
          found.set(machine);
        }
      }
    }
    boolean single = machines.count() == machines.adapterCount();
    return single
        ? Counted.of(found.cardinality(), "host", "hosts")
        : Counted.of(found.cardinality(), "machine", "machines");
  }

  public int routers() {
    return routers;
  }

  public int aggregations() {
    return aggregations;
  }

  /** True if some node hangs on switches with more than one port. */
  public boolean hasFurtherPorts() {
    return ports.length > fabric.nodeCount() - fabric.switchCount() - loose.length;
  }

  /** True for the endport at which a node is drawn; its other ports repeat it. */
  public boolean isPrimary(int port) {
    return primaryPort(fabric.nodeOf(port)) == port;
  }

  private int primaryPort(int node) {
    for (int i = 1; i <= fabric.portCount(node); i++) {
      int other = fabric.peerNode(fabric.port(node, i));
      if (other != Fabric.NONE && fabric.isSwitch(other)) {
        return fabric.port(node, i);
      }
    }
    return Fabric.NONE;
  }

  /** What a node other than a switch is. */
  public Kind kind(int node) {
    if (fabric.nodeType(node) == NodeType.ROUTER) {
      return Kind.ROUTER;
    }
    return FabricExtras.isAggregationNode(fabric, node) ? Kind.AGGREGATION : Kind.HOST;
  }
}
