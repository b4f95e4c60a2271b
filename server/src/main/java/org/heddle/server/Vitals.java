package org.heddle.server;

import java.util.Optional;

/**
 * How the controller's process is, for whoever supervises it.
 *
 * @param summary one line: leading or not, in sync or not
 * @param stuck what it has been at for longer than anything takes; it does not end by itself
 */
public record Vitals(String summary, Optional<String> stuck) {
  /** Those of a process that is not stuck. */
  public static Vitals well(String summary) {
    return new Vitals(summary, Optional.empty());
  }
}
