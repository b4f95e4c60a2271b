package org.heddle.routing.tree;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Machines;

/**
 * LIDs of different ports of one machine: <i>mates</i>. If they come down over different switches,
 * the machine stays reachable when one of these is lost. LIDs of one offset in the ranges of their
 * ports are mates; virtual LIDs have none. Immutable.
 */
public final class Mates {
  private static final int[] NONE = {};

  private final int[][] of; // by LID: its mates, ascending

  private Mates(int[][] of) {
    this.of = of;
  }

  /** The mates of a fabric, or null if no machine has two ports at switches. O(LIDs). */
  public static Mates of(Fabric fabric, Destinations dest) {
    Machines machines = fabric.machines();
    int[] ports = new int[machines.count()];
    boolean any = false;
    for (int lid : dest.lids) {
      int port = fabric.portOfLid(lid);
      int machine = port == Fabric.NONE ? Fabric.NONE : machines.of(fabric.nodeOf(port));
      if (machine != Fabric.NONE && lid == fabric.lid(port)) {
        any |= ++ports[machine] > 1;
      }
    }
    if (!any) {
      return null;
    }
    Map<Long, List<Integer>> groups = new HashMap<>();
    for (int lid : dest.lids) {
      int port = fabric.portOfLid(lid);
      int offset = port == Fabric.NONE ? -1 : lid - fabric.lid(port);
      int machine = offset < 0 ? Fabric.NONE : machines.of(fabric.nodeOf(port));
      if (machine != Fabric.NONE && ports[machine] > 1 && offset < 1 << fabric.lmc(port)) {
        long key = (long) offset << 32 | machine; // spread over a map's buckets
        groups.computeIfAbsent(key, _ -> new ArrayList<>()).add(lid);
      }
    }
    int[][] of = new int[dest.topLid + 1][];
    Arrays.fill(of, NONE);
    for (List<Integer> group : groups.values()) {
      for (int lid : group) {
        of[lid] = group.stream().mapToInt(i -> i).filter(i -> i != lid).sorted().toArray();
      }
    }
    return new Mates(of);
  }

  /** The LIDs of the other ports of its machine, ascending. */
  int[] of(int lid) {
    return of[lid];
  }

  /** What leads to LIDs: two with the same way come down over the same switch. */
  public interface Ways {
    /** The way of a LID, negative if it has none yet. */
    int way(int lid);

    /** Gives each of two LIDs of one switch the way of the other. */
    void swap(int a, int b);
  }

  /** How many mates of a LID have that way. */
  public int meets(int lid, int way, Ways ways) {
    int n = 0;
    for (int mate : of[lid]) {
      n += way >= 0 && ways.way(mate) == way ? 1 : 0;
    }
    return n;
  }

  /**
   * Lets LIDs of one switch exchange their paths until fewer mates share one; no channel carries
   * more because of it. O(LIDs of the switch squared) where mates share, else O(LIDs).
   */
  public void separate(int[] lids, int from, int to, Ways ways) {
    for (int i = from; i < to; i++) {
      int lid = lids[i];
      int now = of[lid].length == 0 ? 0 : meets(lid, ways.way(lid), ways);
      if (now == 0) {
        continue;
      }
      int best = -1;
      int least = 0;
      for (int k = 1; k < to - from; k++) {
        int other = lids[from + (i - from + k) % (to - from)];
        int change = change(lid, other, now, ways);
        if (change < least) {
          least = change;
          best = other;
        }
      }
      if (best >= 0) {
        ways.swap(lid, best);
      }
    }
  }

  private int change(int lid, int other, int now, Ways ways) {
    int mine = ways.way(lid);
    int its = ways.way(other);
    if (its < 0 || its == mine || Arrays.binarySearch(of[lid], other) >= 0) {
      return 0;
    }
    return meets(lid, its, ways) + meets(other, mine, ways) - now - meets(other, its, ways);
  }
}
