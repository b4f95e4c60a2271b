package org.heddle.text.lft;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.fabric.Lid;
import org.heddle.fabric.NodeType;
import org.heddle.routing.ForwardingTables;

/**
 * Writes tables as OpenSM dumps them ({@code opensm-lfts.dump}, {@code osm_dump.c}) and as its
 * {@code file} routing engine loads them ({@code osm_ucast_file.c}).
 *
 * <p>Switches come in GUID order, LIDs ascending. Every entry carries the port GUID, by which
 * OpenSM finds the LID the port has when it loads the file. Names are for the eye: they are cut at
 * the 64 bytes a NodeDescription has, because OpenSM reads lines of at most 1,022 characters, and
 * control characters become blanks; quotes may stay, since OpenSM looks for the GUID before the
 * name. O(entries), no allocation per line.
 */
public final class OpensmLftsWriter {
  private static final int BUFFER = 1 << 20;
  private static final int MAX_NAME = 64;
  private static final String[] TYPES = {"Switch", "Channel Adapter", "Router"};

  private OpensmLftsWriter() {}

  /**
   * Why OpenSM would not load these tables, or empty. It gives up the whole file over one entry
   * whose port the switch does not have, and falls back to another engine.
   */
  public static Optional<String> refusal(Fabric fabric, ForwardingTables tables) {
    byte[] row = new byte[tables.topLid() + 1];
    for (int sw = 0; sw < fabric.switchCount(); sw++) {
      tables.copy(sw, 0, row, 0, row.length);
      int limit = fabric.portCount(sw);
      for (int lid = 0; lid < row.length; lid++) {
        int port = row[lid] & 0xff;
        if (port > limit && port != ForwardingTables.NO_PORT) {
          return Optional.of(
              "LID "
                  + Lid.format(lid)
                  + " leaves switch "
                  + TableBinder.label(fabric.nodeGuid(sw), fabric.description(sw))
                  + " by port "
                  + port
                  + ", it has "
                  + limit);
        }
      }
    }
    return Optional.empty();
  }

  /**
   * Writes all tables; the stream is flushed and not closed.
   *
   * @throws IOException if the stream fails
   * @throws IllegalArgumentException if the tables are not of this fabric, or an entry names a port
   *     its switch does not have; ask {@link #refusal} first
   */
  public static void write(Fabric fabric, ForwardingTables tables, OutputStream out)
      throws IOException {
    if (tables.switchCount() != fabric.switchCount()) {
      throw new IllegalArgumentException("tables and fabric have different numbers of switches");
    }
    int top = Math.max(tables.topLid(), fabric.topLid());
    Lines lines = new Lines(fabric, top);
    byte[] buffer = new byte[BUFFER];
    byte[] row = new byte[tables.topLid() + 1];
    int used = 0;
    for (int sw = 0; sw < fabric.switchCount(); sw++) {
      used = room(buffer, used, out);
      used = put(buffer, used, header(fabric, sw, top));
      tables.copy(sw, 0, row, 0, row.length);
      int limit = fabric.portCount(sw);
      for (int lid = 0; lid < row.length; lid++) {
        int port = row[lid] & 0xff;
        if (port > limit) {
          checkEmpty(port, fabric, tables);
          continue;
        }
        if (buffer.length - used < Lines.LONGEST) {
          used = flush(buffer, used, out);
        }
        used = lines.put(lid, port, buffer, used);
      }
      used = room(buffer, used, out);
      used = put(buffer, used, (top + " lids dumped\n").getBytes(StandardCharsets.US_ASCII));
    }
    flush(buffer, used, out);
    out.flush();
  }

  private static void checkEmpty(int port, Fabric fabric, ForwardingTables tables) {
    if (port != ForwardingTables.NO_PORT) {
      throw new IllegalArgumentException(refusal(fabric, tables).orElse("port out of range"));
    }
  }

  private static byte[] header(Fabric fabric, int sw, int top) {
    return ("Unicast lids [0-"
            + top
            + "] of switch Lid "
            + fabric.lid(fabric.port(sw, 0))
            + " guid "
            + Guid.format(fabric.nodeGuid(sw))
            + " ('"
            + safeName(fabric.description(sw))
            + "'):\n")
        .getBytes(StandardCharsets.UTF_8);
  }

  /** A description that fits a NodeDescription and stays on its line. */
  static String safeName(String description) {
    StringBuilder out = new StringBuilder(description.length());
    int bytes = 0;
    for (int i = 0; i < description.length(); ) {
      int c = description.codePointAt(i);
      i += Character.charCount(c);
      if (Character.isISOControl(c) || c == 0x2028 || c == 0x2029) {
        c = ' ';
      } else if (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) {
        c = '?'; // half a character
      }
      bytes += c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
      if (bytes > MAX_NAME) {
        break;
      }
      out.appendCodePoint(c);
    }
    return out.toString();
  }

  private static int put(byte[] buffer, int at, byte[] text) {
    System.arraycopy(text, 0, buffer, at, text.length);
    return at + text.length;
  }

  private static int room(byte[] buffer, int used, OutputStream out) throws IOException {
    return buffer.length - used < 4 * Lines.LONGEST ? flush(buffer, used, out) : used;
  }

  private static int flush(byte[] buffer, int used, OutputStream out) throws IOException {
    out.write(buffer, 0, used);
    return 0;
  }

  /** The line of every LID, made once; only the port differs between switches. */
  private static final class Lines {
    static final int LONGEST = 256;
    private static final int PORT_AT = 7; // behind "0x0001 "

    private final byte[] text;
    private final int[] at; // at[lid] .. at[lid + 1]
    private final byte[] digits = new byte[3 * 256];

    Lines(Fabric fabric, int top) {
      at = new int[top + 2];
      byte[][] each = new byte[top + 1][];
      for (int lid = 0; lid <= top; lid++) {
        each[lid] = line(fabric, lid).getBytes(StandardCharsets.UTF_8);
        at[lid + 1] = at[lid] + each[lid].length;
      }
      text = new byte[at[top + 1]];
      for (int lid = 0; lid <= top; lid++) {
        System.arraycopy(each[lid], 0, text, at[lid], each[lid].length);
      }
      for (int port = 0; port < 256; port++) {
        digits[3 * port] = (byte) ('0' + port / 100);
        digits[3 * port + 1] = (byte) ('0' + port / 10 % 10);
        digits[3 * port + 2] = (byte) ('0' + port % 10);
      }
    }

    private static String line(Fabric fabric, int lid) {
      int port = fabric.portOfLid(lid);
      String start = Lid.format(lid) + " 000 # ";
      if (port == Fabric.NONE) {
        return start + "unknown node and type\n";
      }
      int node = fabric.nodeOf(port);
      NodeType type = fabric.nodeType(node);
      return start
          + TYPES[type.ordinal()]
          + " portguid "
          + Guid.format(fabric.portGuid(port))
          + ": '"
          + safeName(fabric.description(node))
          + "'\n";
    }

    int put(int lid, int port, byte[] buffer, int used) {
      int from = at[lid];
      int length = at[lid + 1] - from;
      System.arraycopy(text, from, buffer, used, length);
      int p = used + PORT_AT;
      int d = 3 * port;
      buffer[p] = digits[d];
      buffer[p + 1] = digits[d + 1];
      buffer[p + 2] = digits[d + 2];
      return used + length;
    }
  }
}
