package org.heddle.routing.engine;

import java.util.Arrays;
import org.heddle.tenancy.IsolationPolicy;

/**
 * Virtual lanes for partitions that meet on channels (Zahid et al., algorithm 5, corrected): greedy
 * colouring, strictest policy first, inside a policy the partition whose neighbours already use
 * most lanes first (DSATUR).
 *
 * <p>A partition with policy vlane must differ from everyone it meets. Others are kept apart as
 * long as lanes remain; then the lane with the fewest partitions met is used again.
 */
final class LaneColouring {
  private final PartitionMap map;
  private final int lanes;

  /** {@code soft[a][b]}: they meet and no group lets them share. */
  private final boolean[][] soft;

  private final boolean[] wantsLane; // policy vlane
  private final int[] degree; // neighbours that must have another lane
  private final int[] forbidden; // bits: lanes of such neighbours

  LaneColouring(PartitionMap map, boolean[][] meets, int lanes) {
    this.map = map;
    this.lanes = lanes;
    int count = map.count;
    soft = new boolean[count][count];
    wantsLane = new boolean[count];
    degree = new int[count];
    forbidden = new int[count];
    for (int p = 0; p < count; p++) {
      wantsLane[p] = map.policy(p) == IsolationPolicy.VLANE;
    }
    for (int p = 0; p < count; p++) {
      for (int q = 0; q < count; q++) {
        soft[p][q] = meets[p][q] && !map.tenancy.mayShare(p, q);
        degree[p] += hard(p, q) ? 1 : 0;
      }
    }
  }

  /** Lane by partition. O(partitions^2). */
  int[] colour() {
    int[] lane = new int[map.count];
    Arrays.fill(lane, -1);
    for (IsolationPolicy policy :
        new IsolationPolicy[] {IsolationPolicy.VLANE, IsolationPolicy.DEF, IsolationPolicy.PHY}) {
      for (int next = nextOf(policy, lane); next >= 0; next = nextOf(policy, lane)) {
        lane[next] = cheapest(next, lane);
        for (int q = 0; q < map.count; q++) {
          forbidden[q] |= hard(next, q) ? 1 << lane[next] : 0;
        }
      }
    }
    return lane;
  }

  private boolean hard(int a, int b) {
    return soft[a][b] && (wantsLane[a] || wantsLane[b]);
  }

  private int nextOf(IsolationPolicy policy, int[] lane) {
    int best = -1;
    int most = -1;
    for (int p = 0; p < map.count; p++) {
      if (lane[p] < 0 && map.policy(p) == policy) {
        int score = Integer.bitCount(forbidden[p]) * map.count + degree[p];
        if (score > most) {
          most = score;
          best = p;
        }
      }
    }
    return best;
  }

  /** The lane with the fewest forbidden neighbours, then the fewest of any, then the lowest. */
  private int cheapest(int p, int[] lane) {
    long[] cost = new long[lanes];
    for (int q = 0; q < map.count; q++) {
      if (lane[q] >= 0 && soft[p][q]) {
        cost[lane[q]] += hard(p, q) ? 1L << 32 : 1;
      }
    }
    int best = 0;
    for (int l = 1; l < lanes; l++) {
      if (cost[l] < cost[best]) {
        best = l;
      }
    }
    return best;
  }
}
