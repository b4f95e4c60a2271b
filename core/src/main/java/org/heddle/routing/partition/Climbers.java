package org.heddle.routing.partition;

import org.heddle.routing.tree.Destinations;
import org.heddle.routing.tree.TreeGraph;
import org.heddle.tenancy.IsolationPolicy;

/**
 * How far partitions and LIDs must climb: a partition up to the level of the lowest sub-tree that
 * holds all its members, a LID as far as the farthest of its partitions. Traffic that never climbs
 * loads no channel between switches; traffic that stays inside a sub-tree loads none above it.
 *
 * <p>A LID in several partitions has one path, on which it receives from all of them. So it loads a
 * channel with the sum of its weights in those of its partitions that need the channel, and is
 * routed with the strictest of the partitions that climb. Immutable. O(partitions * switches +
 * LIDs).
 */
final class Climbers {
  private final PartitionMap map;

  /** Level at which the members of a partition meet; 0 if they are on one switch. */
  final int[] extent;

  /** Level up to which a LID must climb; 0 if it is in no partition that climbs. */
  final int[] reach;

  /** The partition that decides the route of a LID, or {@link PartitionMap#NONE}. */
  final int[] decider;

  Climbers(TreeGraph graph, PartitionMap map, Destinations dest) {
    this.map = map;
    extent = new int[map.count];
    for (int p = 0; p < map.count; p++) {
      extent[p] = meetingLevel(graph, map.switches[p]);
    }
    reach = new int[dest.topLid + 1];
    decider = new int[dest.topLid + 1];
    for (int lid = 0; lid <= dest.topLid; lid++) {
      decider[lid] = PartitionMap.NONE;
      for (int k = map.memberStart[lid]; k < map.memberStart[lid + 1]; k++) {
        int p = map.memberPartition[k];
        if (extent[p] <= graph.level[dest.switchOf[lid]]) {
          continue;
        }
        reach[lid] = Math.max(reach[lid], extent[p]);
        boolean first = decider[lid] == PartitionMap.NONE;
        if (first || map.policy(p).compareTo(map.policy(decider[lid])) < 0) {
          decider[lid] = p;
        }
      }
    }
  }

  private static int meetingLevel(TreeGraph graph, int[] switches) {
    for (int s = 0; s < graph.switches && switches.length > 1; s++) {
      int top = graph.rising[s];
      boolean all = true;
      for (int i = 0; i < switches.length && all; i++) {
        all = graph.isBelow(top, switches[i]);
      }
      if (all) {
        return graph.level[top];
      }
    }
    return switches.length > 1 ? graph.levels : 0;
  }

  /** What a LID loads a channel with that leaves a switch of level l upwards, or enters it. */
  int weight(int lid, int l) {
    int sum = 0;
    for (int k = map.memberStart[lid]; k < map.memberStart[lid + 1]; k++) {
      sum += extent[map.memberPartition[k]] > l ? map.memberWeight[k] : 0;
    }
    return sum;
  }

  /** True if the partition that decides the route is of this policy; any if it is null. */
  boolean isOf(int lid, IsolationPolicy policy) {
    return decider[lid] != PartitionMap.NONE
        && (policy == null || map.policy(decider[lid]) == policy);
  }
}
