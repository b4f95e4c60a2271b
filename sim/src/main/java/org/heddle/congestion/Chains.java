package org.heddle.congestion;

import java.util.Arrays;

/**
 * dep_max_delay of one trial: the longest sum of weights along a chain of messages, where a message
 * of a level continues the chain of the first message its sender received in the level just before.
 * Only the first message a rank sends in a level continues it: that is how ORCS builds its graph
 * (one vertex a rank in each map). One pass over the flows; no allocation.
 */
final class Chains {
  private final long[]
      received; // by rank: number of the level of its first receipt, then the chain
  private final int[] chain;
  private final long[] before;
  private final int[] chainBefore;
  private final long[] sent;
  private final int limit;
  private long level; // never starts again, so that nothing has to be cleared
  private int longest;

  /**
   * For that many ranks.
   *
   * @param limit only ranks below enter
   */
  Chains(int ranks, int limit) {
    received = new long[ranks];
    chain = new int[ranks];
    before = new long[ranks];
    chainBefore = new int[ranks];
    sent = new long[ranks];
    this.limit = limit;
    Arrays.fill(before, -1);
  }

  void startTrial() {
    level += 2; // what the last level of the trial before received is of no use
    longest = 0;
  }

  void startLevel() {
    level++;
  }

  /** A flow of the level. */
  void flow(int from, int to, int weight) {
    if (from >= limit || to >= limit) {
      return;
    }
    int length = weight;
    if (sent[from] != level) {
      sent[from] = level;
      if (received[from] == level - 1) {
        length += chain[from];
      } else if (before[from] == level - 1) {
        length += chainBefore[from];
      }
    }
    longest = Math.max(longest, length);
    if (received[to] != level) {
      // Keep the chain of the level before: the rank may still send in this one.
      before[to] = received[to];
      chainBefore[to] = chain[to];
      received[to] = level;
      chain[to] = length;
    }
  }

  /** A chain of one flow that nothing continues. */
  void only(int weight) {
    longest = Math.max(longest, weight);
  }

  /** Only ranks below enter. */
  int limit() {
    return limit;
  }

  int longest() {
    return longest;
  }
}
