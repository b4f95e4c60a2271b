package org.heddle.server.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
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
  public interface Stream {
    void writeTo(OutputStream out) throws IOException;
  }

  public static Reply ok(Object body) {
    return new Reply(200, body, Map.of());
  }

  public static Reply of(Problem problem) {
    return new Reply(problem.status(), problem.document(), problem.headers());
  }

  /** What is sent. By way of a text: half a character, from wherever it comes, must not fail. */
  public byte[] bytes() {
    return body instanceof byte[] raw
        ? raw
        : Documents.JSON.writeValueAsString(body).getBytes(StandardCharsets.UTF_8);
  }
}
