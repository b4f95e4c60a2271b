package org.heddle.routing;

import java.util.List;

/** Outcome of an engine: tables, or the reason why it cannot route this fabric. */
public sealed interface RoutingResult {

  /**
   * Finished tables.
   *
   * @param notes what the user should know, one sentence each; empty if all went as usual
   */
  record Routed(ForwardingTables tables, List<String> notes) implements RoutingResult {
    public Routed {
      notes = List.copyOf(notes);
    }
  }

  /**
   * This engine cannot route this fabric; another may.
   *
   * @param reason one sentence that names the obstacle
   * @param details further sentences, possibly none
   */
  record Unsupported(String reason, List<String> details) implements RoutingResult {
    public Unsupported {
      details = List.copyOf(details);
    }
  }
}
