package org.heddle.reconfig.reroute;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.heddle.fabric.Fabric;
import org.heddle.reconfig.Wiring;
import org.heddle.routing.ForwardingTables;
import org.heddle.topology.FatTree;

/**
 * New tables for a fabric that has changed, with as few changed routes as the balance allows: the
 * minimal routing update of SlimUpdate (Zahid, thesis, paper IV, sections 4 and 5).
 *
 * <p>Tables of any tree engine for the fabric as it is now are the measure: an old entry stays if
 * it is legal (leads up, then down) and no channel then carries more destinations than the fullest
 * of its level and direction does in the measure. Other entries are chosen again, each over the
 * least loaded channels. Destinations are then moved off overloaded channels. If the result is
 * worse than the measure in balance or in the number of changed paths, or is not free of credit
 * loops, the measure itself is returned, so there are never more changes than with a fresh routing.
 *
 * <p>O(LIDs * switches), the verification included.
 *
 * @param tables for the fabric; their rows may be longer than its LIDs require, if the old ones
 *     were
 * @param report what changed
 */
public record MinimalReroute(ForwardingTables tables, Report report) {

  /**
   * What a new set of tables changes. A path is a pair of a source (endport of a channel adapter or
   * router) and a destination LID of another, and has changed if it leaves any switch by another
   * port than before. Pairs that had no entry at their first switch are new, not changed.
   *
   * @param paths pairs of the fabric as it is now
   * @param changed changes of the tables returned
   * @param fresh changes of the fresh tables, had they been taken
   * @param illegal old entries that could not stay: dead ports, detours, ways down and up
   * @param moved destinations moved for the sake of balance only
   * @param balance by level, from 1: channels between this level and the next one
   * @param isFresh true if the fresh tables are returned
   * @param notes what users should know, one sentence each
   */
  public record Report(
      long paths,
      Changes changed,
      Changes fresh,
      long illegal,
      int moved,
      List<Balance> balance,
      boolean isFresh,
      List<String> notes) {
    public Report {
      balance = List.copyOf(balance);
      notes = List.copyOf(notes);
    }
  }

  /**
   * Changes from the old tables.
   *
   * @param paths pairs whose path differs
   * @param entries (switch, LID) entries that differ
   * @param blocks blocks to write, one packet each
   */
  public record Changes(long paths, long entries, long blocks) {
    /** The changes from one set of tables of a fabric to another. O(switches * LIDs). */
    public static Changes between(Fabric fabric, ForwardingTables before, ForwardingTables after) {
      return new PathChanges(new Wiring(fabric, Optional.empty()), before).count(after);
    }
  }

  /**
   * Largest number of destination LIDs on a channel between two levels.
   *
   * @param level the lower of the two levels
   * @param down on channels downwards
   * @param freshDown the same in the fresh tables
   * @param up on channels upwards
   * @param freshUp the same in the fresh tables
   */
  public record Balance(int level, int down, int freshDown, int up, int freshUp) {}

  /**
   * Updates tables.
   *
   * @param fabric as it is now, with LIDs
   * @param tree of this fabric
   * @param old the tables that are in the switches, by switches and LIDs of this fabric ({@link
   *     #carryOver}); their entries may be anything
   * @param fresh sound tables for this fabric, of any engine that routes it without credit loops
   * @throws IllegalArgumentException if tables are of another number of switches
   */
  public static MinimalReroute of(
      Fabric fabric, FatTree tree, ForwardingTables old, ForwardingTables fresh) {
    int switches = fabric.switchCount();
    if (old.switchCount() != switches || fresh.switchCount() != switches) {
      throw new IllegalArgumentException("tables of another fabric");
    }
    return new RouteKeeper(fabric, tree, old, fresh).update();
  }

  /**
   * Tables of another snapshot by the switches and LIDs of this one: switches and destination ports
   * are matched by GUID. New switches and ports have no entries; entries of LIDs that no port of
   * this snapshot had before are lost.
   */
  public static ForwardingTables carryOver(Fabric before, ForwardingTables old, Fabric now) {
    int top = now.topLid();
    int[] oldLid = new int[top + 1];
    for (int lid = 1; lid <= top; lid++) {
      oldLid[lid] = oldLid(before, now, lid);
    }
    byte[][] rows = new byte[now.switchCount()][];
    for (int s = 0; s < rows.length; s++) {
      rows[s] = new byte[top + 1];
      int node = before.findNode(now.nodeGuid(s));
      for (int lid = 0; lid <= top; lid++) {
        boolean known = lid > 0 && before.isSwitch(node) && oldLid[lid] != 0;
        rows[s][lid] = (byte) (known ? old.port(node, oldLid[lid]) : ForwardingTables.NO_PORT);
      }
    }
    return ForwardingTables.ofRows(rows, top);
  }

  /** The LID under which the old tables know a destination, or 0. */
  private static int oldLid(Fabric before, Fabric now, int lid) {
    int port = now.portOfLid(lid);
    if (port == Fabric.NONE) {
      return 0;
    }
    boolean isBase = now.lid(port) <= lid && lid < now.lid(port) + (1 << now.lmc(port));
    if (!isBase || now.portGuid(port) == 0) {
      return before.portOfLid(lid) == Fabric.NONE ? 0 : lid; // a virtual LID moves as it is
    }
    int old = before.findPort(now.portGuid(port));
    int offset = lid - now.lid(port);
    boolean had = old != Fabric.NONE && before.lid(old) != 0 && offset < 1 << before.lmc(old);
    return had ? before.lid(old) + offset : 0;
  }

  /** A report for fresh tables taken as they are. */
  static MinimalReroute takeFresh(MinimalReroute kept, ForwardingTables fresh, String note) {
    Report r = kept.report;
    List<Balance> balance = new ArrayList<>();
    for (Balance b : r.balance) {
      balance.add(new Balance(b.level, b.freshDown, b.freshDown, b.freshUp, b.freshUp));
    }
    List<String> notes = new ArrayList<>(r.notes);
    notes.add(note);
    return new MinimalReroute(
        fresh, new Report(r.paths, r.fresh, r.fresh, r.illegal, 0, balance, true, notes));
  }
}
