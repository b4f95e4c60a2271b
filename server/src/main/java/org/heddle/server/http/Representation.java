package org.heddle.server.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;

/**
 * An answer as a client wants it (RFC 9110): what is read has a tag, by which a client that has it
 * already is told so (304) instead of getting it again, and long texts are packed for who takes
 * gzip.
 */
public final class Representation {
  private static final int SHORT = 1024;
  private static final int TAG_DIGITS = 16;
  private static final Pattern GZIP =
      Pattern.compile("(?i)(^|[,\\s])(gzip|x-gzip|\\*)\\s*($|[,;])");
  private static final Pattern NO_GZIP =
      Pattern.compile("(?i)(^|[,\\s])(gzip|x-gzip)\\s*;\\s*q=0(\\.0*)?\\s*($|,)");

  private Representation() {}

  /**
   * The answer that is sent.
   *
   * @param header of the request, by name; null if it is not there
   */
  public static Reply of(String method, UnaryOperator<String> header, Reply reply) {
    boolean whole = !(reply.body() instanceof Reply.Stream);
    if (!method.equals("GET") || reply.status() != 200 || !whole) {
      return reply;
    }
    byte[] bytes = reply.bytes();
    Map<String, String> headers = new HashMap<>(reply.headers());
    String tag = tag(headers.get("ETag"), bytes);
    headers.put("ETag", tag);
    headers.putIfAbsent("Cache-Control", "private, no-cache");
    headers.put("Vary", "Accept-Encoding");
    String known = header.apply("If-None-Match");
    if (known != null && (known.strip().equals("*") || Conditions.tags(known, tag))) {
      headers.remove("Content-Type");
      return new Reply(304, new byte[0], headers);
    }
    // a strong tag is of these bytes, and not of their packed form
    if (bytes.length >= SHORT
        && tag.startsWith("W/")
        && takesGzip(header.apply("Accept-Encoding"))) {
      headers.put("Content-Encoding", "gzip");
      return new Reply(200, packed(bytes), headers);
    }
    return new Reply(200, bytes, headers);
  }

  /** Of a thing with a version also by that: the version alone is what changes are held against. */
  private static String tag(String version, byte[] bytes) {
    String digest = Digests.sha256(bytes).substring(0, TAG_DIGITS);
    return version == null
        ? "W/\"" + digest + "\""
        : version.substring(0, version.length() - 1) + "-" + digest + "\"";
  }

  private static boolean takesGzip(String accepted) {
    return accepted != null && GZIP.matcher(accepted).find() && !NO_GZIP.matcher(accepted).find();
  }

  private static byte[] packed(byte[] bytes) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }
}
