package org.heddle.cli.reroute;

import java.util.List;
import java.util.Optional;
import org.heddle.reconfig.DeadPort;
import org.heddle.reconfig.TableChange;
import org.heddle.reconfig.TableDiff;
import org.heddle.reconfig.reroute.MinimalReroute;
import org.heddle.text.lft.BoundTables;
import org.heddle.topology.Subtree;
import org.heddle.verify.AuditReport;

/**
 * Everything a re-routing came to; printing and JSON read it.
 *
 * @param method {@code minimal}, {@code subtree}, or {@code order} for all hosts by an order
 * @param engine name of the engine
 * @param seconds finding the (sub-)tree, routing, and comparing
 * @param old the tables as read, on the fabric as it is now, with what was lost
 * @param dead ports without a link that the old tables send to
 * @param now the new tables
 * @param part what {@code --subtree-of} did; else empty
 * @param minimal what {@code --minimal} did; else empty
 * @param diff what has to be written
 * @param paths what it means for paths between hosts
 * @param order how it can be written
 * @param before audit of the old tables on the fabric as it is now
 * @param after audit of the new tables
 * @param notes what the engine or the method says
 */
record Reroute(
    String method,
    String engine,
    double seconds,
    BoundTables old,
    List<DeadPort> dead,
    BoundTables now,
    Optional<Part> part,
    Optional<MinimalReroute.Report> minimal,
    TableDiff diff,
    MinimalReroute.Changes paths,
    TableChange order,
    AuditReport before,
    AuditReport after,
    List<String> notes) {
  Reroute {
    notes = List.copyOf(notes);
  }

  /**
   * A sub-tree.
   *
   * @param subtree empty if all hosts are on one leaf
   * @param leaf that leaf's name, else empty
   * @param ordered how many GUIDs of the order are in it
   * @param lids LIDs that were routed anew
   * @param kept entries of these that stay, because the sub-tree has no way up and down for them
   */
  record Part(Optional<Subtree> subtree, String leaf, int ordered, int lids, long kept) {}
}
