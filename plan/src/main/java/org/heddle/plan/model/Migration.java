package org.heddle.plan.model;

import java.time.Instant;
import java.util.List;

/**
 * Virtual machines that were moved together.
 *
 * @param epoch that it made; its id
 * @param method that was asked for
 * @param smps blocks of 64 entries that differ between the tables before and after
 * @param dropped LIDs that no order of writes keeps reachable during the change
 */
public record Migration(
    long epoch,
    Instant at,
    String actor,
    String method,
    List<Move> moves,
    int smps,
    List<Integer> dropped) {
  public Migration {
    moves = List.copyOf(moves);
    dropped = List.copyOf(dropped);
  }

  /** The same by somebody. */
  public Migration by(String who) {
    return new Migration(epoch, at, who, method, moves, smps, dropped);
  }

  /**
   * One machine's move.
   *
   * @param lid afterwards
   * @param switches whose entries for the LID change
   * @param minimum switches that must change in any case if ports may be chosen freely: 2c - 1 with
   *     common ancestors at level c; 0 if unknown
   * @param widened true if the switches that the method looks at first were not enough
   */
  public record Move(
      String vm,
      String tenant,
      HostRef from,
      HostRef to,
      int lid,
      int switches,
      int minimum,
      boolean widened) {}
}
