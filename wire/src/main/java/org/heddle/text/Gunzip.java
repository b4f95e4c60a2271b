package org.heddle.text;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;

/** Transparent gzip for the table readers. */
final class Gunzip {
  /** The largest file that is unpacked into memory; larger ones are read as streams. */
  private static final int LIMIT = 1 << 30;

  private Gunzip() {}

  static boolean isGzip(byte[] b, int length) {
    return length >= 2 && (b[0] & 0xff) == 0x1f && (b[1] & 0xff) == 0x8b;
  }

  /** The source itself, or what is packed in it; an error if that is damaged or too large. */
  static Parsed<Source> unpack(Source source) {
    Problems problems = new Problems(source.name());
    if (!isGzip(source.bytes(), source.bytes().length)) {
      return problems.result(source);
    }
    byte[] out = new byte[0];
    try (InputStream in =
        new GZIPInputStream(new ByteArrayInputStream(source.bytes()), 1 << 16)) {
      out = in.readNBytes(LIMIT);
      if (out.length == LIMIT) {
        problems.error(0, "unpacks to more than " + LIMIT + " bytes");
      }
    } catch (IOException e) {
      problems.error(0, "damaged gzip data: " + e.getMessage());
    }
    return problems.result(new Source(source.name(), out));
  }

  /** A stream that unpacks if its first bytes say gzip; supports mark and reset. */
  static InputStream unpack(InputStream in) throws IOException {
    InputStream marked = in.markSupported() ? in : new BufferedInputStream(in, 1 << 16);
    marked.mark(2);
    byte[] start = marked.readNBytes(2);
    marked.reset();
    return isGzip(start, start.length)
        ? new BufferedInputStream(new GZIPInputStream(marked, 1 << 16), 1 << 16)
        : marked;
  }
}
