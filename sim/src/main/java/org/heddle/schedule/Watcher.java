package org.heddle.schedule;

import org.heddle.allocation.Allocation;

/** Told what happens during a simulation, in its thread. */
public interface Watcher {
  /** Watches nothing. */
  Watcher NONE = new Watcher() {};

  /**
   * A request got its place.
   *
   * @param request index in the workload
   */
  default void started(long time, int request, Allocation allocation) {}

  /** A tenant has left. */
  default void ended(long time, int request, Allocation allocation) {}

  /**
   * Called after every event.
   *
   * @param started requests that have started or were refused
   * @return false to stop the simulation
   */
  default boolean goOn(int started, int total) {
    return true;
  }
}
