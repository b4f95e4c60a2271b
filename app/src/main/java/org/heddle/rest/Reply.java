package org.heddle.rest;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;

/**
 * An answer.
 *
 * @param body written as JSON; bytes are written as they are, and a {@link Stream} writes itself,
 *     under the content type among the headers
 */
public record Reply(int status, Object body, Map<String, String> headers) {
  /** A body that takes its time; the thread is a virtual one. */
  @FunctionalInterface
  interface Stream {
    void writeTo(OutputStream out) throws IOException;
  }

  static Reply ok(Object body) {
    return new Reply(200, body, Map.of());
  }
}
