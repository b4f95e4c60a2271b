package org.heddle.ufm;

import java.nio.charset.StandardCharsets;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * An answer of the API; the body is JSON.
 *
 * @param status HTTP status
 * @param body bytes of a JSON value
 */
public record UfmAnswer(int status, byte[] body) {
  /** What clients expect, with this very spelling. */
  public static final String CONTENT_TYPE = "application/json; charset=utf-8";

  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  static UfmAnswer ok(JsonNode value) {
    return of(200, value);
  }

  static UfmAnswer of(int status, JsonNode value) {
    return new UfmAnswer(status, MAPPER.writeValueAsBytes(value));
  }

  static UfmAnswer done() {
    return ok(JsonNodeFactory.instance.objectNode());
  }

  /** An answer that is not the one hoped for. */
  public static UfmAnswer error(int status, String message) {
    return of(status, JsonNodeFactory.instance.objectNode().put("error", message));
  }

  /** The body as text. */
  public String text() {
    return new String(body, StandardCharsets.UTF_8);
  }
}
