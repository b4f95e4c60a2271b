package org.heddle.routing;

import java.util.Arrays;
import org.heddle.fabric.Fabric;

/**
 * Linear forwarding tables of all switches: (switch, LID) -> output port.
 *
 * <p>Rows are indexed by the switch ids of the {@link Fabric} the tables belong to, columns by LID,
 * {@code 0 .. topLid}. Port 0 means "this switch itself", {@link #NO_PORT} "no entry: drop". One
 * byte per entry; tables that differ in a few rows share the others. Immutable; the rows never
 * escape.
 */
public final class ForwardingTables {
  /** No entry, 0xFF: a switch drops packets to a LID without an entry. */
  public static final int NO_PORT = 255;

  /** Entries of one LinearForwardingTable attribute: a table is written in blocks of this size. */
  public static final int BLOCK_SIZE = 64;

  private final byte[][] rows;
  private final int topLid;

  private ForwardingTables(byte[][] rows, int topLid) {
    this.rows = rows;
    this.topLid = topLid;
  }

  /**
   * Tables over rows that the caller hands over and must not change afterwards.
   *
   * @param rows one row per switch, each of length {@code topLid + 1}
   */
  public static ForwardingTables ofRows(byte[][] rows, int topLid) {
    for (byte[] row : rows) {
      if (row.length != topLid + 1) {
        throw new IllegalArgumentException(
            "a row has " + row.length + " entries instead of " + (topLid + 1));
      }
    }
    return new ForwardingTables(rows, topLid);
  }

  /** Empty tables: no entry anywhere. */
  public static ForwardingTables empty(int switchCount, int topLid) {
    byte[] row = new byte[topLid + 1];
    Arrays.fill(row, (byte) NO_PORT);
    byte[][] rows = new byte[switchCount][];
    Arrays.fill(rows, row); // never written: edits copy rows
    return new ForwardingTables(rows, topLid);
  }

  /** Number of switches. */
  public int switchCount() {
    return rows.length;
  }

  /** The largest LID that can have an entry. */
  public int topLid() {
    return topLid;
  }

  /** Output port for a LID, 0..254, or {@link #NO_PORT}; also for LIDs beyond {@link #topLid()}. */
  public int port(int sw, int lid) {
    return lid > topLid ? NO_PORT : rows[sw][lid] & 0xff;
  }

  /** Copies entries {@code from .. from+length-1} of a switch to {@code out[at ..]}. */
  public void copy(int sw, int from, byte[] out, int at, int length) {
    System.arraycopy(rows[sw], from, out, at, length);
  }

  /** A copy of the row of a switch. */
  public byte[] row(int sw) {
    return rows[sw].clone();
  }

  /** Number of LFT blocks of one switch. */
  public int blockCount() {
    return topLid / BLOCK_SIZE + 1;
  }

  /** True if the switch has the same entries in both; a shared row costs nothing. */
  public boolean sameRow(int sw, ForwardingTables other) {
    return rows[sw] == other.rows[sw] || Arrays.equals(rows[sw], other.rows[sw]);
  }

  /**
   * The first LID, from one on, whose entry of a switch differs; -1 if there is none. A table that
   * ends earlier is read as having no entries there.
   */
  public int mismatch(int sw, ForwardingTables other, int from) {
    if (rows[sw] == other.rows[sw]) {
      return -1;
    }
    int both = Math.min(topLid, other.topLid) + 1;
    if (from < both) {
      int at = Arrays.mismatch(rows[sw], from, both, other.rows[sw], from, both);
      if (at >= 0) {
        return from + at;
      }
    }
    for (int lid = Math.max(from, both); lid <= Math.max(topLid, other.topLid); lid++) {
      if (port(sw, lid) != other.port(sw, lid)) {
        return lid;
      }
    }
    return -1;
  }

