package org.heddle.schedule;

import org.heddle.allocation.AllocationRequest;

/**
 * How to run a workload.
 *
 * @param queue who may overtake
 * @param depth how many requests behind the first are looked at for backfilling
 * @param oversubscription hosts that share an up-link at most
 * @param budget steps of search an attempt may take
 */
public record ScheduleOptions(QueuePolicy queue, int depth, int oversubscription, long budget) {
  /** Requests behind the first that are looked at unless told otherwise. */
  public static final int DEPTH = 100;

  /** First come, first served, full bandwidth. */
  public static final ScheduleOptions FIFO =
      new ScheduleOptions(QueuePolicy.FIFO, DEPTH, 1, AllocationRequest.DEFAULT_BUDGET);

  /** EASY backfilling, full bandwidth. */
  public static final ScheduleOptions EASY = FIFO.withQueue(QueuePolicy.EASY);

  /**
   * @throws IllegalArgumentException if a number is out of range
   */
  public ScheduleOptions {
    if (depth < 1) {
      throw new IllegalArgumentException("a backfilling depth of " + depth);
    }
    AllocationRequest.of(1).withOversubscription(oversubscription).withBudget(budget);
  }

  /** The same with another discipline. */
  public ScheduleOptions withQueue(QueuePolicy q) {
    return new ScheduleOptions(q, depth, oversubscription, budget);
  }

  /** The same with another depth. */
  public ScheduleOptions withDepth(int d) {
    return new ScheduleOptions(queue, d, oversubscription, budget);
  }

  /** The same with p hosts an up-link. */
  public ScheduleOptions withOversubscription(int p) {
    return new ScheduleOptions(queue, depth, p, budget);
  }

  /** The same with another search budget. */
  public ScheduleOptions withBudget(long steps) {
    return new ScheduleOptions(queue, depth, oversubscription, steps);
  }
}
