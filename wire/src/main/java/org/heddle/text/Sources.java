package org.heddle.text;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.zip.GZIPInputStream;

/** What can be done to a {@link Source} before a reader takes it. */
public final class Sources {
  /** The most that {@link #decompress(Source)} unpacks, in bytes. */
  public static final int DEFAULT_LIMIT = 1 << 29;

  private Sources() {}

  /** True if the bytes start as a gzip file does. */
  public static boolean isGzip(byte[] bytes) {
    return bytes.length >= 2 && bytes[0] == 0x1f && bytes[1] == (byte) 0x8b;
  }

  /** {@link #decompress(Source, int)} with {@link #DEFAULT_LIMIT}. */
  public static Parsed<Source> decompress(Source source) {
    return decompress(source, DEFAULT_LIMIT);
  }

  /**
   * Unpacks a gzip file; anything else comes back as it is. The name stays: line numbers then count
   * in the unpacked text.
   *
   * @param limit the most to unpack, in bytes; a file that would be larger is an error, so that a
   *     few kilobytes cannot fill the memory
   */
  public static Parsed<Source> decompress(Source source, int limit) {
    Problems problems = new Problems(source.name());
    if (!isGzip(source.bytes())) {
      return problems.result(source);
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream(1 << 16);
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(source.bytes()))) {
      byte[] buffer = new byte[1 << 16];
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        if (out.size() > limit - n) {
          problems.error(0, "unpacks to more than " + limit + " bytes");
          return problems.result(source);
        }
        out.write(buffer, 0, n);
      }
    } catch (EOFException e) {
      problems.error(0, "the gzip file is cut off after " + out.size() + " unpacked bytes");
    } catch (IOException e) {
      problems.error(0, "the gzip file is damaged: " + e.getMessage());
    }
    return problems.result(new Source(source.name(), out.toByteArray()));
  }
}
