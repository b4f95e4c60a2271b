package org.heddle.rest;

import java.util.List;
import java.util.OptionalLong;

/** An answer that is not the one hoped for, as {@code application/problem+json}. */
public final class Problem extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;
  private final String kind;
  private final transient List<String> hints;
  private final long retryAfterSeconds;

  Problem(int status, String kind, String detail) {
    this(status, kind, detail, List.of());
  }

  Problem(int status, String kind, String detail, List<String> hints) {
    this(status, kind, detail, hints, 0);
  }

  private Problem(
      int status, String kind, String detail, List<String> hints, long retryAfterSeconds) {
    super(detail, null, false, false);
    this.status = status;
    this.kind = kind;
    this.hints = List.copyOf(hints);
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** The document. */
  record Document(String type, String title, int status, String detail, List<String> hints) {}

  int status() {
    return status;
  }

  Document document() {
    return new Document("about:blank#" + kind, kind, status, getMessage(), hints);
  }

  /** When to ask again; nothing if that does not depend on the time. */
  OptionalLong retryAfterSeconds() {
    return retryAfterSeconds > 0 ? OptionalLong.of(retryAfterSeconds) : OptionalLong.empty();
  }

  /** Somebody has to wait so long before it asks again. */
  static Problem tooOften(long seconds) {
    String detail = "too many requests, or too many wrong credentials: again in " + seconds + " s";
    return new Problem(429, "too-many-requests", detail, List.of(), seconds);
  }

  /** Too much waits; again in a second. */
  static Problem tooMany(int status, String kind, String detail) {
    return new Problem(status, kind, detail, List.of(), 1);
  }

  static Problem notFound() {
    return new Problem(404, "not-found", "there is no such thing");
  }
}
