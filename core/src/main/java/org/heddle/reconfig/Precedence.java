package org.heddle.reconfig;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Which switch has to be written before which, for several LIDs at once: for every LID, the next
 * switch on the new route that changes comes first.
 */
final class Precedence {
  private final int switches;
  private int[] first = new int[64]; // edges first -> then
  private int[] then = new int[64];
  private int edges;
  private int[] sorted; // switches in a valid order, null if it is not known

  Precedence(int switches) {
    this.switches = switches;
  }

  Precedence copy() {
    Precedence out = new Precedence(switches);
    out.first = first.clone();
    out.then = then.clone();
    out.edges = edges;
    return out;
  }

  /** Adds the demands of a settled change; O(changed switches * length of ways). */
  void add(ColumnChange column) {
    boolean[] changes = new boolean[switches];
    for (int s : column.changed) {
      changes[s] = true;
    }
    for (int s : column.changed) {
      int next = next(column, s, changes);
      if (next >= 0) {
        edge(next, s);
      }
    }
    sorted = null;
  }

  private static int next(ColumnChange column, int from, boolean[] changes) {
    int s = from;
    for (int hops = 0; hops < changes.length; hops++) {
      int out = column.channel(s, column.after(s));
      if (out < 0) {
        return -1;
      }
      s = column.wiring.hop[out];
      if (changes[s]) {
        return s;
      }
    }
    return -1;
  }

  private void edge(int a, int b) {
    if (edges == first.length) {
      first = Arrays.copyOf(first, 2 * edges);
      then = Arrays.copyOf(then, 2 * edges);
    }
    first[edges] = a;
    then[edges++] = b;
  }

  /** True if an order exists; Kahn's algorithm. */
  boolean isAcyclic() {
    int[] start = new int[switches + 1];
    int[] waiting = new int[switches];
    for (int e = 0; e < edges; e++) {
      start[first[e] + 1]++;
      waiting[then[e]]++;
    }
    for (int s = 0; s < switches; s++) {
      start[s + 1] += start[s];
    }
    int[] target = new int[edges];
    int[] at = start.clone();
    for (int e = 0; e < edges; e++) {
      target[at[first[e]]++] = then[e];
    }
    int[] queue = new int[switches];
    int tail = 0;
    for (int s = 0; s < switches; s++) {
      if (waiting[s] == 0) {
        queue[tail++] = s;
      }
    }
    for (int head = 0; head < tail; head++) {
      for (int i = start[queue[head]]; i < start[queue[head] + 1]; i++) {
        if (--waiting[target[i]] == 0) {
          queue[tail++] = target[i];
        }
      }
    }
    sorted = tail == switches ? queue : null;
    return sorted != null;
  }

  /** The switches that some column changes, in an order that keeps all demands. */
  int[] order(List<ColumnChange> columns) {
    BitSet wanted = new BitSet(switches);
    for (ColumnChange column : columns) {
      for (int s : column.changed) {
        wanted.set(s);
      }
    }
    if (sorted == null && !isAcyclic()) {
      throw new IllegalStateException("there is no order");
    }
    return Arrays.stream(sorted).filter(wanted::get).toArray();
  }
}
