package org.heddle.routing.tree;

import java.util.Arrays;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.VirtualLids;

/**
 * The choice of vSwitchFatTree: per leaf, hypervisors by increasing number of machines, their
 * machines one by one, each through the channel with the least accumulated weight. A machine's
 * weight is its part of its hypervisor's link, so that those of one hypervisor add up to one.
 *
 * <p>Base LIDs follow with equal weights and counters of their own, so that routes between
 * hypervisors are as balanced as FTree's; last the LIDs of idle virtual functions.
 */
public final class VirtualSlots implements SlotChooser {
  /** What the machines of one hypervisor weigh together. */
  private static final long LINK = 1L << 30;

  private final VirtualLids virtual;

  public VirtualSlots(Fabric fabric) {
    virtual = fabric.virtualLids();
  }

  @Override
  public SlotPlan choose(TreeGraph graph, Destinations dest, LeafHosts hosts) {
    SlotPlan plan = new SlotPlan(graph, dest.topLid, true);
    int[] indexOf = new int[dest.topLid + 1]; // 1 + index of a virtual LID
    for (int v = 0; v < virtual.size(); v++) {
      indexOf[virtual.lid(v)] = v + 1;
    }
    int n = hosts.switches.length;
    int[][] machines = new int[n][];
    int[][] base = new int[n][];
    int[][] idle = new int[n][];
    for (int i = 0; i < n; i++) {
      base[i] = Arrays.copyOfRange(hosts.lids, hosts.start[i], hosts.firstVirtual[i]);
      machines[i] = machines(dest, hosts, i, indexOf);
      idle[i] = idle(hosts, i, indexOf);
    }
    route(graph, plan, hosts, machines, indexOf);
    route(graph, plan, hosts, base, null);
    route(graph, plan, hosts, idle, null);
    CountingSlots.routeSwitches(graph, dest, plan);
    return plan;
  }

  /** LIDs of the machines at a switch: fewest on the hypervisor first, then by port, then LID. */
  private int[] machines(Destinations dest, LeafHosts hosts, int i, int[] indexOf) {
    int[] count = new int[256];
    int n = 0;
    for (int j = hosts.firstVirtual[i]; j < hosts.start[i + 1]; j++) {
      if (virtual.weight(indexOf[hosts.lids[j]] - 1) != VirtualLids.IDLE) {
        count[dest.portOf[hosts.lids[j]] & 0xff]++;
        n++;
      }
    }
    long[] keys = new long[n];
    int at = 0;
    for (int j = hosts.firstVirtual[i]; j < hosts.start[i + 1]; j++) {
      int lid = hosts.lids[j];
      if (virtual.weight(indexOf[lid] - 1) != VirtualLids.IDLE) {
        int port = dest.portOf[lid] & 0xff;
        keys[at++] = (long) count[port] << 32 | (long) port << 16 | lid;
      }
    }
    Arrays.sort(keys);
    int[] out = new int[n];
    for (int k = 0; k < n; k++) {
      out[k] = (int) (keys[k] & 0xffff);
    }
    return out;
  }

  private int[] idle(LeafHosts hosts, int i, int[] indexOf) {
    int[] out = new int[hosts.start[i + 1] - hosts.firstVirtual[i]];
    int n = 0;
    for (int j = hosts.firstVirtual[i]; j < hosts.start[i + 1]; j++) {
      if (virtual.weight(indexOf[hosts.lids[j]] - 1) == VirtualLids.IDLE) {
        out[n++] = hosts.lids[j];
      }
    }
    return Arrays.copyOf(out, n);
  }

  /** Routes LIDs leaf by leaf; indexOf null: with equal weights. */
  private void route(
      TreeGraph graph, SlotPlan plan, LeafHosts hosts, int[][] sequence, int[] indexOf) {
    long[] channel = new long[graph.slotParent.length];
    long[] through = new long[graph.switches];
    for (int i = 0; i < sequence.length; i++) {
      for (int lid : sequence[i]) {
        plan.leadTo(graph, lid, 1, hosts.switches[i], lid);
        long load = indexOf == null ? 1 : share(indexOf[lid] - 1);
        CountingSlots.climb(graph, plan, hosts.switches[i], lid, channel, through, load);
      }
    }
    CountingSlots.spreadDisplaced(graph, plan, sequence);
  }

  /** A machine's part of {@link #LINK}; the parts of one hypervisor add up to it exactly. */
  private long share(int v) {
    int port = virtual.port(v);
    long before = 0;
    long total = 0;
    for (int u = virtual.first(port); u < virtual.first(port + 1); u++) {
      total += virtual.weight(u);
      before += u < v ? virtual.weight(u) : 0;
    }
    return LINK * (before + virtual.weight(v)) / total - LINK * before / total;
  }
}
