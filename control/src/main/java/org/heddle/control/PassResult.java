package org.heddle.control;

import java.time.Duration;

/** The outcome of one look at the fabric, and when to look again if nothing happens before. */
public sealed interface PassResult {
  /** How long to wait. */
  Duration comeBack();

  /** True if there is nothing left to do until something happens. */
  default boolean settled() {
    return this instanceof InSync || this instanceof DriftLeft;
  }

  /** Fabric and desired state agree. */
  record InSync(long epoch, Duration comeBack) implements PassResult {}

  /** Something differs, and only new epochs are written. */
  record DriftLeft(int blocks, Duration comeBack) implements PassResult {}

  /** What differed was handed to the agent; the next look tells whether it is there. */
  record Written(int blocks, Duration comeBack) implements PassResult {}

  /** The fabric or the desired state is another one meanwhile. */
  record Overtaken(Duration comeBack) implements PassResult {}

  /** The fabric is another one, and the controller does not take that. */
  record Refused(String reason, Duration comeBack) implements PassResult {}

  /** Another process may lead: nothing was written. */
  record StoodBack(Duration comeBack) implements PassResult {}

  /** The fabric could not be read or written, or the reconciler failed. */
  record Failed(String reason, Duration comeBack) implements PassResult {}
}
