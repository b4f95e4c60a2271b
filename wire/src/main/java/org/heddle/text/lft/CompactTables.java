package org.heddle.text.lft;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.Guid;
import org.heddle.fabric.Lid;
import org.heddle.routing.ForwardingTables;
import org.heddle.text.Parsed;
import org.heddle.text.Problems;
import org.heddle.text.Source;

/**
 * Compact tables, {@code .hlft}: forwarding tables in one byte an entry, with the GUIDs, LIDs and
 * LMCs they were made for.
 *
 * <p>All numbers are little-endian. A header of {@value #HEADER} bytes is followed by 16 bytes for
 * every endport, 8 for every switch, and from a multiple of 4,096 on one row a switch, each a
 * multiple of 64 long, so that a mapped file can be used in place:
 *
 * <pre>
 * offset size
 *      0    8  magic: 89 'H' 'L' 'F' 'T' 0D 0A 1A
 *      8    4  version, 1
 *     12    4  header length, 128
 *     16    8  fabric fingerprint
 *     24    4  number of switches S
 *     28    4  number of endports E
 *     32    4  top LID T
 *     36    4  row length R: T + 1, rounded up to a multiple of 64
 *     40    8  offset of the endports, 128
 *     48    8  offset of the switches: 128 + 16 E
 *     56    8  offset of the rows: the end of the switches, rounded up to a multiple of 4,096
 *     64    8  file length: offset of the rows + S R
 *     72    4  CRC-32C of the endport section
 *     76    4  CRC-32C of the switch section and the padding behind it
 *     80    4  CRC-32C of the row section
 *     84   40  zero
 *    124    4  CRC-32C of bytes 0 .. 123
 * endport: GUID 8, base LID 2, LMC 1, node type 1 (0 switch, 1 CA, 2 router), zero 4
 * switch:  node GUID 8, in unsigned order
 * row:     output port by LID, FF for none; FF behind the top LID
 * </pre>
 *
 * Every bit is covered by a checksum. Reading costs the copy of the rows.
 */
public final class CompactTables {
  static final int HEADER = 128;
  static final int VERSION = 1;
  static final int PAGE = 4096;
  static final int ROW_UNIT = 64;
  static final int ENDPORT = 16;
  public static final byte[] MAGIC = {(byte) 0x89, 'H', 'L', 'F', 'T', 0x0d, 0x0a, 0x1a};

  private static final int MAX_SWITCHES = 1 << 20;
  private static final int MAX_ENDPORTS = 1 << 24;

  private CompactTables() {}

  // ---- writing

  /**
   * Writes tables; the stream is flushed and not closed.
   *
   * @throws IOException if the stream fails
   * @throws IllegalArgumentException if the tables are not of this fabric
   */
  public static void write(Fabric fabric, ForwardingTables tables, OutputStream out)
      throws IOException {
    if (tables.switchCount() != fabric.switchCount()) {
      throw new IllegalArgumentException("tables and fabric have different numbers of switches");
    }
    byte[] endports = endports(fabric);
    int top = tables.topLid();
    Layout layout = new Layout(fabric.switchCount(), endports.length / ENDPORT, top);
    byte[] switches = new byte[(int) (layout.rowsAt - layout.switchesAt)];
    ByteBuffer guids = ByteBuffer.wrap(switches).order(ByteOrder.LITTLE_ENDIAN);
    for (int sw = 0; sw < fabric.switchCount(); sw++) {
      guids.putLong(fabric.nodeGuid(sw));
    }
    byte[] row = new byte[layout.rowLength];
    Arrays.fill(row, (byte) ForwardingTables.NO_PORT);
    CRC32C rows = new CRC32C();
    for (int sw = 0; sw < fabric.switchCount(); sw++) {
      tables.copy(sw, 0, row, 0, top + 1);
      rows.update(row, 0, row.length);
    }
    out.write(
        layout.header(fabric.fingerprint(), crc(endports), crc(switches), (int) rows.getValue()));
    out.write(endports);
    out.write(switches);
    for (int sw = 0; sw < fabric.switchCount(); sw++) {
      tables.copy(sw, 0, row, 0, top + 1);
      out.write(row, 0, row.length);
    }
    out.flush();
  }

  private static byte[] endports(Fabric fabric) {
    ByteBuffer out =
        ByteBuffer.allocate(ENDPORT * fabric.portIdLimit()).order(ByteOrder.LITTLE_ENDIAN);
    for (int port = 0; port < fabric.portIdLimit(); port++) {
      if (fabric.isEndport(port) || fabric.lid(port) != Lid.NONE) {
        out.putLong(fabric.portGuid(port));
        out.putShort((short) fabric.lid(port));
        out.put((byte) fabric.lmc(port));
        out.put((byte) fabric.nodeType(fabric.nodeOf(port)).ordinal());
        out.putInt(0);
      }
    }
    return Arrays.copyOf(out.array(), out.position());
  }

