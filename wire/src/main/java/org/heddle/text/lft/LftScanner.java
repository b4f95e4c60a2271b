package org.heddle.text.lft;

import java.nio.charset.StandardCharsets;
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

/**
 * The state of one pass over LFT text, fed with pieces of the file.
 *
 * <p>Nearly all lines of a dump repeat: behind LID and port stands the same text in the table of
 * every switch. That text is remembered from the first table, so that later lines cost one vector
 * comparison; only what differs is looked at byte by byte.
 */
final class LftScanner {
  private static final int CANONICAL = 10; // "0x0001 001": LID in four digits, port in three
  private static final int LONGEST_SUFFIX = 512;
  private static final long PLAUSIBLE_BYTES = 256L << 20;

  private final Problems problems;
  private final String name;
  private int line = 1; // number of the line being read

  private final List<LftDump.Switch> switches = new ArrayList<>();
  private final List<byte[]> rows = new ArrayList<>();
  private final Map<Long, Integer> indexOfGuid = new HashMap<>();
  private long[] guidOfLid = new long[0];
  private boolean[] guidConflict = new boolean[0];

  private byte[] row; // of the switch being read; null: none
  private int current = -1;
  private boolean multicast;
  private int hint; // largest LID the header promises
  private int topSeen;
  private int sectionEntries;
  private boolean sectionClosed = true;
  private boolean anyClosed;
  private long entries;
  private long rowBytes;
  private boolean stopped;

  private int orphans;
  private int firstOrphan;
  private int multicastTables;
  private int duplicates;
  private int firstDuplicate;

  private byte[] arena = new byte[1 << 12];
  private int arenaUsed;
  private int[] suffixAt = new int[0];
  private int[] suffixLength = new int[0];
  private boolean[] suffixNamed = new boolean[0];

  LftScanner(String name) {
    this.name = name;
    this.problems = new Problems(name);
  }

  /** Consumes the complete lines of {@code [from, to)}; returns where the rest begins. */
  int feed(byte[] b, int from, int to) {
    int p = from;
    while (p < to && !stopped) {
      int next = fastEntry(b, p, to);
      if (next < 0) {
        int end = Ascii.indexOf(b, '\n', p, to);
        if (end < 0) {
          return p;
        }
        line(b, p, end, false);
        next = end + 1;
      }
      line++;
      p = next;
    }
    return stopped ? to : p;
  }

  /** Consumes what follows the last line feed, or a line that is too long to be one. */
  void feedRest(byte[] b, int from, int to) {
    if (to > from && !stopped) {
      line(b, from, to, true);
    }
  }

  boolean stopped() {
    return stopped;
  }

  /** Gives the file up. */
  void stop(String why) {
    problems.error(line, why);
    stopped = true;
  }

  /** Position after a line whose text behind the port is known, or -1. */
  private int fastEntry(byte[] b, int p, int to) {
    if (row == null || to - p <= CANONICAL) {
      return -1;
    }
    int lid = canonicalLid(b, p);
    int port = canonicalPort(b, p);
    if (lid < 0 || port < 0 || port >= 255 || lid >= suffixLength.length || lid >= row.length) {
      return -1;
    }
    int length = suffixLength[lid];
    int at = p + CANONICAL;
    if (length == 0
        || to - at < length
        || !Arrays.equals(b, at, at + length, arena, suffixAt[lid], suffixAt[lid] + length)) {
      return -1;
    }
    put(lid, port);
    return at + length;
  }

  private static int canonicalLid(byte[] b, int p) {
    if (b[p] != '0' || b[p + 1] != 'x' || b[p + 6] != ' ') {
      return -1;
    }
    return Ascii.hex(b[p + 2]) << 12
        | Ascii.hex(b[p + 3]) << 8
        | Ascii.hex(b[p + 4]) << 4
        | Ascii.hex(b[p + 5]);
  }

