package org.heddle.plan;

import java.util.Arrays;
import java.util.BitSet;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Machines;
import org.heddle.plan.model.HostRef;
import org.heddle.plan.model.Tenant;

/**
 * Machines that have lost an adapter's links, by what they had before: a machine on a leaf switch
 * that is off, with all beside it, lacks nothing that others have.
 */
final class LostPorts {
  private LostPorts() {}

  /**
   * Adapters of machines that are not to be given to anybody who is promised links. O(nodes +
   * ports).
   *
   * @param but whose hosts are left out of it; null for nobody
   */
  static BitSet machines(DraftState w, Tenant but) {
    Fabric now = w.site.used();
    BitSet out = new BitSet();
    if (w.reference == w.site) {
      for (Tenant t : w.tenants.values()) {
        for (HostRef host : t.hosts()) {
          if (host.adapters().stream().anyMatch(guid -> !hasLink(now, now.findNode(guid)))) {
            add(out, now, host.node(now));
          }
        }
      }
    }
    Fabric before = w.reference.out().whole();
    if (before != now) {
      for (int node = before.switchCount(); node < before.nodeCount(); node++) {
        if (Machines.isAdapter(before, node)
            && hasLink(before, node)
            && !hasLink(now, now.findNode(before.nodeGuid(node)))) {
          add(out, now, present(before, node, now));
        }
      }
    }
    if (but != null) {
      BitSet own = new BitSet();
      but.hosts().forEach(h -> add(own, now, h.node(now)));
      out.andNot(own);
    }
    return out;
  }

  /** An adapter of the machine of an adapter that another fabric has. */
  private static int present(Fabric before, int node, Fabric now) {
    for (int adapter : PartitionMembers.machine(before, node)) {
      int there = now.findNode(before.nodeGuid(adapter));
      if (there != Fabric.NONE) {
        return there;
      }
    }
    return Fabric.NONE;
  }

  private static void add(BitSet out, Fabric fabric, int node) {
    if (node != Fabric.NONE) {
      Arrays.stream(PartitionMembers.machine(fabric, node)).forEach(out::set);
    }
  }

  /** True if a port of an adapter is linked to a switch; false for NONE. */
  static boolean hasLink(Fabric fabric, int node) {
    for (int k = 1; node != Fabric.NONE && k <= fabric.portCount(node); k++) {
      if (fabric.attachedSwitch(fabric.port(node, k)) != Fabric.NONE) {
        return true;
      }
    }
    return false;
  }
}
