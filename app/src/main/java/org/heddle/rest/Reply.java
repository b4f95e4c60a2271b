package org.heddle.rest;

import java.util.Map;

/**
 * An answer.
 *
 * @param body written as JSON; null for none
 */
public record Reply(int status, Object body, Map<String, String> headers) {
  static Reply ok(Object body) {
    return new Reply(200, body, Map.of());
  }
}