  /**
   * Number of LFT blocks of a switch that differ between two tables, that is the number of SMPs
   * needed to turn one into the other. A table that ends earlier is read as having no entries
   * there.
   */
  public int differingBlocks(int sw, ForwardingTables other) {
    if (rows[sw] == other.rows[sw]) {
      return 0;
    }
    int top = Math.max(topLid, other.topLid);
    int count = 0;
    for (int from = 0; from <= top; from += BLOCK_SIZE) {
      count += sameBlock(sw, other, from, Math.min(from + BLOCK_SIZE - 1, top)) ? 0 : 1;
    }
    return count;
  }

  private boolean sameBlock(int sw, ForwardingTables other, int from, int to) {
    for (int lid = from; lid <= to; lid++) {
      if (port(sw, lid) != other.port(sw, lid)) {
        return false;
      }
    }
    return true;
  }

  /** The same tables with one entry changed; all other rows are shared. */
  public ForwardingTables with(int sw, int lid, int port) {
    byte[][] copy = rows.clone();
    copy[sw] = rows[sw].clone();
    copy[sw][lid] = (byte) port;
    return new ForwardingTables(copy, topLid);
  }

  /**
   * The same tables with other rows for some switches; all other rows are shared.
   *
   * @param switches which switches, none twice
   * @param newRows their rows, in the same order, which the caller hands over and must not touch
   *     again
   */
  public ForwardingTables withRows(int[] switches, byte[][] newRows) {
    byte[][] copy = rows.clone();
    for (int i = 0; i < switches.length; i++) {
      copy[switches[i]] = newRows[i];
    }
    return ofRows(copy, topLid);
  }

  /** Starts a set of changes; rows that stay as they are will be shared. */
  public Edits edit() {
    return new Edits(this);
  }

  /** Changes to tables, row by row copied when first written. Not thread-safe. */
  public static final class Edits {
    private final ForwardingTables base;
    private final byte[][] rows;
    private long changed;

    private Edits(ForwardingTables base) {
      this.base = base;
      this.rows = base.rows.clone();
    }

    /** The entry as it is now, changes included; {@link #NO_PORT} beyond the top LID. */
    public int port(int sw, int lid) {
      return lid > base.topLid ? NO_PORT : rows[sw][lid] & 0xff;
    }

    /**
     * Sets an entry.
     *
     * @param lid 0 .. top LID of the tables
     */
    public void set(int sw, int lid, int port) {
      if ((rows[sw][lid] & 0xff) == port) {
        return;
      }
      if (rows[sw] == base.rows[sw]) {
        rows[sw] = base.rows[sw].clone();
      }
      rows[sw][lid] = (byte) port;
      changed++;
    }

    /** Number of writes that changed something. */
    public long changes() {
      return changed;
    }

    /** The tables with all changes so far; later changes do not reach them. */
    public ForwardingTables build() {
      byte[][] out = rows.clone();
      for (int sw = 0; sw < out.length; sw++) {
        out[sw] = out[sw] == base.rows[sw] ? out[sw] : out[sw].clone();
      }
      return new ForwardingTables(out, base.topLid);
    }
  }

  /**
   * The same tables with one LID's entry changed on some switches; all other rows are shared.
   *
   * @param lid may be beyond {@link #topLid()}: then all rows grow, without entries
   * @param switches which switches, none twice
   * @param ports their new entries, in the same order
   */
  public ForwardingTables with(int lid, int[] switches, int[] ports) {
    int top = Math.max(topLid, lid);
    byte[][] copy = rows.clone();
    for (int s = 0; s < copy.length && top > topLid; s++) {
      copy[s] = Arrays.copyOf(rows[s], top + 1);
      Arrays.fill(copy[s], topLid + 1, top + 1, (byte) NO_PORT);
    }
    for (int i = 0; i < switches.length; i++) {
      int s = switches[i];
      copy[s] = copy[s] == rows[s] ? rows[s].clone() : copy[s];
      copy[s][lid] = (byte) ports[i];
    }
    return new ForwardingTables(copy, top);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof ForwardingTables t && topLid == t.topLid && Arrays.deepEquals(rows, t.rows);
  }

  @Override
  public int hashCode() {
    return Arrays.deepHashCode(rows);
  }

  @Override
  public String toString() {
    return "ForwardingTables[" + rows.length + " switches, top LID " + topLid + "]";
  }
}
