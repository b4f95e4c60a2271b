package org.heddle.reconfig.reroute;

import java.util.Arrays;
import org.heddle.fabric.Fabric;
import org.heddle.reconfig.Wiring;
import org.heddle.routing.ForwardingTables;

/**
 * Which switches a switch reaches going only down, and going up and then down, over links between
 * neighbouring levels: any choice of entries that follows these is free of loops and, between
 * switches with a common ancestor, of credit loops. Immutable. O(links * switches / 64).
 */
final class TreeReach {
  /** Switches by rising level, by id inside a level. */
  final int[] rising;

  private final Wiring wiring;
  private final int words;
  private final long[] below;
  private final long[] good;

  TreeReach(Wiring wiring) {
    this.wiring = wiring;
    int n = wiring.switches;
    words = (n + 63) >>> 6;
    below = new long[n * words];
    good = new long[n * words];
    rising = sortByLevel(wiring.level);
    for (int s : rising) {
      below[s * words + (s >>> 6)] |= 1L << s;
      for (int p = wiring.first[s]; p < wiring.first[s + 1]; p++) {
        if (isDown(p)) {
          add(below, s, below, wiring.hop[p]);
        }
      }
    }
    for (int i = n - 1; i >= 0; i--) {
      int s = rising[i];
      add(good, s, below, s);
      for (int p = wiring.first[s]; p < wiring.first[s + 1]; p++) {
        if (isUp(p)) {
          add(good, s, good, wiring.hop[p]);
        }
      }
    }
  }

  private static int[] sortByLevel(int[] level) {
    long[] keys = new long[level.length];
    for (int s = 0; s < keys.length; s++) {
      keys[s] = (long) level[s] << 32 | s;
    }
    Arrays.sort(keys);
    int[] out = new int[keys.length];
    for (int i = 0; i < out.length; i++) {
      out[i] = (int) keys[i];
    }
    return out;
  }

  private void add(long[] to, int s, long[] from, int t) {
    for (int w = 0; w < words; w++) {
      to[s * words + w] |= from[t * words + w];
    }
  }

  /** True if the port leads to a switch one level lower. */
  boolean isDown(int port) {
    return wiring.direction[port] < 0 && step(port) == -1;
  }

  /** True if the port leads to a switch one level higher. */
  boolean isUp(int port) {
    return wiring.direction[port] > 0 && step(port) == 1;
  }

  private int step(int port) {
    return wiring.level[wiring.hop[port]] - wiring.level[wiring.tail(port)];
  }

  boolean isBelow(int s, int d) {
    return (below[s * words + (d >>> 6)] >>> d & 1) != 0;
  }

  boolean isGood(int s, int d) {
    return (good[s * words + (d >>> 6)] >>> d & 1) != 0;
  }

  /** True if an entry of s leads to d by going down where that is possible, else by going up. */
  boolean isLegal(int s, int number, int d) {
    int port = number == ForwardingTables.NO_PORT ? -1 : wiring.channel(s, number);
    if (port < 0 || wiring.peer[port] == Fabric.NONE || wiring.hop[port] < 0) {
      return false;
    }
    return isBelow(s, d)
        ? isDown(port) && isBelow(wiring.hop[port], d)
        : isUp(port) && isGood(wiring.hop[port], d);
  }
}
