package org.heddle.plan.model;

import org.heddle.allocation.AllocationBinder;
import org.heddle.fabric.Guid;

/**
 * A link between two switches across epochs: node GUID and port of the lower and of the upper end.
 */
public record LinkRef(long from, int port, long to, int toPort) {
  /** What is kept of a link. */
  public static LinkRef of(AllocationBinder.Link l) {
    return new LinkRef(l.from(), l.port(), l.to(), l.toPort());
  }

  /** The link, to be found in a fabric. */
  public AllocationBinder.Link link() {
    return new AllocationBinder.Link(from, port, to, toPort);
  }

  /** What a link is called: {@code GUID:PORT} of its lower end. */
  public String id() {
    return Guid.format(from) + ":" + port;
  }
}
