package org.heddle.topology;

import org.heddle.fabric.Fabric;

/**
 * Which switches with hosts reach which others by going up any number of levels, then down.
 *
 * <p>Bit sets over the switches with hosts of one component; O(links * hosts switches / 64).
 */
final class UpDownReach {
  /** First pair of leaves that cannot reach each other, or NONE. */
  int leafA = Fabric.NONE;

  int leafB = Fabric.NONE;

  /** Number of such pairs of leaves. */
  int leafPairs;

  /** First pair with an upper switch in it, or NONE. */
  int upperA = Fabric.NONE;

  int upperB = Fabric.NONE;

  /** Number of such pairs. */
  int upperPairs;

  /**
   * @param members switches of one component
   * @param level by switch; links whose ends do not differ in level are not used
   */
  UpDownReach(SwitchGraph graph, int[] members, int[] level) {
    int n = 0;
    int[] index = new int[graph.switches];
    int[] withHosts = new int[members.length];
    for (int s : members) {
      if (graph.hosts[s] > 0) {
        index[s] = n;
        withHosts[n++] = s;
      }
    }
    int words = (n + 63) >>> 6;
    int[] rising = byLevel(members, level);
    long[] below = new long[graph.switches * words];
    for (int s : rising) {
      if (graph.hosts[s] > 0) {
        below[s * words + (index[s] >>> 6)] |= 1L << index[s];
      }
      merge(graph, level, below, s, words, true);
    }
    long[] good = below; // above the roots nothing is added, so one array serves both passes
    for (int i = rising.length - 1; i >= 0; i--) {
      merge(graph, level, good, rising[i], words, false);
    }
    for (int i = 0; i < n; i++) {
      for (int j = i + 1; j < n; j++) {
        int a = withHosts[i];
        if ((good[a * words + (j >>> 6)] >>> j & 1) == 0) {
          count(a, withHosts[j], level);
        }
      }
    }
  }

  private void count(int a, int b, int[] level) {
    if (level[a] == 1 && level[b] == 1) {
      leafA = leafPairs == 0 ? a : leafA;
      leafB = leafPairs == 0 ? b : leafB;
      leafPairs++;
    } else {
      upperA = upperPairs == 0 ? a : upperA;
      upperB = upperPairs == 0 ? b : upperB;
      upperPairs++;
    }
  }

  private static void merge(
      SwitchGraph graph, int[] level, long[] bits, int s, int words, boolean fromBelow) {
    for (int e = graph.start[s]; e < graph.start[s + 1]; e++) {
      int other = graph.peer[e];
      boolean wanted = fromBelow ? level[other] < level[s] : level[other] > level[s];
      if (!wanted || level[other] == 0) {
        continue;
      }
      for (int w = 0; w < words; w++) {
        bits[s * words + w] |= bits[other * words + w];
      }
    }
  }

  private static int[] byLevel(int[] members, int[] level) {
    int top = 0;
    for (int s : members) {
      top = Math.max(top, level[s]);
    }
    int[] out = new int[members.length];
    int n = 0;
    for (int i = 0; i <= top; i++) {
      for (int s : members) {
        if (level[s] == i) {
          out[n++] = s;
        }
      }
    }
    return out;
  }
}
