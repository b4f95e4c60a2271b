package org.heddle.text.lft;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.heddle.text.Parsed;
import org.heddle.text.Source;

/**
 * Reads linear forwarding tables as text: {@code opensm-lfts.dump} of OpenSM, and what {@code
 * dump_lfts}, {@code dump_fts} and {@code ibroute} of the InfiniBand diagnostics print (OpenSM
 * {@code osm_dump.c} and {@code osm_ucast_file.c}, rdma-core {@code ibroute.c}).
 *
 * <p>A table starts with {@code Unicast lids [..] of switch Lid N guid 0xGUID (name):}; of this
 * only the GUID is needed. Entries are {@code 0xLID PORT}, hexadecimal and decimal, and may carry
 * the destination behind the next {@code portguid 0x}. Carriage returns, terminal escapes,
 * comments, column titles, end lines and lines of other programs between them do no harm; the last
 * are reported. Multicast tables are skipped. One pass, one byte of memory an entry; nothing is
 * allocated for a line.
 */
public final class LftTextReader {
  private static final int CHUNK = 1 << 20;

  private LftTextReader() {}

  /** Reads a dump that is in memory. */
  public static Parsed<LftDump> read(Source source) {
    LftScanner scanner = new LftScanner(source.name());
    byte[] b = source.bytes();
    scanner.feedRest(b, scanner.feed(b, 0, b.length), b.length);
    return scanner.finish();
  }

  /**
   * Reads a dump of any size piece by piece; the stream is read to its end and not closed.
   *
   * @throws IOException if the stream fails
   */
  public static Parsed<LftDump> read(String name, InputStream in) throws IOException {
    LftScanner scanner = new LftScanner(name);
    byte[] b = new byte[CHUNK];
    int used = 0;
    while (!scanner.stopped()) {
      int n = in.read(b, used, b.length - used);
      if (n < 0) {
        break;
      }
      used += n;
      int rest = scanner.feed(b, 0, used);
      System.arraycopy(b, rest, b, 0, used - rest);
      used -= rest;
      if (used == b.length) {
        b = Arrays.copyOf(b, longer(b.length, scanner));
      }
    }
    scanner.feedRest(b, 0, used);
    return scanner.finish();
  }

  // A "line" of a gigabyte is not text; reading on would only fill the memory.
  private static int longer(int length, LftScanner scanner) {
    if (length >= 64 * CHUNK) {
      scanner.stop("a line of more than " + length + " bytes: not a text file");
      return length;
    }
    return 2 * length;
  }
}
