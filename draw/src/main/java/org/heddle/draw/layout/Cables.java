package org.heddle.draw.layout;

import java.util.Arrays;
import org.heddle.fabric.Fabric;

/**
 * The cables between different switches, parallel ones gathered into strands.
 *
 * <p>A strand is a pair of switches with at least one cable: {@code lower} has the smaller rank (or
 * the smaller id at equal rank, a lateral strand). Strands are ordered by (lower, upper), cables of
 * a strand by the lower end's port. O(p log p).
 */
public final class Cables {
  private final int strands;
  private final int[] lower;
  private final int[] upper;
  private final int[] first; // cables of strand s: first[s] .. first[s + 1] - 1
  private final int[] lowerPort;
  private final int[] upperPort;
  private final int[] rank;

  /**
   * @param rank by switch id; links are drawn from smaller to larger rank
   */
  public Cables(Fabric fabric, int[] rank) {
    this.rank = rank;
    int limit = fabric.switchCount() == 0 ? 0 : fabric.port(fabric.switchCount() - 1, 0);
    limit += fabric.switchCount() == 0 ? 0 : fabric.portCount(fabric.switchCount() - 1) + 1;
    long[] keys = new long[limit];
    lowerPort = new int[limit];
    upperPort = new int[limit];
    int[] strandOf = new int[limit];
    int strandCount = 0;
    int cables = 0;
    for (int sw = 0; sw < fabric.switchCount(); sw++) {
      int n = 0;
      for (int port = fabric.port(sw, 1); port <= lastPort(fabric, sw); port++) {
        int other = fabric.peerNode(port);
        if (fabric.isSwitch(other) && isLower(sw, other)) {
          keys[n++] = (long) other << 32 | port;
        }
      }
      Arrays.sort(keys, 0, n);
      for (int i = 0; i < n; i++) {
        strandCount += i == 0 || keys[i] >> 32 != keys[i - 1] >> 32 ? 1 : 0;
        lowerPort[cables] = (int) keys[i];
        upperPort[cables] = fabric.peer((int) keys[i]);
        strandOf[cables++] = strandCount - 1;
      }
    }
    strands = strandCount;
    lower = new int[strands];
    upper = new int[strands];
    first = new int[strands + 1];
    first[strands] = cables;
    for (int c = cables - 1; c >= 0; c--) {
      first[strandOf[c]] = c;
      lower[strandOf[c]] = fabric.nodeOf(lowerPort[c]);
      upper[strandOf[c]] = fabric.nodeOf(upperPort[c]);
    }
  }

  private static int lastPort(Fabric fabric, int sw) {
    return fabric.port(sw, 0) + fabric.portCount(sw);
  }

  private boolean isLower(int sw, int other) {
    return rank[sw] < rank[other] || rank[sw] == rank[other] && sw < other;
  }

  public int strands() {
    return strands;
  }

  public int cables() {
    return first[strands];
  }

  public int lower(int strand) {
    return lower[strand];
  }

  public int upper(int strand) {
    return upper[strand];
  }

  /** Number of parallel cables. */
  public int count(int strand) {
    return first[strand + 1] - first[strand];
  }

  public int firstCable(int strand) {
    return first[strand];
  }

  /** Port id at the lower end. */
  public int lowerPort(int cable) {
    return lowerPort[cable];
  }

  /** Port id at the upper end. */
  public int upperPort(int cable) {
    return upperPort[cable];
  }

  /** True if both switches have the same rank. */
  boolean isLateral(int strand) {
    return rank[lower[strand]] == rank[upper[strand]];
  }

  public int rank(int sw) {
    return rank[sw];
  }
}
