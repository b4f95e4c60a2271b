package org.heddle.routing.tree;

import java.util.Arrays;
import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;

/**
 * Routing slots of the hosts of every leaf under a caller's order (NoFTree: Tasoulas, thesis, paper
 * III, section IV-B).
 *
 * <p>The host at global position n of the order takes slot n mod (largest number of hosts at a
 * leaf) of its leaf; hosts that are not named, and those whose slot is taken, fill the free slots
 * in port order. An empty order gives the port order.
 */
public final class NodeOrder {
  /** A slot that no host takes, but one after it. */
  static final int NOBODY = 0;

  private final Destinations dest;
  private final LeafHosts hosts;

  NodeOrder(Destinations dest, LeafHosts hosts) {
    this.dest = dest;
    this.hosts = hosts;
  }

  /**
   * The LIDs that node or port GUIDs stand for, in order; unknown GUIDs and repetitions left out.
   */
  public static int[] lids(Fabric fabric, List<Guid> order) {
    int[] out = new int[fabric.topLid() + 1];
    boolean[] seen = new boolean[fabric.topLid() + 1];
    int n = 0;
    for (Guid guid : order) {
      int port = fabric.findPort(guid.value());
      int node = port != Fabric.NONE ? Fabric.NONE : fabric.findNode(guid.value());
      int from = port != Fabric.NONE ? port : node == Fabric.NONE ? 0 : fabric.port(node, 0);
      int to =
          port != Fabric.NONE ? port : node == Fabric.NONE ? -1 : from + fabric.portCount(node);
      for (int p = from; p <= to; p++) {
        int lid = fabric.lid(p);
        for (int i = 0; lid != 0 && !seen[lid] && i < 1 << fabric.lmc(p); i++) {
          out[n++] = lid + i;
        }
        seen[lid] = true;
      }
    }
    return Arrays.copyOf(out, n);
  }

  /** LIDs by routing slot for every switch of {@link LeafHosts#switches}. */
  int[][] sequence(int[] order) {
    int[][] out = new int[hosts.switches.length][];
    int[] placeOf = new int[dest.topLid + 1]; // position in the order + 1
    for (int i = 0; i < order.length; i++) {
      placeOf[order[i]] = i + 1;
    }
    int[] byPlace = new int[hosts.lids.length];
    for (int i = 0; i < out.length; i++) {
      int from = hosts.start[i];
      int n = hosts.start[i + 1] - from;
      out[i] =
          order.length == 0 || n == 0
              ? Arrays.copyOfRange(hosts.lids, from, from + n)
              : slots(from, n, placeOf, byPlace);
    }
    return out;
  }

  private int[] slots(int from, int n, int[] placeOf, int[] named) {
    int size = Math.max(n, hosts.most);
    int[] slot = new int[size];
    boolean[] placed = new boolean[n];
    // The earlier in the order takes the slot when two want the same one.
    int count = 0;
    for (int j = 0; j < n; j++) {
      if (placeOf[hosts.lids[from + j]] > 0) {
        int k = count++;
        for (;
            k > 0 && placeOf[hosts.lids[from + named[k - 1]]] > placeOf[hosts.lids[from + j]];
            k--) {
          named[k] = named[k - 1];
        }
        named[k] = j;
      }
    }
    for (int k = 0; k < count; k++) {
      int j = named[k];
      int wanted = (placeOf[hosts.lids[from + j]] - 1) % hosts.most;
      if (slot[wanted] == NOBODY) {
        slot[wanted] = hosts.lids[from + j];
        placed[j] = true;
      }
    }
    int free = 0;
    for (int j = 0; j < n; j++) {
      if (!placed[j]) {
        while (slot[free] != NOBODY) {
          free++;
        }
        slot[free] = hosts.lids[from + j];
      }
    }
    int last = size;
    while (last > 0 && slot[last - 1] == NOBODY) {
      last--;
    }
    return Arrays.copyOf(slot, last);
  }
}
