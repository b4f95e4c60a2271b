package org.heddle.plan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Machines;
import org.heddle.plan.model.Breach;
import org.heddle.plan.model.Breach.Why;
import org.heddle.plan.model.HostRef;
import org.heddle.topology.FatTree;

/**
 * Which ports of a host are of no use, and why. A port without a cable is only told of where hosts
 * have one there as a rule: the second port of an adapter that nobody uses is not lost. O(nodes +
 * ports) to make.
 */
final class HostPorts {
  private final ServiceState out;
  private final FatTree tree;
  private final Fabric whole;
  private final Machines machines;

  /** Hosts with a cable at a port less those without one, by what the port is called. */
  private final Map<Place, Integer> cabled = new HashMap<>();

  /** A port, the same on every host of a kind. */
  private record Place(int adapters, int adapter, int port) {}

  HostPorts(ServiceState out, FatTree tree) {
    this.out = out;
    this.tree = tree;
    whole = out.whole();
    machines = whole.machines();
    for (int m = 0; m < machines.count(); m++) {
      for (int i = 0; i < machines.adapterCount(m); i++) {
        int node = machines.adapter(m, i);
        for (int k = 1; k <= whole.portCount(node); k++) {
          boolean linked = whole.peer(whole.port(node, k)) != Fabric.NONE;
          cabled.merge(place(m, i, k), linked ? 1 : -1, Integer::sum);
        }
      }
    }
  }

  private Place place(int machine, int i, int k) {
    return new Place(machines.adapterCount(machine), i, k);
  }

  /**
   * Why a host has no place.
   *
   * @param name of the host
   * @param node an adapter of it, or NONE
   * @return one breach for all of it where no port is of use, else one for each that is of none
   */
  List<Breach> losses(String name, int node) {
    int machine = node == Fabric.NONE ? Fabric.NONE : machines.of(node);
    if (machine == Fabric.NONE) {
      return List.of(new Breach.LostHost(name, Why.GONE));
    }
    List<Breach> ports = new ArrayList<>();
    boolean useful = false;
    boolean drained = false;
    boolean cable = false;
    for (int i = 0; i < machines.adapterCount(machine); i++) {
      int adapter = machines.adapter(machine, i);
      for (int k = 1; k <= whole.portCount(adapter); k++) {
        int port = whole.port(adapter, k);
        Why why = why(port);
        useful |= why == null;
        drained |= why == Why.OUT_OF_SERVICE;
        cable |= why == Why.UNPLACED;
        boolean expected = why != Why.UNLINKED || cabled.get(place(machine, i, k)) >= 0;
        if (why != null && expected) {
          ports.add(new Breach.LostPort(name, Machines.adapterName(whole, adapter), k, why));
        }
      }
    }
    if (useful && !ports.isEmpty()) {
      return ports;
    }
    boolean placed = useful || cable; // a cable is there, so the place is what lacks
    Why all = drained ? Why.OUT_OF_SERVICE : placed ? Why.UNPLACED : Why.UNLINKED;
    return List.of(new Breach.LostHost(name, all));
  }

  /**
   * The ports that a host had in use and that are of none now, whatever its other ports are like:
   * where a whole leaf is gone, its hosts lack nothing that others have.
   *
   * @param before the fabric, without what was out of service
   */
  List<Breach.LostPort> lossesSince(Fabric before, HostRef host) {
    List<Breach.LostPort> out = new ArrayList<>();
    int node = host.node(before);
    int[] adapters = node == Fabric.NONE ? new int[0] : PartitionMembers.machine(before, node);
    for (int adapter : adapters) {
      int now = whole.findNode(before.nodeGuid(adapter));
      for (int k = 1; k <= before.portCount(adapter); k++) {
        if (before.attachedSwitch(before.port(adapter, k)) != Fabric.NONE) {
          boolean there = now != Fabric.NONE && k <= whole.portCount(now);
          Why why = there ? why(whole.port(now, k)) : Why.GONE;
          if (why != null) {
            String of = Machines.adapterName(before, adapter);
            out.add(new Breach.LostPort(host.name(), of, k, why));
          }
        }
      }
    }
    return out;
  }

  /** What is wrong with a port; null for nothing. */
  private Why why(int port) {
    if (out.hasPort(port)) {
      return Why.OUT_OF_SERVICE;
    }
    int sw = whole.peer(port) == Fabric.NONE ? Fabric.NONE : whole.peerNode(port);
    if (sw == Fabric.NONE) {
      return Why.UNLINKED;
    }
    boolean leaf = whole.isSwitch(sw) && tree.isLeaf(sw) && tree.plane(sw) != Fabric.NONE;
    return leaf ? null : Why.UNPLACED;
  }
}
