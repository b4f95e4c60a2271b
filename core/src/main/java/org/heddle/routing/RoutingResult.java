package org.heddle.routing;

import java.util.List;
import org.heddle.tenancy.Lanes;

/** The outcome of an engine: tables, or the reason why it cannot route this fabric. */
public sealed interface RoutingResult {

  /**
   * Finished tables.
   *
   * @param notes what the user should know, one sentence each; empty if all went as usual
   * @param lanes virtual lane of every partition of the request's tenancy
   */
  record Routed(ForwardingTables tables, List<String> notes, Lanes lanes) implements RoutingResult {
    public Routed {
      notes = List.copyOf(notes);
    }

    /** Tables of an engine that knows nothing of partitions: everybody on lane 0. */
    public Routed(ForwardingTables tables, List<String> notes) {
      this(tables, notes, Lanes.single(0));
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