  private static int canonicalPort(byte[] b, int p) {
    int d0 = Ascii.digit(b[p + 7]);
    int d1 = Ascii.digit(b[p + 8]);
    int d2 = Ascii.digit(b[p + 9]);
    return (d0 | d1 | d2) < 0 ? -1 : 100 * d0 + 10 * d1 + d2;
  }

  private void line(byte[] original, int from, int to, boolean cut) {
    byte[] b = original;
    int s = Ascii.skipSpaces(b, from, to);
    int e = to;
    if (Ascii.indexOf(b, 0x1b, s, e) >= 0) {
      b = Ascii.withoutEscapes(original, from, to);
      s = Ascii.skipSpaces(b, 0, b.length);
      e = b.length;
    }
    while (e > s && Ascii.isSpace(b[e - 1])) {
      e--;
    }
    if (s == e || b[s] == '#') {
      return;
    }
    if (Ascii.startsWith(b, s, e, "0x") || Ascii.startsWith(b, s, e, "0X")) {
      entry(b, s, e, cut);
      if (b == original && s == from && !cut) {
        remember(b, from, to + 1);
      }
    } else if (Ascii.startsWith(b, s, e, "Unicast lids")) {
      header(b, s, e, cut);
    } else if (Ascii.startsWith(b, s, e, "Multicast mlids")) {
      closeSection();
      multicast = true;
      row = null;
      current = -1;
      sectionClosed = true;
      multicastTables++;
    } else if (Ascii.digit(b[s]) >= 0 && endsWithDumped(b, s, e)) {
      trailer(b, s, e);
    } else if (!Ascii.startsWith(b, s, e, "Lid  Out") && !Ascii.startsWith(b, s, e, "Port  ")) {
      stray(b, s, e, cut);
    }
  }

  private static boolean endsWithDumped(byte[] b, int s, int e) {
    return e - s > 6 && Ascii.startsWith(b, e - 6, e, "dumped");
  }

  private void stray(byte[] b, int s, int e, boolean cut) {
    int at = Ascii.indexOf(b, "Unicast lids [", s, e);
    if (at >= 0) {
      problems.note(line, "text before a table header ignored: '" + Ascii.excerpt(b, s, at) + "'");
      header(b, at, e, cut);
    } else {
      problems.note(line, "line ignored, not part of a table: '" + Ascii.excerpt(b, s, e) + "'");
    }
  }

  private void header(byte[] b, int s, int e, boolean cut) {
    closeSection();
    multicast = false;
    row = null;
    current = -1;
    sectionClosed = true;
    int at = Ascii.indexOf(b, " guid 0x", s, e);
    int from = at + 8;
    int end = at < 0 ? 0 : Ascii.hexEnd(b, from, e);
    if (at < 0 || end == from || end - from > 16 || (cut && end == e)) {
      problems.warn(
          line,
          "table header without switch GUID, its entries are ignored (expected 'Unicast lids [..]"
              + " of switch Lid N guid 0x...')");
      return;
    }
    int dash = Ascii.indexOf(b, '-', s, at);
    hint = dash < 0 ? 0 : Math.min(Math.max(0, Ascii.number(b, dash + 1, at)), Lid.MAX_UNICAST);
    int lidAt = Ascii.indexOf(b, " Lid ", s, at);
    int lid = lidAt < 0 ? Lid.NONE : Ascii.number(b, lidAt + 5, at + 1);
    open(
        new LftDump.Switch(
            Ascii.hexValue(b, from, end),
            switchName(b, end, e),
            Lid.isUnicast(lid) ? lid : Lid.NONE,
            line));
  }

  private static String switchName(byte[] b, int from, int to) {
    int open = Ascii.indexOf(b, '(', from, to);
    if (open < 0) {
      return "";
    }
    int close = to;
    while (close > open + 1 && b[close - 1] != ')') {
      close--;
    }
    int s = open + 1;
    int e = close > open + 1 ? close - 1 : to;
    if (e - s >= 2 && b[s] == '\'' && b[e - 1] == '\'') {
      s++;
      e--;
    }
    return new String(b, s, Math.max(0, e - s), StandardCharsets.UTF_8);
  }

