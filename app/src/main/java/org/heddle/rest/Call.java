package org.heddle.rest;

import java.util.Map;
import java.util.Optional;
import org.heddle.control.model.Actor;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * A request with its sender known.
 *
 * @param variables of the path
 * @param query by name, the first value of each
 * @param headers by name in lower case
 */
public record Call(
    Actor actor,
    String method,
    String path,
    Map<String, String> variables,
    Map<String, String> query,
    Map<String, String> headers,
    byte[] body) {

  /** The body as a JSON object. */
  JsonNode json() {
    try {
      JsonNode node = Documents.JSON.readTree(body);
      if (node != null && node.isObject()) {
        return node;
      }
    } catch (JacksonException e) {
      throw new Problem(400, "malformed", "the body is no JSON: " + e.getOriginalMessage());
    }
    throw new Problem(400, "malformed", "the body must be a JSON object");
  }

  Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name)).filter(v -> !v.isEmpty());
  }

  /** A number of the query. */
  long number(String name, long otherwise, long most) {
    String text = query.get(name);
    if (text == null) {
      return otherwise;
    }
    if (!text.matches("\\d{1,18}")) {
      throw new Problem(400, "malformed", "'" + name + "' is not a whole number");
    }
    return Math.min(most, Long.parseLong(text));
  }
}
