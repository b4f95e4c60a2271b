package org.heddle.control;

import java.util.Optional;

/**
 * Tells a passing failure from a persistent one: after {@value #MANY} failures in a row without a
 * success in between, somebody has to look. Thread-safe.
 */
final class FailureStreak {
  /** Failures in a row that are too many. */
  static final int MANY = 3;

  private final String what;
  private int count;
  private String last = "";

  /** A streak of failures of something, which is the beginning of a sentence. */
  FailureStreak(String what) {
    this.what = what;
  }

  synchronized void failed(String why) {
    count++;
    last = why;
  }

  synchronized void succeeded() {
    count = 0;
  }

  /** What goes wrong again and again; empty if nothing does. */
  synchronized Optional<String> trouble() {
    return count < MANY
        ? Optional.empty()
        : Optional.of("%s, %d times in a row: %s".formatted(what, count, last));
  }
}
