package org.heddle.text.lft;

import java.util.Arrays;
import org.heddle.fabric.Lid;
import org.heddle.routing.ForwardingTables;

/**
 * Forwarding tables as a file states them, before they are matched to a fabric: by switch GUID, in
 * file order, with the port GUID behind a LID where the file names it. One byte an entry and eight
 * bytes a LID; immutable, and rows are shared with the {@link ForwardingTables} made of them.
 */
public final class LftDump {
  private final String name;
  private final Switch[] switches;
  private final byte[][] rows;
  private final long[] guidOfLid;
  private final int topLid;
  private final long entryCount;

  /**
   * What is known of a switch besides its row.
   *
   * @param guid node GUID
   * @param name description, possibly empty
   * @param lid base LID, or {@link Lid#NONE}
   * @param line where its table starts in the file, 0 if that has no lines
   */
  public record Switch(long guid, String name, int lid, int line) {}

  /** Takes ownership of the arrays; rows may have different lengths, {@code null} is empty. */
  LftDump(String name, Switch[] switches, byte[][] rows, long[] guidOfLid, long entryCount) {
    this.name = name;
    this.switches = switches;
    this.rows = rows;
    this.guidOfLid = guidOfLid;
    this.entryCount = entryCount;
    int top = 0;
    for (byte[] row : rows) {
      top = Math.max(top, topOf(row));
    }
    for (int lid = guidOfLid.length - 1; lid > top; lid--) {
      if (guidOfLid[lid] != 0) {
        top = lid;
      }
    }
    this.topLid = top;
  }

  private static int topOf(byte[] row) {
    int lid = row == null ? 0 : row.length - 1;
    while (lid > 0 && row[lid] == -1) {
      lid--;
    }
    return lid;
  }

  /** Name of the file, for messages. */
  public String name() {
    return name;
  }

  /** Number of switches that have a table in the file. */
  public int switchCount() {
    return switches.length;
  }

  /** A switch, {@code 0 .. switchCount-1} in file order. */
  public Switch switchAt(int index) {
    return switches[index];
  }

  /** The largest LID that has an entry or a GUID. */
  public int topLid() {
    return topLid;
  }

  /** Number of entries read. */
  public long entryCount() {
    return entryCount;
  }

  /** Output port for any LID, or {@link ForwardingTables#NO_PORT}. */
  public int port(int index, int lid) {
    byte[] row = rows[index];
    return row == null || lid < 0 || lid >= row.length ? ForwardingTables.NO_PORT : row[lid] & 0xff;
  }

  /** GUID of the port that has the LID according to the file; 0 if it does not say. */
  public long guidOfLid(int lid) {
    return lid < 0 || lid >= guidOfLid.length ? 0 : guidOfLid[lid];
  }

  /** True if the file names the port behind at least one LID. */
  public boolean hasGuids() {
    for (long guid : guidOfLid) {
      if (guid != 0) {
        return true;
      }
    }
    return false;
  }

  /** The row with entries {@code 0 .. top}; the array itself where it has that length already. */
  byte[] row(int index, int top) {
    byte[] row = rows[index];
    if (row != null && row.length == top + 1) {
      return row;
    }
    byte[] out = new byte[top + 1];
    int known = row == null ? 0 : Math.min(row.length, out.length);
    if (known > 0) {
      System.arraycopy(row, 0, out, 0, known);
    }
    Arrays.fill(out, known, out.length, (byte) ForwardingTables.NO_PORT);
    return out;
  }
}
