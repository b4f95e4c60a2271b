package org.heddle.routing.tree;

import java.util.Arrays;

/**
 * What the links of one switch carry, for classes that move destinations from one to another. A
 * link is an index into the arrays, in the order in which links were added.
 */
final class SwitchLoads {
  static final int NONE = -1;
  private static final int PORTS = 256;

  final int[] port = new int[PORTS];
  final int[] peer = new int[PORTS];

  /** Destinations: LIDs of hosts. */
  final int[] load = new int[PORTS];

  int links;

  /** LIDs that another link may take. */
  final int[] moving;

  int count;

  private final byte[][] rows;
  private final int[] linkOf = new int[PORTS]; // by port number
  private byte[] row;

  SwitchLoads(byte[][] rows, int lids) {
    this.rows = rows;
    moving = new int[lids];
  }

  /** Forgets all and turns to a switch. */
  void clear(int s) {
    row = rows[s];
    links = 0;
    count = 0;
    Arrays.fill(linkOf, NONE);
  }

  void addLink(int number, int neighbour) {
    port[links] = number;
    peer[links] = neighbour;
    load[links] = 0;
    linkOf[number] = links++;
  }

  /** The link that a LID takes, or {@link #NONE}. */
  int linkOf(int lid) {
    return linkOf[row[lid] & 0xff];
  }

  void move(int lid, int from, int to) {
    row[lid] = (byte) port[to];
    load[from]--;
    load[to]++;
  }

  /** What each link carries if all carry the same, rounded up. */
  int share() {
    int all = 0;
    for (int k = 0; k < links; k++) {
      all += load[k];
    }
    return links == 0 ? 0 : (all + links - 1) / links;
  }

  int fullest() {
    int most = 0;
    for (int k = 0; k < links; k++) {
      most = Math.max(most, load[k]);
    }
    return most;
  }
}
