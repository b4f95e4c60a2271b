package org.heddle.routing.engine;

/**
 * The closed form of D-mod-K: at level l the host with index d takes slot floor(d / prod w) mod (w
 * p), product over the levels up to l. On a damaged tree an entry that cannot use its slot takes
 * the floor(d / prod w) mod n-th of the n that it can (Dmodc); nothing else changes.
 *
 * <p>d counts through the leaves in tree order, with the same number of places at every leaf, so
 * that a missing host does not shift the others. The k-th virtual LID of a host takes the index of
 * the k-th place after the host's on its leaf, so that starting a machine moves no other route.
 */
final class ModuloSlots implements SlotChooser {
  @Override
  public SlotPlan choose(TreeGraph graph, Destinations dest, LeafHosts hosts) {
    SlotPlan plan = new SlotPlan(graph, dest.topLid, false);
    int places = Math.max(1, hosts.most);
    int base = dense(dest, hosts, places);
    for (int i = 0; i < hosts.switches.length; i++) {
      int s = hosts.switches[i];
      int[] lastPlace = new int[256]; // by leaf port, 1 + the place its latest LID took
      for (int j = hosts.start[i]; j < hosts.start[i + 1]; j++) {
        int lid = hosts.lids[j];
        int out = dest.portOf[lid] & 0xff;
        boolean byPort = base > 0 && i < hosts.leaves; // upper switches have hosts at any port
        int place = byPort ? out - base : j - hosts.start[i];
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
