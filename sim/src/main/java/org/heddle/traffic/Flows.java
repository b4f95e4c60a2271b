package org.heddle.traffic;

import java.util.Arrays;

/**
 * Messages of one level of a pattern, as pairs of ranks. Grows as needed and keeps its arrays, so
 * that a trial allocates nothing once the largest level has been seen. Not thread-safe.
 */
public final class Flows {
  private int[] from;
  private int[] to;
  private int count;

  /** Room for so many to start with. */
  public Flows(int capacity) {
    from = new int[capacity];
    to = new int[capacity];
  }

  /** Forgets all flows. */
  public void clear() {
    count = 0;
  }

  /** One more flow. */
  public void add(int source, int destination) {
    if (count == from.length) {
      int larger = Math.max(16, count + (count >> 1));
      from = Arrays.copyOf(from, larger);
      to = Arrays.copyOf(to, larger);
    }
    from[count] = source;
    to[count++] = destination;
  }

  /** Number of flows. */
  public int count() {
    return count;
  }

  /** Sending rank of a flow. */
  public int from(int flow) {
    return from[flow];
  }

  /** Receiving rank of a flow. */
  public int to(int flow) {
    return to[flow];
  }

  /** Exchanges the receivers of two flows. */
  void swapTo(int a, int b) {
    int t = to[a];
    to[a] = to[b];
    to[b] = t;
  }
}
