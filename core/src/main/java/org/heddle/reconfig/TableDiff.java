package org.heddle.reconfig;

import java.util.ArrayList;
import java.util.List;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Lid;
import org.heddle.routing.ForwardingTables;

/**
 * What has to be written to turn the tables of a running fabric into new ones.
 *
 * <p>Switches and destinations are matched by GUID, so that the two sides may be different
 * snapshots with different LIDs. Writes are counted in a switch's table by LID: one SMP for each
 * block of {@value ForwardingTables#BLOCK_SIZE} LIDs that differs. The effect on traffic is counted
 * by destination port: {@link #routes}. The two agree unless LIDs change.
 *
 * @param switches switches with at least one differing block, in the order of their ids afterwards
 * @param newSwitches switches that were not there before; their tables count as empty before
 * @param goneSwitches switches that no longer exist; nothing is written to them
 * @param blocks blocks that differ, which is the number of SMPs
 * @param entries (switch, LID) entries that differ
 * @param routes (switch, destination port) pairs that leave by another port than before, among the
 *     switches and destinations of both sides
 * @param lidChanges endports of both sides whose base LID differs, in the order of port ids
 *     afterwards
 */
public record TableDiff(
    List<SwitchChange> switches,
    int newSwitches,
    int goneSwitches,
    long blocks,
    long entries,
    long routes,
    List<LidChange> lidChanges) {

  public TableDiff {
    switches = List.copyOf(switches);
    lidChanges = List.copyOf(lidChanges);
  }

  /**
   * What is written to one switch.
   *
   * @param sw its id afterwards
   * @param guid its node GUID
   * @param blocks blocks that differ
   * @param entries entries that differ
   */
  public record SwitchChange(int sw, long guid, int blocks, int entries) {}

  /**
   * A port that answers to another LID than before.
   *
   * @param port its id afterwards
   * @param portGuid its GUID
   * @param before base LID before, {@link Lid#NONE} for none
   * @param after base LID afterwards
   */
  public record LidChange(int port, long portGuid, int before, int after) {}

  /** Number of subnet management packets that write the blocks. */
  public long smps() {
    return blocks;
  }

  /** True if nothing has to be written. */
  public boolean isEmpty() {
    return blocks == 0;
  }

  /** The difference of two tables of one fabric. O(switches x LIDs). */
  public static TableDiff of(Fabric fabric, ForwardingTables before, ForwardingTables after) {
    return of(fabric, before, fabric, after);
  }

  /**
   * The difference of tables of two snapshots.
   *
   * @param from the fabric {@code before} belongs to, with the LIDs that these tables use
   * @param to the fabric {@code after} belongs to, likewise
   */
  public static TableDiff of(
      Fabric from, ForwardingTables before, Fabric to, ForwardingTables after) {
    List<LidChange> moved = lidChanges(from, to);
    List<SwitchChange> changes = new ArrayList<>();
    int[] match = new int[to.switchCount()];
    int known = 0;
    long blocks = 0;
    long entries = 0;
    for (int sw = 0; sw < match.length; sw++) {
      int node = from == to ? sw : from.findNode(to.nodeGuid(sw));
      match[sw] = from.isSwitch(node) ? node : Fabric.NONE;
      known += match[sw] == Fabric.NONE ? 0 : 1;
      SwitchChange change = compare(match[sw], before, sw, after, to.nodeGuid(sw));
      if (change.blocks() > 0) {
        changes.add(change);
        blocks += change.blocks();
        entries += change.entries();
      }
    }
    boolean same = changes.isEmpty() && moved.isEmpty();
    long routes = same ? 0 : routes(from, before, to, after, match);
    return new TableDiff(
        changes, match.length - known, from.switchCount() - known, blocks, entries, routes, moved);
  }

  private static SwitchChange compare(
      int old, ForwardingTables before, int sw, ForwardingTables after, long guid) {
    int top = Math.max(before.topLid(), after.topLid());
    int blocks = 0;
    int entries = 0;
    for (int from = 0; from <= top; from += ForwardingTables.BLOCK_SIZE) {
      int to = Math.min(from + ForwardingTables.BLOCK_SIZE - 1, top);
      int differing = 0;
      for (int lid = from; lid <= to; lid++) {
        int was = old == Fabric.NONE ? ForwardingTables.NO_PORT : before.port(old, lid);
        differing += was == after.port(sw, lid) ? 0 : 1;
      }
      entries += differing;
      blocks += differing > 0 ? 1 : 0;
    }
    return new SwitchChange(sw, guid, blocks, entries);
  }

  private static List<LidChange> lidChanges(Fabric from, Fabric to) {
    List<LidChange> out = new ArrayList<>();
    if (from == to) {
      return out;
    }
    for (int port = 0; port < to.portIdLimit(); port++) {
      int old = oldPort(from, to, port);
      if (old != Fabric.NONE && from.lid(old) != to.lid(port)) {
        out.add(new LidChange(port, to.portGuid(port), from.lid(old), to.lid(port)));
      }
    }
    return out;
  }

  /** The endport of that GUID on the other side, or {@link Fabric#NONE}. */
  private static int oldPort(Fabric from, Fabric to, int port) {
    if (!to.isEndport(port) || to.portGuid(port) == 0) {
      return Fabric.NONE;
    }
    int old = from == to ? port : from.findPort(to.portGuid(port));
    return old != Fabric.NONE && from.isEndport(old) ? old : Fabric.NONE;
  }

  private static long routes(
      Fabric from, ForwardingTables before, Fabric to, ForwardingTables after, int[] match) {
    int[] oldLids = new int[Math.max(from.topLid(), to.topLid()) + 1];
    int[] lids = new int[oldLids.length];
    int n = 0;
    for (int port = 0; port < to.portIdLimit(); port++) {
      int old = oldPort(from, to, port);
      if (old == Fabric.NONE || to.lid(port) == Lid.NONE || from.lid(old) == Lid.NONE) {
        continue;
      }
      int count = 1 << Math.min(from.lmc(old), to.lmc(port));
      for (int bits = 0; bits < count; bits++) {
        oldLids[n] = from.lid(old) + bits;
        lids[n++] = to.lid(port) + bits;
      }
    }
    long count = 0;
    for (int sw = 0; sw < match.length; sw++) { // a row at a time, as the tables lie in memory
      for (int i = 0; i < n && match[sw] != Fabric.NONE; i++) {
        count += before.port(match[sw], oldLids[i]) != after.port(sw, lids[i]) ? 1 : 0;
      }
    }
    return count;
  }
}
