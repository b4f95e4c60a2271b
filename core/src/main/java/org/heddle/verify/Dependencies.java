package org.heddle.verify;

/**
 * Edges of the channel dependency graph as bits: for every input port of a switch a row of output
 * ports. Two planes, word by word beside each other: dependencies of routes between CAs, and those
 * of all routes with switches as sources and destinations.
 */
public final class Dependencies {
  /** Plane of the routes between CAs. */
  public static final int CA = 0;

  /** Plane of all routes. */
  static final int ALL = 1;

  private final long[] bits; // 2 * row word + plane

  Dependencies(Network net) {
    bits = new long[2 * net.rowWords];
  }

  /**
   * Adds the dependencies of one destination. With every switch as a source, all of its tree counts
   * for plane {@link #ALL}; where hosts send through, for plane {@link #CA} too, if the destination
   * is a CA.
   */
  void add(Network net, RouteTree tree, int from, int to, boolean toCa) {
    int[] members = net.members;
    int[] next = tree.next;
    for (int i = from; i < to; i++) {
      int s = members[i];
      int n = next[s];
      if (n < 0 || next[n] < 0) {
        continue; // the route ends within the next switch: no second channel
      }
      int number = tree.out[n] - net.first[n];
      int word = 2 * (net.row[net.peer[tree.out[s]]] + (number >>> 6));
      long bit = 1L << number;
      if ((bits[word + ALL] & bit) == 0) {
        bits[word + ALL] |= bit;
      }
      if (toCa && tree.weight[s] > 0 && (bits[word + CA] & bit) == 0) {
        bits[word + CA] |= bit;
      }
    }
  }

  /** Adds one dependency to both planes: an output port id of the switch of an input port id. */
  public void add(Network net, int inPort, int outPort) {
    int number = outPort - net.first[net.fabric.nodeOf(inPort)];
    int word = 2 * (net.row[inPort] + (number >>> 6));
    bits[word + CA] |= 1L << number;
    bits[word + ALL] |= 1L << number;
  }

  void merge(Dependencies other) {
    for (int i = 0; i < bits.length; i++) {
      bits[i] |= other.bits[i];
    }
  }

  /** 64 output ports, from {@code 64 * k} on, that depend on an input port. */
  long word(Network net, int inPort, int k, int plane) {
    return bits[2 * (net.row[inPort] + k) + plane];
  }
}
