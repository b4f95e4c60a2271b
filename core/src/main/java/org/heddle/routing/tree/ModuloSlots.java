package org.heddle.routing.tree;

import java.util.Arrays;
import java.util.TreeSet;

/**
 * The closed form of D-mod-K: at level l the host with index d takes slot floor(d / prod w) mod (w
 * p), product over the levels up to l. On a damaged tree an entry that cannot use its slot takes
 * the floor(d / prod w) mod n-th of the n that it can (Dmodc); nothing else changes.
 *
 * <p>d counts through the leaves in tree order, with the same number of places at every leaf, so
 * that a missing host does not shift the others. The k-th virtual LID of a host takes the index of
 * the k-th place after the host's on its leaf, so that starting a machine moves no other route.
 *
 * <p>Where machines have ports on several leaves ({@link Mates}), a port has the place that the
 * machine has on the first of them, and the places of every further leaf are turned round as far as
 * it takes for the ports of a machine to come down by different parents. That depends on which
 * leaves share machines, not on which ports are there, so a lost port moves no other route.
 */
public final class ModuloSlots implements SlotChooser {
  private final Mates mates;

  /**
   * A chooser.
   *
   * @param mates null if no machine has two ports
   */
  public ModuloSlots(Mates mates) {
    this.mates = mates;
  }

  @Override
  public SlotPlan choose(TreeGraph graph, Destinations dest, LeafHosts hosts) {
    SlotPlan plan = new SlotPlan(graph, dest.topLid, false);
    int places = Math.max(1, hosts.most);
    int base = dense(dest, hosts, places);
    Turned turned = mates == null ? null : new Turned(graph, dest, hosts, places, base);
    for (int i = 0; i < hosts.switches.length; i++) {
      int s = hosts.switches[i];
      int[] lastPlace = new int[256]; // by leaf port, 1 + the place its latest LID took
      for (int j = hosts.start[i]; j < hosts.start[i + 1]; j++) {
        int lid = hosts.lids[j];
        int out = dest.portOf[lid] & 0xff;
        boolean byPort = base > 0 && i < hosts.leaves; // upper switches have hosts at any port
        int place =
            mates != null && i < hosts.leaves
                ? turned.place[lid]
                : byPort ? out - base : j - hosts.start[i];
        place = j < hosts.firstVirtual[i] ? place : lastPlace[out] % places;
        lastPlace[out] = place + 1;
        plan.leadTo(graph, lid, 1, s, lid);
        choose(graph, plan, s, lid, i * places + place);
      }
    }
    for (int s = 0; s < graph.switches; s++) {
      for (int i = dest.start[s]; i < dest.start[s + 1]; i++) {
        if (dest.portOf[dest.lids[i]] == 0) {
          plan.leadTo(graph, dest.lids[i], 1, s, s);
          choose(graph, plan, s, dest.lids[i], s);
        }
      }
    }
    return plan;
  }

  /** Places of hosts whose machines have ports on several leaves. */
  private final class Turned {
    final int[] place; // by LID of a host at a leaf

    private final TreeGraph graph;
    private final LeafHosts hosts;
    private final int places;
    private final int keys;
    private final int[] first; // by LID: its place before its leaf was turned
    private final int[] leafOf; // by LID, -1 if not met yet
    private final int[] turn; // by leaf
    private final boolean[] takesOver; // by leaf: places are those of first leaves

    Turned(TreeGraph graph, Destinations dest, LeafHosts hosts, int places, int base) {
      this.graph = graph;
      this.hosts = hosts;
      this.places = places;
      keys = Math.max(1, graph.keys[1]);
      place = new int[dest.topLid + 1];
      first = new int[dest.topLid + 1];
      leafOf = new int[dest.topLid + 1];
      Arrays.fill(leafOf, -1);
      turn = new int[hosts.leaves];
      takesOver = new boolean[hosts.leaves];
      for (int i = 0; i < hosts.leaves; i++) {
        for (int j = hosts.start[i]; j < hosts.firstVirtual[i]; j++) {
          int lid = hosts.lids[j];
          first[lid] = base > 0 ? (dest.portOf[lid] & 0xff) - base : (j - hosts.start[i]) % places;
        }
        takeOver(i);
        turn[i] = leastMet(i);
        for (int j = hosts.start[i]; j < hosts.firstVirtual[i]; j++) {
          int lid = hosts.lids[j];
          place[lid] = (first[lid] + turn[i]) % places;
          leafOf[lid] = i;
        }
      }
    }

