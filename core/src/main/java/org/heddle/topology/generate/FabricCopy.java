package org.heddle.topology.generate;

import java.util.Arrays;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.FabricBuilder;
import org.heddle.fabric.VirtualLids;

/**
 * Copies a fabric into a builder, leaving things out, with more ports or with cables in other
 * ports. O(nodes + ports).
 *
 * <p>Handles of the builder are assigned in node-id order; {@link #handle} translates.
 */
public final class FabricCopy {
  private final Fabric fabric;
  private final FabricBuilder builder = new FabricBuilder();
  private final int[] handle;
  private final boolean[] dropNode;
  private final boolean[] dropPort;
  private final int[] number; // by port id of the old fabric: its number in the copy

  /**
   * @param dropNode by node id, true to leave the node and its cables out
   * @param dropPort by port id, true to leave the cable of that port out; either end will do
   * @param extraPorts by node id, ports to add after the last
   */
  public FabricCopy(Fabric fabric, boolean[] dropNode, boolean[] dropPort, int[] extraPorts) {
    this(fabric, dropNode, dropPort, extraPorts, numbers(fabric));
  }

  /**
   * With cables in other ports of the same nodes.
   *
   * @param number by port id, the number of the port of the copy that gets its cable and LID; a
   *     permutation of the numbers of each node, 0 for port 0
   */
  FabricCopy(Fabric fabric, int[] number) {
    this(
        fabric,
        new boolean[fabric.nodeCount()],
        new boolean[fabric.portIdLimit()],
        new int[fabric.nodeCount()],
        number);
  }

  private FabricCopy(
      Fabric fabric, boolean[] dropNode, boolean[] dropPort, int[] extraPorts, int[] number) {
    this.fabric = fabric;
    this.dropNode = dropNode;
    this.dropPort = dropPort;
    this.number = number;
    this.handle = new int[fabric.nodeCount()];
    for (int n = 0; n < handle.length; n++) {
      handle[n] = dropNode[n] ? Fabric.NONE : copyNode(n, fabric.portCount(n) + extraPorts[n]);
    }
    for (int port = 0; port < fabric.portIdLimit(); port++) {
      int peer = fabric.peer(port);
      if (peer >= port && keepsCable(port)) { // each cable is taken at its smaller end
        builder.connect(
            handle[fabric.nodeOf(port)], number[port], handle[fabric.nodeOf(peer)], number[peer]);
      }
    }
  }

  private static int[] numbers(Fabric fabric) {
    int[] number = new int[fabric.portIdLimit()];
    Arrays.setAll(number, fabric::numberOf);
    return number;
  }

  private boolean keepsCable(int port) {
    int peer = fabric.peer(port);
    return peer != Fabric.NONE
        && !dropPort[port]
        && !dropPort[peer]
        && !dropNode[fabric.nodeOf(port)]
        && !dropNode[fabric.nodeOf(peer)];
  }

  private int copyNode(int n, int ports) {
    int at = builder.addNode(fabric.nodeType(n), fabric.nodeGuid(n), ports, fabric.description(n));
    builder.setIds(at, fabric.vendorId(n), fabric.deviceId(n), fabric.systemGuid(n));
    builder.setEnhancedPort0(at, fabric.enhancedPort0(n));
    boolean sw = fabric.isSwitch(n);
    for (int k = 0; k <= fabric.portCount(n); k++) {
      int port = fabric.port(n, k);
      builder.setPortGuid(at, k, fabric.portGuid(port));
      builder.setLabel(at, k, fabric.label(port));
      if (fabric.peer(port) == Fabric.NONE || keepsCable(port)) {
        builder.setLink(at, number[port], fabric.width(port), fabric.speed(port));
        builder.setMtuCode(at, number[port], fabric.mtuCode(port));
      }
      if (sw == (k == 0)) {
        builder.setLid(at, number[port], fabric.lid(port), fabric.lmc(port));
      }
    }
    return at;
  }

  public FabricBuilder builder() {
    return builder;
  }

  /** Handle in the builder of a node id of the old fabric, or {@link Fabric#NONE} if left out. */
  public int handle(int node) {
    return handle[node];
  }

  public Fabric build() {
    Fabric copy = builder.build(fabric.epoch()).withMachines(fabric.machineList());
    return fabric.virtualLids().size() == 0 ? copy : copy.withVirtualLids(virtualLids(copy));
  }

  /** Virtual LIDs stay with their port, and go with it if it has no cable any more. */
  private VirtualLids virtualLids(Fabric copy) {
    VirtualLids old = fabric.virtualLids();
    int[] lids = new int[old.size()];
    int[] ports = new int[lids.length];
    int[] weights = new int[lids.length];
    int n = 0;
    for (int i = 0; i < lids.length; i++) {
      int node = copy.findNode(fabric.nodeGuid(fabric.nodeOf(old.port(i))));
      int port = node == Fabric.NONE ? node : copy.port(node, number[old.port(i)]);
      if (port != Fabric.NONE && copy.peer(port) != Fabric.NONE) {
        lids[n] = old.lid(i);
        ports[n] = port;
        weights[n++] = old.weight(i);
      }
    }
    return VirtualLids.of(
        Arrays.copyOf(lids, n), Arrays.copyOf(ports, n), Arrays.copyOf(weights, n));
  }
}
