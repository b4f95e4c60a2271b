package org.heddle.rest;

import java.util.Map;

/**
 * An answer.
 *
 * @param body written as JSON; bytes are written as they are, under the content type among the
 *     headers
 */
public record Reply(int status, Object body, Map<String, String> headers) {
  static Reply ok(Object body) {
    return new Reply(200, body, Map.of());
  }
}
