package org.heddle.traffic;

import java.util.Arrays;

/** A given list of flows between ranks, in levels. Immutable. */
public final class FlowList implements TrafficPattern {
  private final String name;
  private final int ranks;
  private final int[] start; // start[l] .. start[l + 1] - 1 are the flows of level l
  private final int[] from;
  private final int[] to;

  /**
   * A list.
   *
   * @param name what to call it
   * @param ranks number of ranks; all numbers are below
   * @param level level of each flow, 0 or more, in any order; levels without flows are dropped
   * @param from sender of each
   * @param to receiver of each
   * @throws IllegalArgumentException if the lengths differ, or a flow is out of range or from a
   *     rank to itself
   */
  public FlowList(String name, int ranks, int[] level, int[] from, int[] to) {
    if (level.length != from.length || from.length != to.length) {
      throw new IllegalArgumentException("one level, sender and receiver for each flow");
    }
    this.name = name;
    this.ranks = ranks;
    int n = level.length;
    long[] order = new long[n];
    for (int i = 0; i < n; i++) {
      boolean inside = level[i] >= 0 && from[i] >= 0 && to[i] >= 0;
      if (!inside || from[i] >= ranks || to[i] >= ranks || from[i] == to[i]) {
        throw new IllegalArgumentException("flow " + i + ": " + from[i] + " to " + to[i]);
      }
      order[i] = (long) level[i] << 32 | i;
    }
    Arrays.sort(order);
    this.from = new int[n];
    this.to = new int[n];
    int[] starts = new int[n + 1];
    int levels = 0;
    for (int i = 0; i < n; i++) {
      int flow = (int) order[i];
      this.from[i] = from[flow];
      this.to[i] = to[flow];
      if (i == 0 || order[i] >>> 32 != order[i - 1] >>> 32) {
        starts[levels++] = i;
      }
    }
    starts[levels] = n;
    this.start = Arrays.copyOf(starts, levels + 1);
  }

  @Override
  public String name() {
    return name;
  }

  /** Number of ranks the list speaks of. */
  public int ranks() {
    return ranks;
  }

  @Override
  public int levels(int ranks) {
    return start.length - 1;
  }

  @Override
  public String refusal(int ranks) {
    return ranks == this.ranks
        ? ""
        : name + " is a list for " + this.ranks + " ranks, there are " + ranks;
  }

  @Override
  public long size(int ranks, int level) {
    return start[level + 1] - (long) start[level];
  }

  @Override
  public void flows(int ranks, int level, TrialRandom random, Flows out) {
    for (int i = start[level]; i < start[level + 1]; i++) {
      out.add(from[i], to[i]);
    }
  }
}
