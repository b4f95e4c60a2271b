package org.heddle.server.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
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
  private static final Pattern QUALITY = Pattern.compile("q=(\\d(?:\\.\\d{0,3})?)");

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

  /** True if a client takes gzip: it says so of that, or else of everything it does not name. */
  static boolean takesGzip(String accepted) {
    double any = 0;
    double gzip = -1;
    for (String coding : accepted == null ? new String[0] : accepted.split(",")) {
      String[] parts = coding.toLowerCase(Locale.ROOT).replaceAll("\\s", "").split(";");
      double quality = 1;
      for (int i = 1; i < parts.length; i++) {
        Matcher m = QUALITY.matcher(parts[i]);
        quality = m.matches() ? Double.parseDouble(m.group(1)) : quality;
      }
      switch (parts[0]) {
        case "gzip", "x-gzip" -> gzip = Math.max(gzip, quality);
        case "*" -> any = quality;
        default -> {}
      }
    }
    return (gzip < 0 ? any : gzip) > 0;
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
