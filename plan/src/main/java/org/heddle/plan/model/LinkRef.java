package org.heddle.plan.model;

import org.heddle.fabric.Guid;

/** A link between two switches across epochs: node GUID and port of the lower, the upper end. */
public record LinkRef(long from, int port, long to, int toPort) {
  /** What a link is called: {@code GUID:PORT} of its lower end. */
  public String id() {
    return Guid.format(from) + ":" + port;
  }
}
