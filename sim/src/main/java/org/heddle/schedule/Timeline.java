package org.heddle.schedule;

import java.util.Arrays;

/**
 * What tenants hold, as steps: each value holds from its time to the next. Grows while a simulation
 * runs, unchanged afterwards.
 */
public final class Timeline {
  private static final int COLUMNS = 5;

  private long[] times = new long[256];
  private int[] values = new int[COLUMNS * 256];
  private int count;

  Timeline() {}

  /** Adds a step; one at the time of the last replaces it. */
  void add(long time, int requested, int held, int links, int running, int waiting) {
    int i = count > 0 && times[count - 1] == time ? count - 1 : count++;
    if (i == times.length) {
      times = Arrays.copyOf(times, 2 * i);
      values = Arrays.copyOf(values, 2 * COLUMNS * i);
    }
    times[i] = time;
    int at = COLUMNS * i;
    values[at] = requested;
    values[at + 1] = held;
    values[at + 2] = links;
    values[at + 3] = running;
    values[at + 4] = waiting;
  }

  /** Number of steps. */
  public int count() {
    return count;
  }

  /** When the i-th step begins; ascending. */
  public long time(int i) {
    return times[i];
  }

  /** Hosts that running tenants asked for. */
  public int requestedHosts(int i) {
    return values[COLUMNS * i];
  }

  /** Hosts that tenants hold. */
  public int heldHosts(int i) {
    return values[COLUMNS * i + 1];
  }

  /** Links between switches that tenants hold. */
  public int links(int i) {
    return values[COLUMNS * i + 2];
  }

  /** Number of running tenants. */
  public int running(int i) {
    return values[COLUMNS * i + 3];
  }

  /** Number of waiting requests. */
  public int waiting(int i) {
    return values[COLUMNS * i + 4];
  }
}
