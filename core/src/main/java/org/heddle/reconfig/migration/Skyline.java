package org.heddle.reconfig.migration;

import java.util.Arrays;
import org.heddle.reconfig.Wiring;

/**
 * The switches that FTreeMinRC marks for a move between two leaves: those above either leaf, level
 * by level, up to and including the first level at which some switch is above both (Tasoulas,
 * thesis, paper V, section 6.2; the common ancestors are included). O(marked switches * up-links).
 */
final class Skyline {
  /** Marked switches: from the source side, from the destination side, or above both. */
  static final byte SOURCE = 1;

  static final byte DESTINATION = 2;
  static final byte COMMON = 3;

  /** Marked switches in the order they were met. */
  final int[] switches;

  /** By switch: 0 if not marked, else {@link #SOURCE}, {@link #DESTINATION}, {@link #COMMON}. */
  final byte[] side;

  /** Level of the common ancestors; 0 if there is none. */
  final int level;

  private Skyline(int[] switches, byte[] side, int level) {
    this.switches = switches;
    this.side = side;
    this.level = level;
  }

  /** Marks for a move from the switch of one hypervisor to that of another. */
  static Skyline between(Wiring wiring, int source, int destination) {
    byte[] side = new byte[wiring.switches];
    int[] marked = new int[wiring.switches];
    if (source == destination) {
      side[source] = COMMON;
      return new Skyline(new int[] {source}, side, wiring.level[source]);
    }
    boolean[] listed = new boolean[wiring.switches];
    int n = 0;
    int[] a = {source};
    int[] b = {destination};
    marked[n++] = source;
    marked[n++] = destination;
    listed[source] = true;
    listed[destination] = true;
    side[source] = SOURCE;
    side[destination] = DESTINATION;
    int la = wiring.level[source];
    int lb = wiring.level[destination];
    boolean met = false;
    while (!met && a.length > 0 && b.length > 0 && la > 0 && lb > 0) {
      int lower = Math.min(la, lb);
      if (la == lower) {
        a = climb(wiring, a, SOURCE, side);
      }
      if (lb == lower) {
        b = climb(wiring, b, DESTINATION, side);
      }
      n = la == lower ? add(a, listed, marked, n) : n;
      n = lb == lower ? add(b, listed, marked, n) : n;
      la += la == lower ? 1 : 0;
      lb += lb == lower ? 1 : 0;
      met = anyCommon(a, side) || anyCommon(b, side);
    }
    return new Skyline(Arrays.copyOf(marked, n), side, met ? Math.max(la, lb) : 0);
  }

  /** Parents of switches; marks them with a side, and with both where the other side came by. */
  private static int[] climb(Wiring wiring, int[] from, byte mark, byte[] side) {
    int[] out = new int[16];
    int n = 0;
    for (int s : from) {
      for (int i = wiring.upStart[s]; i < wiring.upStart[s + 1]; i++) {
        int parent = wiring.hop[wiring.upPort[i]];
        if ((side[parent] & mark) != 0) {
          continue;
        }
        side[parent] |= mark;
        if (n == out.length) {
          out = Arrays.copyOf(out, 2 * n);
        }
        out[n++] = parent;
      }
    }
    return Arrays.copyOf(out, n);
  }

  private static boolean anyCommon(int[] switches, byte[] side) {
    for (int s : switches) {
      if (side[s] == COMMON) {
        return true;
      }
    }
    return false;
  }

  private static int add(int[] found, boolean[] listed, int[] marked, int n) {
    int at = n;
    for (int s : found) {
      if (!listed[s]) {
        listed[s] = true;
        marked[at++] = s;
      }
    }
    return at;
  }
}
