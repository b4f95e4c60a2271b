package org.heddle.schedule;

/** Who may start while the first in the queue has to wait. */
public enum QueuePolicy {
  /** Nobody: strictly first come, first served. */
  FIFO,
  /**
   * Whoever does not delay the first (EASY: Lifka, "The ANL/IBM SP scheduling system", 1995). The
   * first gets a reservation: the earliest end of a running tenant at which the allocator places
   * it, and that very place.
   */
  EASY
}
