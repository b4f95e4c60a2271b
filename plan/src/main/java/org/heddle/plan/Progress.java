package org.heddle.plan;

/**
 * Receives the progress of a piece of work, and may end it by throwing {@link
 * java.util.concurrent.CancellationException}.
 */
@FunctionalInterface
public interface Progress {
  /** For work that nobody watches. */
  Progress NONE = (_, _, _) -> {};

  /**
   * A step is about to begin.
   *
   * @param what kind of steps
   * @param done steps before it
   * @param total steps in all
   */
  void at(String what, int done, int total);
}
