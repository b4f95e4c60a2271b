package org.heddle.text.lft;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Guid;
import org.heddle.fabric.Lid;
import org.heddle.text.Ascii;
import org.heddle.text.Parsed;
import org.heddle.text.Problems;
import org.heddle.text.Source;

/**
 * Reads {@code opensm.fdbs}, OpenSM's table dump with hop counts ({@code osm_dump.c}, {@code
 * dump_ucast_routes}): a line with {@code Switch 0xGUID} starts a table, entries are {@code 0xLID :
 * PORT : HOPS : OPTIMAL} or {@code 0xLID : UNREACHABLE}. Hops and remarks are not kept. The file
 * names no ports behind LIDs, so it can only be bound to a fabric that has the same LIDs.
 *
 * <p>ibdiagnet writes the same as {@code ibdiagnet2.fdbs}, with the number of the table before each
 * ({@code PLFT_NUM: 0}); private tables (1 and above) are not what packets of ordinary service
 * levels take, and are left out.
 */
public final class FdbsReader {
  private static final int CHUNK = 1 << 20;
  private static final long PLAUSIBLE_BYTES = 256L << 20;

  private final Problems problems;
  private final String name;
  private final List<LftDump.Switch> switches = new ArrayList<>();
  private final List<byte[]> rows = new ArrayList<>();
  private final Map<Long, Integer> indexOfGuid = new HashMap<>();
  private int line = 1;
  private int current = -1;
  private int topSeen = 63;
  private long entries;
  private long rowBytes;
  private int orphans;
  private int privateTables;
  private boolean inPrivateTable;
  private boolean stopped;

  private FdbsReader(String name) {
    this.name = name;
    this.problems = new Problems(name);
  }

  /** Reads a dump that is in memory. */
  public static Parsed<LftDump> read(Source source) {
    FdbsReader reader = new FdbsReader(source.name());
    byte[] b = source.bytes();
    int rest = reader.feed(b, 0, b.length);
    return reader.finish(b, rest, b.length);
  }

  /**
   * Reads a dump of any size; the stream is read to its end and not closed.
   *
   * @throws IOException if the stream fails
   */
  public static Parsed<LftDump> read(String name, InputStream in) throws IOException {
    FdbsReader reader = new FdbsReader(name);
    byte[] b = new byte[CHUNK];
    int used = 0;
    int n;
    while (!reader.stopped && (n = in.read(b, used, b.length - used)) >= 0) {
      used += n;
      int rest = reader.feed(b, 0, used);
      System.arraycopy(b, rest, b, 0, used - rest);
      used -= rest;
      if (used == b.length) {
        reader.stop("a line of more than " + CHUNK + " bytes: not a text file");
      }
    }
    return reader.finish(b, 0, used);
  }

  private int feed(byte[] b, int from, int to) {
    int p = from;
    while (!stopped) {
      int end = Ascii.indexOf(b, '\n', p, to);
      if (end < 0) {
        return p;
      }
      line(b, p, end, false);
      line++;
      p = end + 1;
    }
    return to;
  }

  private void stop(String why) {
    problems.error(line, why);
    stopped = true;
  }

  private void line(byte[] b, int from, int to, boolean cut) {
    int s = Ascii.skipSpaces(b, from, to);
    if (s == to || b[s] == '#' || Ascii.startsWith(b, s, to, "LID ")) {
      return;
    }
    if (Ascii.startsWith(b, s, to, "0x")) {
      if (!inPrivateTable) {
        entry(b, s, to, cut);
      }
      return;
    }
    if (Ascii.startsWith(b, s, to, "PLFT_NUM:")) {
      int digits = Ascii.skipSpaces(b, s + 9, to);
      inPrivateTable = Ascii.number(b, digits, to) > 0;
      privateTables += inPrivateTable ? 1 : 0;
      return;
    }
    int at = Ascii.indexOf(b, "Switch 0x", s, to);
    int end = at < 0 ? 0 : Ascii.hexEnd(b, at + 9, to);
    if (at < 0 || end == at + 9 || end - at > 25 || (cut && end == to)) {
      problems.note(line, "line ignored, not part of a table: '" + Ascii.excerpt(b, s, to) + "'");
      return;
    }
    open(Ascii.hexValue(b, at + 9, end));
  }

