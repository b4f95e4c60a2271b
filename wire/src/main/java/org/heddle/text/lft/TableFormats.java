package org.heddle.text.lft;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.heddle.fabric.Fabric;
import org.heddle.routing.ForwardingTables;
import org.heddle.text.Ascii;
import org.heddle.text.FileKinds;
import org.heddle.text.Parsed;
import org.heddle.text.Problem;
import org.heddle.text.Problems;
import org.heddle.text.Source;
import org.heddle.text.Sources;

/** Reads and writes forwarding tables of any {@link TableFormat}; what is packed is unpacked. */
public final class TableFormats {
  private static final int PEEK = 1 << 16;
  private static final int MAX_HLFT = 1 << 30;

  private TableFormats() {}

  /**
   * The format of a file by its content (not packed). Text that is no {@code fdbs} counts as {@link
   * TableFormat#OPENSM_LFTS}, whose reader then says what is wrong with it.
   */
  public static TableFormat detect(Source source) {
    return detect(source.bytes(), source.bytes().length);
  }

  /**
   * The same for a stream, packed or not, of which the start is read; it is not closed.
   *
   * @throws IOException if the stream fails or is damaged gzip data
   */
  public static TableFormat detect(InputStream in) throws IOException {
    byte[] start = unpack(in).readNBytes(PEEK);
    return detect(start, start.length);
  }

  private static TableFormat detect(byte[] b, int length) {
    if (CompactTables.hasMagic(b, length)) {
      return TableFormat.HLFT;
    }
    int end = Math.min(length, PEEK);
    int lfts = Ascii.indexOf(b, "Unicast lids", 0, end);
    int fdbs = Ascii.indexOf(b, "LID    : Port : Hops", 0, end);
    int route = Ascii.indexOf(b, "dump_ucast_routes", 0, end);
    return lfts < 0 && (fdbs >= 0 || route >= 0) ? TableFormat.FDBS : TableFormat.OPENSM_LFTS;
  }

  /** Reads tables of any format and binds them to a fabric. */
  public static Parsed<BoundTables> read(Source source, Fabric fabric) {
    if (Sources.isGzip(source.bytes())) {
      try { // piece by piece: unpacked text can be larger than the memory
        return read(source.name(), new ByteArrayInputStream(source.bytes()), fabric);
      } catch (IOException e) {
        return damaged(source.name(), e);
      }
    }
    return switch (detect(source)) {
      case HLFT -> CompactTables.read(source, fabric);
      case FDBS -> bind(FdbsReader.read(source), fabric);
      case OPENSM_LFTS -> bind(named(LftTextReader.read(source), source), fabric);
    };
  }

  /**
   * Reads tables of any format and size from a stream and binds them to a fabric. The stream is
   * read to its end and not closed.
   *
   * @throws IOException if the stream fails; damaged gzip data is a problem, not an exception
   */
  public static Parsed<BoundTables> read(String name, InputStream in, Fabric fabric)
      throws IOException {
    try {
      InputStream unpacked = unpack(in);
      unpacked.mark(PEEK);
      byte[] start = unpacked.readNBytes(PEEK);
      unpacked.reset();
      return switch (detect(start, start.length)) {
        case HLFT -> CompactTables.read(new Source(name, unpacked.readNBytes(MAX_HLFT)), fabric);
        case FDBS -> bind(FdbsReader.read(name, unpacked), fabric);
        case OPENSM_LFTS ->
            bind(named(LftTextReader.read(name, unpacked), new Source(name, start)), fabric);
      };
    } catch (ZipException | EOFException e) {
      return damaged(name, e);
    }
  }

  /** A file that holds no table at all is named for what it is, without a warning for each line. */
  private static Parsed<LftDump> named(Parsed<LftDump> dump, Source start) {
    String kind = dump.ok() ? "" : FileKinds.describe(start.bytes());
    if (kind.isEmpty() || kind.startsWith("forwarding tables")) {
      return dump;
    }
    Problems problems = new Problems(start.name());
    problems.error(
        0,
        "no forwarding tables; expected what opensm, dump_lfts or ibroute write, opensm.fdbs or "
            + ".hlft, but this looks like "
            + kind);
    return problems.result(null);
  }

  private static InputStream unpack(InputStream in) throws IOException {
    InputStream marked = new BufferedInputStream(in, PEEK);
    marked.mark(2);
    byte[] start = marked.readNBytes(2);
    marked.reset();
    return Sources.isGzip(start)
        ? new BufferedInputStream(new GZIPInputStream(marked, PEEK), PEEK)
        : marked;
  }

  private static Parsed<BoundTables> damaged(String name, IOException e) {
    Problems problems = new Problems(name);
    problems.error(0, "the gzip file is damaged: " + e.getMessage());
    return problems.result(null);
  }

  private static Parsed<BoundTables> bind(Parsed<LftDump> dump, Fabric fabric) {
    if (!dump.ok()) {
      return new Parsed<>(null, dump.problems());
    }
    Parsed<BoundTables> bound = TableBinder.bind(dump.get(), fabric);
    List<Problem> all = new ArrayList<>(dump.problems());
    all.addAll(bound.problems());
    return new Parsed<>(bound.ok() ? bound.get() : null, List.copyOf(all));
  }

  /**
   * Writes tables; the stream is flushed and not closed.
   *
   * @throws IOException if the stream fails
   * @throws IllegalArgumentException if the format cannot hold these tables, see {@link
   *     OpensmLftsWriter#refusal}
   */
  public static void write(
      TableFormat format, Fabric fabric, ForwardingTables tables, OutputStream out)
      throws IOException {
    switch (format) {
      case OPENSM_LFTS -> OpensmLftsWriter.write(fabric, tables, out);
      case HLFT -> CompactTables.write(fabric, tables, out);
      case FDBS -> FdbsWriter.write(fabric, tables, out);
    }
  }
}
