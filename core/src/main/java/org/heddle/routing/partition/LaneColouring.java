package org.heddle.routing.partition;

import java.util.Arrays;
import org.heddle.tenancy.IsolationPolicy;

/**
 * Assigns virtual lanes to partitions that meet on channels (Zahid et al., algorithm 5, corrected):
 * greedy colouring, strictest policy first, inside a policy the partition whose neighbours already
 * use most lanes first (DSATUR).
 *
 * <p>A partition with policy vlane must differ from everyone it meets. Others are kept apart as
 * long as lanes remain; then the lane with the fewest partitions met is used again.
 *
 * <p>If the greedy order leaves two on one lane that must differ, an exact search (Brélaz 1979,
 * with a bound on the steps) looks for lanes for these first.
 */
final class LaneColouring {
  /** Partitions given a lane in the exact search, taken back ones included. */
  private static final int BUDGET = 100_000;

  /** There are fewer steps if there are many partitions to look through in each: pairs in all. */
  private static final int PAIRS = 20_000_000;

  private final PartitionMap map;
  private final int lanes;
  private final int budget;
  private int steps;

  /** {@code soft[a][b]}: they meet and no group lets them share. */
  private final boolean[][] soft;

  /** {@code must[a][b]}: they meet, and only lanes keep them apart as promised. */
  private final boolean[][] must;

  private final boolean[] wantsLane; // policy vlane
  private final int[] degree; // neighbours that must have another lane
  private final int[] forbidden; // bits: lanes of such neighbours

  LaneColouring(PartitionMap map, boolean[][] meets, int lanes) {
    this.map = map;
    this.lanes = lanes;
    int count = map.count;
    budget = Math.min(BUDGET, (int) (PAIRS / (1 + (long) count * count)));
    must = new boolean[count][count];
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
        must[p][q] = meets[p][q] && map.needLanes(p, q);
        degree[p] += hard(p, q) ? 1 : 0;
      }
    }
  }

  /** Lane by partition. O(partitions^2), and as much for every step of the search. */
  int[] colour() {
    int[] lane = new int[map.count];
    Arrays.fill(lane, -1);
    greedy(lane);
    if (!isProper(lane)) {
      int[] exact = new int[map.count];
      Arrays.fill(exact, -1);
      if (search(exact, 0)) {
        greedy(exact);
        return exact;
      }
    }
    return lane;
  }

  private void greedy(int[] lane) {
    Arrays.fill(forbidden, 0);
    for (int p = 0; p < map.count; p++) {
      if (lane[p] >= 0) {
        forbid(p, lane[p]);
      }
    }
    for (IsolationPolicy policy :
        new IsolationPolicy[] {IsolationPolicy.VLANE, IsolationPolicy.DEF, IsolationPolicy.PHY}) {
      for (int next = nextOf(policy, lane); next >= 0; next = nextOf(policy, lane)) {
        lane[next] = cheapest(next, lane);
        forbid(next, lane[next]);
      }
    }
  }

  private void forbid(int p, int lane) {
    for (int q = 0; q < map.count; q++) {
      forbidden[q] |= hard(p, q) ? 1 << lane : 0;
    }
  }

  private boolean isProper(int[] lane) {
    for (int a = 0; a < map.count; a++) {
      for (int b = 0; b < a; b++) {
        if (lane[a] == lane[b] && must[a][b]) {
          return false;
        }
      }
    }
    return true;
  }

  /** Gives lanes to all that must differ from somebody; false if there are none, or no steps. */
  private boolean search(int[] lane, int inUse) {
    int best = -1;
    int most = -1;
    int taken = 0;
    for (int p = 0; p < map.count; p++) {
      int used = 0;
      int neighbours = 0;
      for (int q = 0; q < map.count && lane[p] < 0; q++) {
        if (must[p][q]) {
          neighbours++;
          used |= lane[q] >= 0 ? 1 << lane[q] : 0;
        }
      }
      int score = Integer.bitCount(used) * map.count + neighbours;
      if (neighbours > 0 && score > most) {
        most = score;
        best = p;
        taken = used;
      }
    }
    if (best < 0) {
      return true;
    }
    // Unused lanes are alike: one of them is enough.
    for (int l = 0; l < Math.min(lanes, inUse + 1); l++) {
      if ((taken >>> l & 1) != 0) {
        continue;
      }
      if (++steps > budget) {
        return false;
      }
      lane[best] = l;
      if (search(lane, Math.max(inUse, l + 1))) {
        return true;
      }
      lane[best] = -1;
    }
    return false;
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
