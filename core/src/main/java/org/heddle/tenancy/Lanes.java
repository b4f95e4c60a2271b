package org.heddle.tenancy;

import java.util.Arrays;

/**
 * The virtual lane of every partition, by index; the service level has the same number (SL2VL is
 * the identity). Immutable.
 */
public final class Lanes {
  private final int[] lane;

  /** Takes a copy. */
  public Lanes(int[] lane) {
    this.lane = lane.clone();
    for (int l : lane) {
      if (l < 0 || l >= Tenancy.MAX_DATA_LANES) {
        throw new IllegalArgumentException("lane " + l);
      }
    }
  }

  /** Everybody on lane 0. */
  public static Lanes single(int partitions) {
    return new Lanes(new int[partitions]);
  }

  /** Lane, and service level, of a partition. */
  public int lane(int partition) {
    return lane[partition];
  }

  /** Number of partitions. */
  public int size() {
    return lane.length;
  }

  /** Number of lanes in use: one more than the highest. */
  public int used() {
    return Arrays.stream(lane).max().orElse(0) + 1;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof Lanes l && Arrays.equals(lane, l.lane);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(lane);
  }

  @Override
  public String toString() {
    return "Lanes" + Arrays.toString(lane);
  }
}