  private void open(long guid) {
    inPrivateTable = false;
    Integer known = indexOfGuid.putIfAbsent(guid, switches.size());
    if (known != null) {
      problems.warn(
          line, "second table of switch " + Guid.format(guid) + ": it replaces the first");
      current = known;
      Arrays.fill(rows.get(known), (byte) -1);
      return;
    }
    current = switches.size();
    switches.add(new LftDump.Switch(guid, "", Lid.NONE, line));
    rows.add(new byte[0]);
  }

  private void entry(byte[] b, int s, int to, boolean cut) {
    if (current < 0) {
      orphans++;
      return;
    }
    int lidEnd = Ascii.hexEnd(b, s + 2, to);
    int p = Ascii.skipSpaces(b, lidEnd, to);
    boolean colon = p < to && b[p] == ':';
    p = colon ? Ascii.skipSpaces(b, p + 1, to) : p;
    int portEnd = Ascii.digitsEnd(b, p, to);
    if (colon && Ascii.startsWith(b, p, to, "UNREACHABLE")) {
      return;
    }
    boolean complete = portEnd - p >= 1 && portEnd - p <= 3 && (portEnd < to || !cut);
    int lid = lidEnd - s > 10 ? -1 : (int) Ascii.hexValue(b, s + 2, lidEnd);
    int port = complete ? Ascii.decimal(b, p, portEnd) : 256;
    if (lidEnd == s + 2 || !colon || port > 255 || lid < 0 || lid > Lid.MAX_UNICAST) {
      problems.warn(
          line, "not an entry ('0xLID : PORT : HOPS : ...'): '" + Ascii.excerpt(b, s, to) + "'");
    } else if (port < 255) {
      put(lid, port);
    }
  }

  private void put(int lid, int port) {
    byte[] row = rows.get(current);
    if (lid >= row.length) {
      int old = row.length;
      int wanted = Math.max(Math.max(lid, topSeen) + 1, lid > topSeen ? 2 * old : 0);
      int length = Math.min(Lid.MAX_UNICAST + 1, wanted);
      rowBytes += length - old;
      if (rowBytes > PLAUSIBLE_BYTES && rowBytes > 16 * (entries + length)) {
        stop("nearly empty tables of very many switches: not a forwarding dump");
        return;
      }
      row = Arrays.copyOf(row, length);
      Arrays.fill(row, old, length, (byte) -1);
      rows.set(current, row);
    }
    if (row[lid] == -1) {
      entries++;
    } else if ((row[lid] & 0xff) != port) {
      problems.warn(line, "second entry for LID " + Lid.format(lid) + ", it counts");
    }
    row[lid] = (byte) port;
    topSeen = Math.max(topSeen, lid);
  }

  private Parsed<LftDump> finish(byte[] b, int from, int to) {
    if (from < to && !stopped) {
      line(b, from, to, true);
    }
    if (orphans > 0) {
      problems.warn(
          0, "ignored: " + Counted.of(orphans, "entry", "entries") + " without a switch line");
    }
    if (privateTables > 0) {
      problems.note(
          0,
          Counted.of(privateTables, "private table", "private tables")
              + " (PLFT_NUM 1 and above, for adaptive routing) ignored; number 0 of"
              + " each switch was read");
    }
    if (switches.isEmpty()) {
      problems.error(0, "no table found (expected 'dump_ucast_routes: Switch 0x...')");
    }
    return problems.result(
        new LftDump(
            name,
            switches.toArray(new LftDump.Switch[0]),
            rows.toArray(new byte[0][]),
            new long[0],
            entries));
  }
}