    /** The mate on the earliest leaf, or 0. */
    private int earliest(int lid) {
      int best = 0;
      for (int mate : mates.of(lid)) {
        if (leafOf[mate] >= 0 && (best == 0 || leafOf[mate] < leafOf[best])) {
          best = mate;
        }
      }
      return best;
    }

    /**
     * Gives ports the places of their machines on first leaves; two that want the same one, and
     * hosts without other ports that are in the way, go to the next free place.
     */
    private void takeOver(int i) {
      boolean[] taken = new boolean[places];
      int from = hosts.start[i];
      int n = hosts.firstVirtual[i] - from;
      boolean[] settled = new boolean[n];
      int over = 0;
      int mated = 0;
      for (int k = 0; k < n; k++) {
        int mate = earliest(hosts.lids[from + k]);
        mated += mate != 0 ? 1 : 0;
        if (mate != 0 && !taken[first[mate]]) {
          first[hosts.lids[from + k]] = first[mate];
          taken[first[mate]] = true;
          settled[k] = true;
          over++;
        }
      }
      takesOver[i] = over > 0 && over == mated;
      for (int k = 0; k < n && over > 0; k++) {
        int lid = hosts.lids[from + k];
        if (!settled[k] && !taken[first[lid]]) {
          taken[first[lid]] = true;
          settled[k] = true;
        }
      }
      int free = 0;
      for (int k = 0; k < n && over > 0; k++) {
        if (!settled[k]) {
          while (free < places - 1 && taken[free]) {
            free++;
          }
          first[hosts.lids[from + k]] = free;
          taken[free] = true;
        }
      }
    }

    /** How far to turn a leaf so that it meets earlier leaves of its machines least. */
    private int leastMet(int i) {
      TreeSet<Integer> leaves = new TreeSet<>();
      for (int j = hosts.start[i]; j < hosts.firstVirtual[i]; j++) {
        for (int mate : mates.of(hosts.lids[j])) {
          if (leafOf[mate] >= 0) {
            leaves.add(leafOf[mate]);
          }
        }
      }
      int best = 0;
      int least = Integer.MAX_VALUE;
      for (int r = 0; r < places && least > 0 && !leaves.isEmpty(); r++) {
        int met = takesOver[i] ? metByPlace(i, r, leaves) : metByMates(i, r);
        if (met < least) {
          least = met;
          best = r;
        }
      }
      return best;
    }

    private int metByPlace(int i, int r, TreeSet<Integer> leaves) {
      int met = 0;
      for (int leaf : leaves) {
        for (int p = 0; p < places; p++) {
          met += way(i, (p + r) % places) == way(leaf, (p + turn[leaf]) % places) ? 1 : 0;
        }
      }
      return met;
    }

    private int metByMates(int i, int r) {
      int met = 0;
      for (int j = hosts.start[i]; j < hosts.firstVirtual[i]; j++) {
        int way = way(i, (first[hosts.lids[j]] + r) % places);
        for (int mate : mates.of(hosts.lids[j])) {
          met += leafOf[mate] >= 0 && way(leafOf[mate], place[mate]) == way ? 1 : 0;
        }
      }
      return met;
    }

    private int way(int leaf, int p) {
      int slots = Math.max(1, graph.slots[1]);
      return (leaf * places + p) % slots % keys;
    }
  }

  /** Smallest host port of all leaves if hosts sit on {@code places} consecutive ports, else 0. */
  private static int dense(Destinations dest, LeafHosts hosts, int places) {
    int min = 255;
    int max = 0;
    for (int i = 0; i < hosts.leaves; i++) {
      for (int j = hosts.start[i]; j < hosts.firstVirtual[i]; j++) {
        int port = dest.portOf[hosts.lids[j]] & 0xff;
        min = Math.min(min, port);
        max = Math.max(max, port);
      }
    }
    return max - min + 1 == places ? min : 0;
  }

  private static void choose(TreeGraph graph, SlotPlan plan, int s, int lid, int index) {
    int quotient = index;
    for (int l = 1; l <= graph.levels; l++) {
      if (graph.slots[l] == 0) {
        continue;
      }
      if (l >= graph.level[s]) {
        plan.slot[l][lid] = quotient % graph.slots[l];
        plan.key[l][lid] = quotient;
      }
      quotient /= graph.keys[l];
    }
  }
}