  private void open(LftDump.Switch sw) {
    Integer known = indexOfGuid.get(sw.guid());
    if (known != null) {
      problems.warn(
          line,
          "second table of switch "
              + Guid.format(sw.guid())
              + " (first at line "
              + switches.get(known).line()
              + "): it replaces the first");
      switches.set(known, sw);
      current = known;
      row = rows.get(known);
      Arrays.fill(row, (byte) -1);
    } else {
      current = switches.size();
      indexOfGuid.put(sw.guid(), current);
      switches.add(sw);
      row = new byte[0];
      rows.add(row);
    }
    sectionEntries = 0;
    sectionClosed = false;
  }

  private void closeSection() {
    if (!sectionClosed && anyClosed) {
      problems.warn(
          line,
          "the table of switch "
              + Guid.format(switches.get(current).guid())
              + " (line "
              + switches.get(current).line()
              + ") has no end line; it may be cut");
    }
  }

  private void trailer(byte[] b, int s, int e) {
    if (current >= 0) {
      int count = Ascii.decimal(b, s, Ascii.digitsEnd(b, s, e));
      if (Ascii.indexOf(b, "valid lids", s, e) >= 0 && count != sectionEntries && !sectionClosed) {
        problems.warn(
            line,
            "end line counts "
                + Counted.of(count, "entry", "entries")
                + ", "
                + Counted.of(sectionEntries, "was", "were")
                + " read");
      }
      sectionClosed = true;
      anyClosed = true;
    }
  }

  private void entry(byte[] b, int s, int e, boolean cut) {
    if (row == null) {
      if (!multicast && orphans++ == 0) {
        firstOrphan = line;
      }
      return;
    }
    int lidEnd = Ascii.hexEnd(b, s + 2, e);
    int portFrom = Ascii.skipSpaces(b, lidEnd, e);
    int portEnd = Ascii.digitsEnd(b, portFrom, e);
    boolean complete = portEnd < e ? Ascii.isSpace(b[portEnd]) : !cut || portEnd - portFrom == 3;
    if (lidEnd == s + 2 || portFrom == lidEnd || portEnd == portFrom || !complete) {
      problems.warn(line, "not an entry ('0xLID PORT ...'): '" + Ascii.excerpt(b, s, e) + "'");
      return;
    }
    int lid = lidEnd - s > 10 ? -1 : (int) Ascii.hexValue(b, s + 2, lidEnd);
    int port = Ascii.decimal(b, portFrom, portEnd);
    if (lid < 0 || lid > Lid.MAX_UNICAST || port > 255) {
      problems.warn(
          line,
          "entry ignored: "
              + (port > 255 ? "no port number" : "no unicast LID")
              + ": '"
              + Ascii.excerpt(b, s, e)
              + "'");
      return;
    }
    guid(b, portEnd, e, lid, cut);
    if (port < 255) {
      put(lid, port);
    }
  }

  private void guid(byte[] b, int s, int e, int lid, boolean cut) {
    int at = Ascii.indexOf(b, " portguid 0x", s, e);
    if (at < 0) {
      return;
    }
    int from = at + 12;
    int end = Ascii.hexEnd(b, from, e);
    boolean delimited = end == e ? !cut : b[end] == ':' || b[end] == ')' || Ascii.isSpace(b[end]);
    if (end == from || end - from > 16 || !delimited) {
      problems.warn(line, "port GUID not readable: '" + Ascii.excerpt(b, at + 1, e) + "'");
      return;
    }
    long guid = Ascii.hexValue(b, from, end);
    if (guid == 0) {
      return;
    }
    if (lid >= guidOfLid.length) {
      int size = size(lid, guidOfLid.length);
      guidOfLid = Arrays.copyOf(guidOfLid, size);
      guidConflict = Arrays.copyOf(guidConflict, size);
    }
    if (guidOfLid[lid] == 0) {
      guidOfLid[lid] = guid;
    } else if (guidOfLid[lid] != guid && !guidConflict[lid]) {
      guidConflict[lid] = true;
      problems.warn(
          line,
          "LID "
              + Lid.format(lid)
              + " is port "
              + Guid.format(guid)
              + " here, but "
              + Guid.format(guidOfLid[lid])
              + " before; the first counts");
    }
  }