  private static int crc(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, bytes.length);
    return (int) crc.getValue();
  }

  /** Where things are; follows from three numbers. */
  private static final class Layout {
    final int switchCount;
    final int endportCount;
    final int topLid;
    final int rowLength;
    final long switchesAt;
    final long rowsAt;
    final long length;

    Layout(int switchCount, int endportCount, int topLid) {
      this.switchCount = switchCount;
      this.endportCount = endportCount;
      this.topLid = topLid;
      this.rowLength = (topLid + ROW_UNIT) / ROW_UNIT * ROW_UNIT;
      this.switchesAt = HEADER + (long) ENDPORT * endportCount;
      long end = switchesAt + 8L * switchCount;
      this.rowsAt = (end + PAGE - 1) / PAGE * PAGE;
      this.length = rowsAt + (long) switchCount * rowLength;
    }

    byte[] header(long fingerprint, int endportCrc, int switchCrc, int rowCrc) {
      ByteBuffer h = ByteBuffer.allocate(HEADER).order(ByteOrder.LITTLE_ENDIAN);
      h.put(MAGIC).putInt(VERSION).putInt(HEADER).putLong(fingerprint);
      h.putInt(switchCount).putInt(endportCount).putInt(topLid).putInt(rowLength);
      h.putLong(HEADER).putLong(switchesAt).putLong(rowsAt).putLong(length);
      h.putInt(endportCrc).putInt(switchCrc).putInt(rowCrc);
      CRC32C crc = new CRC32C();
      crc.update(h.array(), 0, HEADER - 4);
      return h.putInt(HEADER - 4, (int) crc.getValue()).array();
    }
  }

  // ---- reading

  /** Reads tables that are in memory and binds them to a fabric. */
  public static Parsed<BoundTables> read(Source source, Fabric fabric) {
    return read(source.name(), ByteBuffer.wrap(source.bytes()), fabric);
  }

  /**
   * Reads tables, for instance of a mapped file, and binds them to a fabric. If the fingerprint is
   * that of another cabling, switches are matched by GUID, with warnings; it is an error if none of
   * them is known.
   *
   * @param file the whole file, from position to limit
   */
  public static Parsed<BoundTables> read(String name, ByteBuffer file, Fabric fabric) {
    Problems problems = new Problems(name);
    ByteBuffer b = file.slice().order(ByteOrder.LITTLE_ENDIAN);
    Layout layout = check(b, problems);
    if (layout == null) {
      return problems.result(null);
    }
    List<Long> lost = new ArrayList<>();
    int[] source = matchSwitches(b, layout, fabric, lost, problems);
    if (problems.hasErrors()) {
      return problems.result(null);
    }
    PortLids lids = new PortLids(fabric, problems);
    Fabric addressed = addresses(b, layout, lids, fabric, problems);
    if (problems.hasErrors()) {
      return problems.result(null);
    }
    byte[][] rows = new byte[fabric.switchCount()][];
    byte[] none = new byte[layout.topLid + 1];
    Arrays.fill(none, (byte) ForwardingTables.NO_PORT);
    for (int sw = 0; sw < rows.length; sw++) {
      if (source[sw] < 0) {
        rows[sw] = none;
        continue;
      }
      rows[sw] = new byte[layout.topLid + 1];
      b.get((int) (layout.rowsAt + (long) source[sw] * layout.rowLength), rows[sw]);
    }
    ForwardingTables tables = ForwardingTables.ofRows(rows, layout.topLid);
    UnknownLids.report(addressed, tables, lid -> guidOfLid(b, layout, lid), problems);
    return problems.result(
        new BoundTables(addressed, tables, new BoundTables.Lost(lost, lids.lostBut(lost, tables))));
  }

  /** The port GUID that the file gives a LID to, or 0. */
  private static long guidOfLid(ByteBuffer b, Layout layout, int lid) {
    for (int i = 0; i < layout.endportCount; i++) {
      int at = HEADER + ENDPORT * i;
      int base = b.getShort(at + 8) & 0xffff;
      if (base != Lid.NONE && base <= lid && lid < base + (1 << b.get(at + 10))) {
        return b.getLong(at);
      }
    }
    return 0;
  }

  /** True if the file says it holds compact tables. */
  public static boolean hasMagic(byte[] bytes, int length) {
    return length >= MAGIC.length && Arrays.equals(bytes, 0, MAGIC.length, MAGIC, 0, MAGIC.length);
  }

  /** The layout of an undamaged file; null after an error. */
  private static Layout check(ByteBuffer b, Problems problems) {
    int size = b.limit();
    if (size < HEADER) {
      problems.error(0, "cut: " + size + " bytes, but a header of compact tables has " + HEADER);
      return null;
    }
    byte[] magic = new byte[MAGIC.length];
    b.get(0, magic);
    if (!Arrays.equals(magic, MAGIC)) {
      problems.error(0, "not compact tables: wrong magic number");
      return null;
    }
    if (crc(b, 0, HEADER - 4) != b.getInt(HEADER - 4)) {
      problems.error(0, "damaged: wrong checksum of the header");
      return null;
    }
    if (b.getInt(8) != VERSION) {
      problems.error(0, "version " + b.getInt(8) + " of compact tables; this program reads 1");
      return null;
    }
    int switches = b.getInt(24);
    int endports = b.getInt(28);
    int top = b.getInt(32);
    if (switches < 0
        || switches > MAX_SWITCHES
        || endports < 0
        || endports > MAX_ENDPORTS
        || top < 0
        || top > Lid.MAX_UNICAST) {
      problems.error(0, "impossible sizes in the header");
      return null;
    }
    Layout layout = new Layout(switches, endports, top);
    byte[] stated = new byte[HEADER];
    b.get(0, stated);
    if (!Arrays.equals(
        stated, layout.header(b.getLong(16), b.getInt(72), b.getInt(76), b.getInt(80)))) {
      problems.error(0, "inconsistent header");
      return null;
    }
    if (size != layout.length) {
      problems.error(
          0,
          (size < layout.length ? "cut: " : "too long: ")
              + size
              + " of "
              + layout.length
              + " bytes");
      return null;
    }
    section(b, HEADER, layout.switchesAt, 72, "endports", problems);
    section(b, layout.switchesAt, layout.rowsAt, 76, "switches", problems);
    section(b, layout.rowsAt, layout.length, 80, "rows", problems);
    return problems.hasErrors() ? null : layout;
  }

  private static void section(
      ByteBuffer b, long from, long to, int crcAt, String what, Problems problems) {
    if (crc(b, (int) from, (int) (to - from)) != b.getInt(crcAt)) {
      problems.error(0, "damaged: wrong checksum of the " + what);
    }
  }

  private static int crc(ByteBuffer b, int from, int length) {
    CRC32C crc = new CRC32C();
    crc.update(b.slice(from, length));
    return (int) crc.getValue();
  }

  private static int[] matchSwitches(
      ByteBuffer b, Layout layout, Fabric fabric, List<Long> lost, Problems problems) {
    int[] source = new int[fabric.switchCount()];
    Arrays.fill(source, -1);
    for (int i = 0; i < layout.switchCount; i++) {
      long guid = b.getLong((int) layout.switchesAt + 8 * i);
      int node = fabric.findNode(guid);
      if (fabric.isSwitch(node)) {
        source[node] = i;
      } else {
        lost.add(guid);
      }
    }
    if (!lost.isEmpty()) {
      String message =
          lost.size()
              + " of its "
              + Counted.of(layout.switchCount, "switch is", "switches are")
              + " not in this one, the first is "
              + Guid.format(lost.getFirst());
      if (lost.size() == layout.switchCount) {
        problems.error(0, "tables of another fabric: " + message);
        return source;
      }
      problems.note(0, "made for another fabric: " + message);
    } else if (b.getLong(16) != fabric.fingerprint()) {
      problems.note(
          0, "made for another cabling of these switches; matched by GUID, check the tables");
    }
    for (int sw = 0; sw < source.length; sw++) {
      if (source[sw] < 0) {
        problems.note(
            0,
            "no table for switch "
                + TableBinder.label(fabric.nodeGuid(sw), fabric.description(sw))
                + ": its row is empty");
      }
    }
    return source;
  }

  private static Fabric addresses(
      ByteBuffer b, Layout layout, PortLids lids, Fabric fabric, Problems problems) {
    for (int i = 0; i < layout.endportCount; i++) {
      int at = HEADER + ENDPORT * i;
      long guid = b.getLong(at);
      int lid = b.getShort(at + 8) & 0xffff;
      int lmc = b.get(at + 10);
      if (lmc < 0 || lmc > Lid.MAX_LMC || (lid != Lid.NONE && !Lid.isUnicast(lid))) {
        problems.error(0, "endport " + i + " has LID " + lid + " and LMC " + lmc);
        return fabric;
      }
      if (lid != Lid.NONE && guid != 0) {
        int port = lids.find(guid, lid);
        if (port != Fabric.NONE) {
          lids.take(port, lid, lmc);
        }
      }
    }
    return lids.fabric();
  }
}
