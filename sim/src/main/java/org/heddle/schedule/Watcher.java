package org.heddle.schedule;

import org.heddle.allocation.Allocation;

/** Receives what happens during a simulation, in its thread. */
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

  /** A tenant is about to get other links; by default as if it left. */
  default void relinking(long time, int request, Allocation before) {
    ended(time, request, before);
  }

  /** A tenant has got other links; by default as if it had come. */
  default void relinked(long time, int request, Allocation after) {
    started(time, request, after);
  }

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