  private static int size(int lid, int old) {
    return Math.min(Lid.MAX_UNICAST + 1, Math.max(Math.max(64, lid + 1), 2 * old));
  }

  private void put(int lid, int port) {
    if (lid >= row.length) {
      grow(lid);
    }
    if (row[lid] == -1) {
      sectionEntries++;
      entries++;
    } else if (duplicates++ == 0) {
      firstDuplicate = line;
    }
    row[lid] = (byte) port;
    topSeen = Math.max(topSeen, lid);
  }

  private void grow(int lid) {
    int promised = row.length == 0 ? Math.max(hint, topSeen) + 1 : 0;
    int length = lid < promised ? promised : size(lid, row.length);
    int old = row.length;
    rowBytes += length - old;
    if (rowBytes > PLAUSIBLE_BYTES && rowBytes > 16 * (entries + length)) {
      stop("nearly empty tables of very many switches: not a forwarding dump");
    }
    row = Arrays.copyOf(row, length);
    Arrays.fill(row, old, length, (byte) -1);
    rows.set(current, row);
  }

  private void remember(byte[] b, int from, int to) {
    int lid = to - from <= CANONICAL ? -1 : canonicalLid(b, from);
    if (lid < 0 || lid > Lid.MAX_UNICAST || canonicalPort(b, from) < 0) {
      return;
    }
    int length = to - from - CANONICAL;
    if (lid >= suffixLength.length) {
      int size = size(lid, suffixLength.length);
      suffixLength = Arrays.copyOf(suffixLength, size);
      suffixAt = Arrays.copyOf(suffixAt, size);
      suffixNamed = Arrays.copyOf(suffixNamed, size);
    }
    boolean named = guidOfLid(lid) != 0;
    if (length > LONGEST_SUFFIX || (suffixLength[lid] != 0 && (suffixNamed[lid] || !named))) {
      return; // text with a GUID replaces text without one, and stays
    }
    suffixNamed[lid] = named;
    if (arenaUsed + length > arena.length) {
      arena = Arrays.copyOf(arena, 2 * arena.length);
    }
    System.arraycopy(b, from + CANONICAL, arena, arenaUsed, length);
    suffixAt[lid] = arenaUsed;
    suffixLength[lid] = length;
    arenaUsed += length;
  }

  private long guidOfLid(int lid) {
    return lid < guidOfLid.length ? guidOfLid[lid] : 0;
  }

  /** The dump, once everything was fed. */
  Parsed<LftDump> finish() {
    closeSection();
    if (orphans > 0) {
      problems.warn(
          firstOrphan, Counted.of(orphans, "entry", "entries") + " without a table header ignored");
    }
    if (duplicates > 0) {
      problems.warn(
          firstDuplicate,
          Counted.of(duplicates, "entry repeats", "entries repeat")
              + " a LID of the same table, the last one counts (first here)");
    }
    if (multicastTables > 0) {
      problems.note(
          0, Counted.of(multicastTables, "multicast table", "multicast tables") + " ignored");
    }
    if (switches.isEmpty()) {
      problems.error(
          0, "no forwarding table found (expected 'Unicast lids [..] of switch Lid N guid 0x...')");
    }
    for (LftDump.Switch sw : switches) {
      if (sw.lid() != Lid.NONE && sw.lid() < guidOfLid.length && guidOfLid[sw.lid()] == 0) {
        guidOfLid[sw.lid()] = sw.guid();
      }
    }
    return problems.result(
        new LftDump(
            name,
            switches.toArray(new LftDump.Switch[0]),
            rows.toArray(new byte[0][]),
            guidOfLid,
            entries));
  }
}
