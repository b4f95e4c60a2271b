package org.heddle.rest;

import java.util.List;

/** An answer that is not the one hoped for, as {@code application/problem+json}. */
public final class Problem extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;
  private final String kind;
  private final transient List<String> hints;

  Problem(int status, String kind, String detail) {
    this(status, kind, detail, List.of());
  }

  Problem(int status, String kind, String detail, List<String> hints) {
    super(detail, null, false, false);
    this.status = status;
    this.kind = kind;
    this.hints = List.copyOf(hints);
  }

  /** The document. */
  record Document(String type, String title, int status, String detail, List<String> hints) {}

  int status() {
    return status;
  }

  Document document() {
    return new Document("about:blank#" + kind, kind, status, getMessage(), hints);
  }

  static Problem notFound() {
    return new Problem(404, "not-found", "there is no such thing");
  }
}
