package org.heddle.server.http;

import java.util.List;
import java.util.Map;

/** An answer that is not the one hoped for, as {@code application/problem+json}. */
public final class Problem extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private static final String DATABASE_SECONDS = "5";

  /** Characters of a detail: what a request says wrongly is repeated there. */
  private static final int DETAIL = 8000;

  private final int status;
  private final String kind;
  private final transient List<String> hints;
  private final transient Map<String, String> headers;

  public Problem(int status, String kind, String detail) {
    this(status, kind, detail, List.of());
  }

  public Problem(int status, String kind, String detail, List<String> hints) {
    this(status, kind, detail, hints, Map.of());
  }

  private Problem(
      int status, String kind, String detail, List<String> hints, Map<String, String> headers) {
    super(Cut.lines(DETAIL, detail), null, false, false);
    this.status = status;
    this.kind = kind;
    this.hints = List.copyOf(hints);
    this.headers = Map.copyOf(headers);
  }

  /** The document. */
  public record Document(
      String type, String title, int status, String detail, List<String> hints) {}

  public int status() {
    return status;
  }

  public Document document() {
    return new Document("about:blank#" + kind, kind, status, getMessage(), hints);
  }

  /** Headers that belong to it: when to ask again, what is allowed. */
  public Map<String, String> headers() {
    return headers;
  }

  /** Somebody has to wait so long before it asks again. */
  public static Problem tooOften(long seconds) {
    String detail = "too many requests, or too many wrong credentials: again in " + seconds + " s";
    return new Problem(
        429, "too-many-requests", detail, List.of(), Map.of("Retry-After", Long.toString(seconds)));
  }

  /** A path that there is, but not with this method. */
  public static Problem notWith(String method, Iterable<String> allowed) {
    String all = String.join(", ", allowed);
    return new Problem(
        405,
        "method-not-allowed",
        "not with " + method + ": " + all,
        List.of(),
        Map.of("Allow", all));
  }

  /** The database does not do what it should. */
  public static Problem database(String what) {
    return new Problem(
        503, "unavailable", what, List.of(), Map.of("Retry-After", DATABASE_SECONDS));
  }

  /** Too much waits; again in a second. */
  public static Problem tooMany(int status, String kind, String detail) {
    return new Problem(status, kind, detail, List.of(), Map.of("Retry-After", "1"));
  }

  /** A request that is wrong in itself, whatever the state is. */
  public static Problem malformed(String detail) {
    return new Problem(400, "malformed", detail);
  }

  public static Problem notFound() {
    return new Problem(404, "not-found", "there is no such thing");
  }
}
