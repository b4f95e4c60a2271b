package org.heddle.traffic;

/**
 * Who sends to whom, in ranks 0 .. n-1, level by level: all messages of a level are in flight at
 * the same time, and the next level begins when they have arrived. Implementations hold no state
 * and may be shared between threads.
 */
public interface TrafficPattern {
  /** As the user writes it, with its arguments: {@code neighbor:4}. */
  String name();

  /**
   * Number of levels.
   *
   * @param ranks number of ranks, 0 or more
   */
  default int levels(int ranks) {
    return 1;
  }

  /** True if the flows are drawn anew in every trial; then levels are asked for in order. */
  default boolean random() {
    return false;
  }

  /** True if the set of flows stays the same whatever rank sits on whatever host. */
  default boolean symmetric() {
    return false;
  }

  /**
   * Why the pattern makes no sense with so many ranks, or an empty text.
   *
   * @param ranks number of ranks
   */
  default String refusal(int ranks) {
    return "";
  }

  /**
   * Number of flows of a level, at most, for sizing buffers; exact unless {@link #random()}.
   *
   * @param level 0 .. levels - 1
   */
  long size(int ranks, int level);

  /**
   * Adds the flows of a level. No flow is from a rank to itself.
   *
   * @param level 0 .. levels - 1
   * @param random numbers of this trial; used only by patterns that are {@link #random()}
   * @param out where they are added
   */
  void flows(int ranks, int level, TrialRandom random, Flows out);
}
