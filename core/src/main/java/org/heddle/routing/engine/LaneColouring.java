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
 *
 * <p>If the greedy order leaves two on one lane that must differ, an exact search (Brélaz 1979,
 * with a bound on the steps) looks for lanes for these first.
 */
final class LaneColouring {
  /** Partitions given a lane in the exact search, taken back ones included. */
  private static final int BUDGET = 100_000;

  private final PartitionMap map;
  private final boolean[][] meets;
  private final int lanes;
  private int steps;

  LaneColouring(PartitionMap map, boolean[][] meets, int lanes) {
    this.map = map;
    this.meets = meets;
    this.lanes = lanes;
  }

  /** Lane by partition. */
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
    for (IsolationPolicy policy :
        new IsolationPolicy[] {IsolationPolicy.VLANE, IsolationPolicy.DEF, IsolationPolicy.PHY}) {
      for (int next = nextOf(policy, lane); next >= 0; next = nextOf(policy, lane)) {
        lane[next] = cheapest(next, lane);
      }
    }
  }

  private boolean mustDiffer(int a, int b) {
    return meets[a][b] && map.needLanes(a, b);
  }

  private boolean isProper(int[] lane) {
    for (int a = 0; a < map.count; a++) {
      for (int b = 0; b < a; b++) {
        if (lane[a] == lane[b] && mustDiffer(a, b)) {
          return false;
        }
      }
    }
    return true;
  }

  /** Gives lanes to all that must differ from somebody; false if there are none, or no steps. */
  private boolean search(int[] lane, int used) {
    int best = -1;
    int most = -1;
    int taken = 0;
    for (int p = 0; p < map.count; p++) {
      int forbidden = 0;
      int degree = 0;
      for (int q = 0; q < map.count && lane[p] < 0; q++) {
        if (mustDiffer(p, q)) {
          degree++;
          forbidden |= lane[q] >= 0 ? 1 << lane[q] : 0;
        }
      }
      int score = Integer.bitCount(forbidden) * map.count + degree;
      if (degree > 0 && score > most) {
        most = score;
        best = p;
        taken = forbidden;
      }
    }
    if (best < 0) {
      return true;
    }
    // Unused lanes are alike: one of them is enough.
    for (int l = 0; l < Math.min(lanes, used + 1); l++) {
      if ((taken >>> l & 1) != 0) {
        continue;
      }
      if (++steps > BUDGET) {
        return false;
      }
      lane[best] = l;
      if (search(lane, Math.max(used, l + 1))) {
        return true;
      }
      lane[best] = -1;
    }
    return false;
  }

  private boolean hard(int a, int b) {
    return meets[a][b]
        && !map.tenancy.mayShare(a, b)
        && (map.policy(a) == IsolationPolicy.VLANE || map.policy(b) == IsolationPolicy.VLANE);
  }

  private int nextOf(IsolationPolicy policy, int[] lane) {
    int best = -1;
    int most = -1;
    for (int p = 0; p < map.count; p++) {
      if (lane[p] >= 0 || map.policy(p) != policy) {
        continue;
      }
      int used = 0;
      int degree = 0;
      for (int q = 0; q < map.count; q++) {
        if (hard(p, q)) {
          used |= lane[q] >= 0 ? 1 << lane[q] : 0;
          degree++;
        }
      }
      int score = Integer.bitCount(used) * map.count + degree;
      if (score > most) {
        most = score;
        best = p;
      }
    }
    return best;
  }

  /** The lane with the fewest forbidden neighbours, then the fewest of any, then the lowest. */
  private int cheapest(int p, int[] lane) {
    long[] cost = new long[lanes];
    for (int q = 0; q < map.count; q++) {
      if (lane[q] >= 0 && meets[p][q] && !map.tenancy.mayShare(p, q)) {
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
