package org.heddle.text.lft;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.fabric.Lid;
import org.heddle.routing.ForwardingTables;
import org.heddle.text.Parsed;
import org.heddle.text.Problems;

/**
 * Matches the tables of a file to a fabric: switches by GUID, LIDs by the port GUIDs that the file
 * names behind them.
 *
 * <p>If the file names ports, its LIDs count, and the fabric is given them; otherwise those of the
 * fabric are taken as they are. Every entry is kept, also one that leaves by a port the switch does
 * not have: such entries are findings about the tables, and reported. O(entries).
 */
public final class TableBinder {
  private TableBinder() {}

  /**
   * Binds a dump to a fabric. An error if none of its switches is in the fabric, or if neither file
   * says which port has which LID.
   */
  public static Parsed<BoundTables> bind(LftDump dump, Fabric fabric) {
    Problems problems = new Problems(dump.name());
    int[] source = matchSwitches(dump, fabric, problems);
    boolean named = dump.hasGuids();
    if (!named && fabric.topLid() == 0) {
      problems.error(
          0, "neither the tables nor the fabric say which port has which LID: nothing to match by");
    }
    if (problems.hasErrors()) {
      return problems.result(null);
    }
    Fabric addressed = fabric;
    List<Long> switches = lostSwitches(dump, fabric);
    PortLids lids = new PortLids(fabric, problems);
    if (named) {
      lids.takeFrom(dump);
      addressed = lids.fabric();
    }
    int top = Math.max(dump.topLid(), addressed.topLid());
    byte[][] rows = new byte[fabric.switchCount()][];
    byte[] empty = new byte[top + 1];
    Arrays.fill(empty, (byte) ForwardingTables.NO_PORT);
    for (int sw = 0; sw < rows.length; sw++) {
      rows[sw] = source[sw] < 0 ? empty : dump.row(source[sw], top);
      if (source[sw] >= 0) {
        checkPorts(dump.switchAt(source[sw]), rows[sw], fabric.portCount(sw), problems);
      }
    }
    ForwardingTables tables = ForwardingTables.ofRows(rows, top);
    UnknownLids.report(addressed, tables, dump::guidOfLid, problems);
    BoundTables.Lost lost = new BoundTables.Lost(switches, lids.lostBut(switches, tables));
    return problems.result(new BoundTables(addressed, tables, lost));
  }

  private static List<Long> lostSwitches(LftDump dump, Fabric fabric) {
    List<Long> out = new ArrayList<>();
    for (int i = 0; i < dump.switchCount(); i++) {
      long guid = dump.switchAt(i).guid();
      if (!fabric.isSwitch(fabric.findNode(guid))) {
        out.add(guid);
      }
    }
    return out;
  }

  /** Index in the dump by switch id, -1 where the dump has no table. */
  private static int[] matchSwitches(LftDump dump, Fabric fabric, Problems problems) {
    int[] source = new int[fabric.switchCount()];
    Arrays.fill(source, -1);
    int unknown = 0;
    for (int i = 0; i < dump.switchCount(); i++) {
      LftDump.Switch sw = dump.switchAt(i);
      int node = fabric.findNode(sw.guid());
      if (fabric.isSwitch(node)) {
        source[node] = i;
      } else {
        unknown++;
        problems.note(
            sw.line(), "switch " + label(sw.guid(), sw.name()) + " is not in the fabric, ignored");
      }
    }
    if (unknown == dump.switchCount()) {
      problems.error(
          0,
          "tables of another fabric: of its "
              + Counted.of(dump.switchCount(), "switch", "switches")
              + " none is in the fabric");
      return source;
    }
    if (unknown > 0) {
      problems.note(
          0,
          unknown
              + " of "
              + Counted.of(dump.switchCount(), "switch of the file is", "switches of the file are")
              + " not in the fabric");
    }
    for (int sw = 0; sw < source.length; sw++) {
      if (source[sw] < 0) {
        problems.note(
            0,
            "no table for switch "
                + label(fabric.nodeGuid(sw), fabric.description(sw))
                + ": its row is empty");
      }
    }
    return source;
  }

  private static void checkPorts(LftDump.Switch sw, byte[] row, int portCount, Problems problems) {
    int count = 0;
    int first = 0;
    for (int lid = row.length - 1; lid >= 0; lid--) {
      int port = row[lid] & 0xff;
      if (port > portCount && port != ForwardingTables.NO_PORT) {
        count++;
        first = lid;
      }
    }
    if (count > 0) {
      problems.warn(
          sw.line(),
          "switch "
              + label(sw.guid(), sw.name())
              + " has "
              + Counted.of(portCount, "port", "ports")
              + ", but "
              + Counted.of(count, "entry names", "entries name")
              + " a larger one: LID "
              + Lid.format(first)
              + " leaves by port "
              + (row[first] & 0xff));
    }
  }

  static String label(long guid, String name) {
    return Guid.format(guid) + (name.isEmpty() ? "" : " '" + name + "'");
  }
}
