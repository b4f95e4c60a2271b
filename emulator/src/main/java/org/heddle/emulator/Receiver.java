package org.heddle.emulator;

/** Gets what arrives for an attached program. */
@FunctionalInterface
public interface Receiver {
  /** A datagram has arrived, or one of its own came back undelivered. */
  void deliver(Packet packet);
}
