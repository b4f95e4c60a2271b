package org.heddle.routing.tree;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.heddle.fabric.Fabric;

/**
 * Numbers for the parallel cables between two switches that do not change when other cables of the
 * bundle are lost. In a whole bundle the cables are numbered in the order of the lower switch's
 * ports. Where some are missing, the numbers are those that
 *
 * <ol>
 *   <li>their ranks with the lower switch's ports without cable counted in, if nothing but this
 *       bundle has lost cables there and as many ports are without as are missing: no guess,
 *   <li>else those that these ports of the lower switch have in the whole bundles of its level, if
 *       every port is in bundles of the same ports only,
 *   <li>else those that the ports of the upper switch have in these, under the same condition,
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
  private final Map<String, Integer> bundles = new HashMap<>(); // ports of a bundle, its number
  private final int[][] lower; // by level and port: bundle * PORTS + number of the cable
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
        int from = graph.upPortStart[g];
        int n = graph.upPortStart[g + 1] - from;
        int[] below = new int[n];
        int[] above = new int[n];
        for (int i = 0; i < n; i++) {
          number[from + i] = i;
          below[i] = graph.upPort[from + i] & 0xff;
          above[i] = peerNumber(s, from + i);
        }
        learn(lower[graph.level[s]], below);
        learn(upper[graph.level[s]], above);
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

  /** Notes which bundle the ports of its cables are in; in two different ones they tell nothing. */
  private void learn(int[] known, int[] ports) {
    int bundle = bundles.computeIfAbsent(Arrays.toString(ports), _ -> bundles.size()) * PORTS;
    for (int i = 0; i < ports.length; i++) {
      int p = ports[i];
      known[p] = known[p] == UNKNOWN || known[p] == bundle + i ? bundle + i : DIFFERENT;
    }
  }

  private int missing(int s, int g) {
    return parallel[graph.level[s]] - graph.upPortStart[g + 1] + graph.upPortStart[g];
  }

  private int peerNumber(int s, int i) {
    return fabric.numberOf(fabric.peer(fabric.port(s, graph.upPort[i] & 0xff)));
  }

  private void guess(int s, int g) {
    int from = graph.upPortStart[g];
    int n = graph.upPortStart[g + 1] - from;
    int[] below = new int[n];
    int[] above = new int[n];
    int[] found = new int[n];
    for (int i = 0; i < n; i++) {
      below[i] = graph.upPort[from + i] & 0xff;
      above[i] = peerNumber(s, from + i);
      found[i] = i;
    }
    int l = graph.level[s];
    if (!byFreePorts(s, g, found)
        && !(isAlike[0][l] && byBundle(lower[l], below, found))
        && isAlike[1][l]) {
      byBundle(upper[l], above, found);
    }
    System.arraycopy(found, 0, number, from, n);
  }

  /** False, and nothing found, if these ports are not known to be of one bundle. */
  private static boolean byBundle(int[] known, int[] ports, int[] found) {
    int bundle = known[ports[0]] / PORTS;
    for (int port : ports) {
      if (known[port] < 0 || known[port] / PORTS != bundle) {
        return false;
      }
    }
    for (int i = 0; i < ports.length; i++) {
      found[i] = known[ports[i]] % PORTS;
    }
    return true;
  }

  /** False, and nothing found, if the switch lost others, too, or has ports that never had one. */
  private boolean byFreePorts(int s, int g, int[] found) {
    int lost = 0;
    for (int other = graph.upStart[s]; other < graph.upStart[s + 1]; other++) {
      lost += missing(s, other);
    }
    int free = 0;
    for (int p = 1; p <= fabric.portCount(s); p++) {
      free += fabric.peer(fabric.port(s, p)) == Fabric.NONE ? 1 : 0;
    }
    if (lost != missing(s, g) || free != lost) {
      return false;
    }
    for (int i = 0; i < found.length; i++) {
      found[i] = i;
      int port = graph.upPort[graph.upPortStart[g] + i] & 0xff;
      for (int p = 1; p < port; p++) {
        found[i] += fabric.peer(fabric.port(s, p)) == Fabric.NONE ? 1 : 0;
      }
    }
    return true;
  }
}
