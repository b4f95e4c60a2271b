package org.heddle.cli.shell.log;

/**
 * The configuration of {@code java.util.logging} of a process that has no log: none. The JDK makes
 * one of these when something first logs; see {@link LogOutput} for those that have one.
 */
public final class NoLog {
  /** Nobody is told of anything. */
  public NoLog() {
    // without handlers nothing is written
  }
}
