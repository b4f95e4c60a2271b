package org.heddle.routing.tree;

import java.util.Arrays;
import org.heddle.fabric.Fabric;

/**
 * Numbers for the parallel cables between two switches that do not change when other cables of the
 * bundle are lost. In a whole bundle the cables are numbered in the order of the lower switch's
 * ports. Where some are missing, the numbers are those that
 *
 * <ol>
 *   <li>these ports of the lower switch have in the whole bundles of its level, if all of these use
 *       the same ports for the same cables,
 *   <li>else those that the ports of the upper switch have in these, under the same condition,
 *   <li>else, if nothing but this bundle has lost cables at the lower switch and as many of its
 *       ports are without cable as are missing, their ranks with these ports counted in,
 *   <li>else 0, 1, ...: the cabling does not tell.
 * </ol>
 *
 * <p>O(links).
 */
final class CableNumbers {
  private static final int PORTS = 256;
  private static final int UNKNOWN = -1;
  private static final int DIFFERENT = -2;

  private final Fabric fabric;
  private final TreeGraph graph;
  private final int[] parallel;
  private final int[] number; // by index into upPort
  private final int[][] lower; // by level and port: its number in whole bundles
  private final int[][] upper;
  private final boolean[][] isAlike; // by lower and upper, level: all bundles use ports alike

  private CableNumbers(Fabric fabric, TreeGraph graph, int[] parallel) {
    this.fabric = fabric;
    this.graph = graph;
    this.parallel = parallel;
    number = new int[graph.upPort.length];
    lower = new int[graph.levels + 1][PORTS];
    upper = new int[graph.levels + 1][PORTS];
    isAlike = new boolean[2][graph.levels + 1];
    for (int l = 0; l <= graph.levels; l++) {
      Arrays.fill(lower[l], UNKNOWN);
      Arrays.fill(upper[l], UNKNOWN);
    }
  }

  /**
   * Numbers by index into {@link TreeGraph#upPort}.
   *
   * @param parallel cables of a whole bundle by level of the lower switch
   */
  static int[] of(Fabric fabric, TreeGraph graph, int[] parallel) {
    CableNumbers numbers = new CableNumbers(fabric, graph, parallel);
    boolean bundles = false;
    for (int count : parallel) {
      bundles |= count > 1;
    }
    if (bundles) {
      numbers.find();
    }
    return numbers.number;
  }

  private void find() {
    boolean all = true;
    for (int s = 0; s < graph.switches; s++) {
      for (int g = graph.upStart[s]; g < graph.upStart[s + 1]; g++) {
        if (missing(s, g) > 0) {
          all = false;
          continue;
        }
        for (int i = graph.upPortStart[g]; i < graph.upPortStart[g + 1]; i++) {
          number[i] = i - graph.upPortStart[g];
          learn(lower[graph.level[s]], graph.upPort[i] & 0xff, number[i]);
          learn(upper[graph.level[s]], peerNumber(s, i), number[i]);
        }
      }
    }
    for (int l = 0; l <= graph.levels; l++) {
      isAlike[0][l] = Arrays.stream(lower[l]).noneMatch(k -> k == DIFFERENT);
      isAlike[1][l] = Arrays.stream(upper[l]).noneMatch(k -> k == DIFFERENT);
    }
    for (int s = 0; s < graph.switches && !all; s++) {
      for (int g = graph.upStart[s]; g < graph.upStart[s + 1]; g++) {
        if (missing(s, g) > 0) {
          guess(s, g);
        }
      }
    }
  }

  private static void learn(int[] known, int port, int value) {
    known[port] = known[port] == UNKNOWN || known[port] == value ? value : DIFFERENT;
  }

  private int missing(int s, int g) {
    return parallel[graph.level[s]] - graph.upPortStart[g + 1] + graph.upPortStart[g];
  }

  private int peerNumber(int s, int i) {
    return fabric.numberOf(fabric.peer(fabric.port(s, graph.upPort[i] & 0xff)));
  }

  private void guess(int s, int g) {
    int l = graph.level[s];
    int from = graph.upPortStart[g];
    int n = graph.upPortStart[g + 1] - from;
    int[] found = new int[n];
    for (int i = 0; i < n; i++) {
      found[i] = isAlike[0][l] ? lower[l][graph.upPort[from + i] & 0xff] : UNKNOWN;
    }
    if (!areDistinct(found)) {
      for (int i = 0; i < n; i++) {
        found[i] = isAlike[1][l] ? upper[l][peerNumber(s, from + i)] : UNKNOWN;
      }
    }
    if (!areDistinct(found)) {
      byFreePorts(s, g, found);
    }
    System.arraycopy(found, 0, number, from, n);
  }

  private static boolean areDistinct(int[] found) {
    long seen = 0;
    for (int k : found) {
      if (k < 0 || (seen >>> k & 1) != 0) {
        return false;
      }
      seen |= 1L << k;
    }
    return true;
  }

  private void byFreePorts(int s, int g, int[] found) {
    int lost = 0;
    for (int other = graph.upStart[s]; other < graph.upStart[s + 1]; other++) {
      lost += missing(s, other);
    }
    int free = 0;
    for (int p = 1; p <= fabric.portCount(s); p++) {
      free += fabric.peer(fabric.port(s, p)) == Fabric.NONE ? 1 : 0;
    }
    boolean isKnown = lost == missing(s, g) && free == lost;
    for (int i = 0; i < found.length; i++) {
      found[i] = i;
      int port = graph.upPort[graph.upPortStart[g] + i] & 0xff;
      for (int p = 1; p < port && isKnown; p++) {
        found[i] += fabric.peer(fabric.port(s, p)) == Fabric.NONE ? 1 : 0;
      }
    }
  }
}
