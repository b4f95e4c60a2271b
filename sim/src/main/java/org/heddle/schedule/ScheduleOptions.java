package org.heddle.schedule;

import org.heddle.allocation.AllocationRequest;

/**
 * How to run a workload.
 *
 * @param queue who may overtake
 * @param depth how many requests behind the first are looked at for backfilling
 * @param oversubscription hosts that share an up-link at most
 * @param budget steps of search an attempt may take
 * @param relink running tenants that may get other links, on the same hosts, so that the first in
 *     the queue need not wait; 0 leaves them alone
 */
public record ScheduleOptions(
    QueuePolicy queue, int depth, int oversubscription, long budget, int relink) {
  /** Requests behind the first that are looked at unless told otherwise. */
  public static final int DEPTH = 100;

  /** First come, first served, full bandwidth. */
  public static final ScheduleOptions FIFO =
      new ScheduleOptions(QueuePolicy.FIFO, DEPTH, 1, AllocationRequest.DEFAULT_BUDGET, 0);

  /** EASY backfilling, full bandwidth. */
  public static final ScheduleOptions EASY = FIFO.withQueue(QueuePolicy.EASY);

  /**
   * @throws IllegalArgumentException if a number is out of range
   */
  public ScheduleOptions {
    if (depth < 1) {
      throw new IllegalArgumentException("a backfilling depth of " + depth);
    }
    if (relink < 0) {
      throw new IllegalArgumentException("other links for " + relink + " tenants");
    }
    AllocationRequest.of(1).withOversubscription(oversubscription).withBudget(budget);
  }

  /** The same with another discipline. */
  public ScheduleOptions withQueue(QueuePolicy q) {
    return new ScheduleOptions(q, depth, oversubscription, budget, relink);
  }

  /** The same with another depth. */
  public ScheduleOptions withDepth(int d) {
    return new ScheduleOptions(queue, d, oversubscription, budget, relink);
  }

  /** The same with p hosts an up-link. */
  public ScheduleOptions withOversubscription(int p) {
    return new ScheduleOptions(queue, depth, p, budget, relink);
  }

  /** The same with another search budget. */
  public ScheduleOptions withBudget(long steps) {
    return new ScheduleOptions(queue, depth, oversubscription, steps, relink);
  }

  /** The same with so many tenants that may get other links. */
  public ScheduleOptions withRelink(int tenants) {
    return new ScheduleOptions(queue, depth, oversubscription, budget, tenants);
  }

  /** What is asked of the allocator for so many hosts: who waits asks again. */
  AllocationRequest request(int hosts) {
    return AllocationRequest.of(hosts)
        .withOversubscription(oversubscription)
        .withExtraSubtrees(AllocationRequest.KEEP_TOGETHER)
        .withBudget(budget);
  }
}
