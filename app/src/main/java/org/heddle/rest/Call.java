package org.heddle.rest;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.heddle.control.model.Actor;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * A request with its sender known.
 *
 * @param path as it was sent
 * @param segments of the path, decoded, none empty
 * @param variables of the path
 * @param query by name, the first value of each
 * @param headers by name in lower case
 */
public record Call(
    Actor actor,
    String method,
    String path,
    List<String> segments,
    Map<String, String> variables,
    Map<String, String> query,
    Map<String, String> headers,
    byte[] body) {

  /** The same with variables. */
  Call with(Map<String, String> others) {
    return new Call(actor, method, path, segments, others, query, headers, body);
  }

  /** The same with other headers. */
  Call withHeaders(Map<String, String> others) {
    return new Call(actor, method, path, segments, variables, query, others, body);
  }

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
