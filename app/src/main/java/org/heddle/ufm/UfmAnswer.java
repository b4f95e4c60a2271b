package org.heddle.ufm;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * An answer of the API; the body is JSON.
 *
 * @param status HTTP status
 * @param headers beside the content type
 * @param body bytes of a JSON value
 */
public record UfmAnswer(int status, Map<String, String> headers, byte[] body) {
  /** What clients expect, with this very spelling. */
  public static final String CONTENT_TYPE = "application/json; charset=utf-8";

  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  static UfmAnswer ok(JsonNode value) {
    return of(200, value);
  }

  static UfmAnswer of(int status, JsonNode value) {
    return new UfmAnswer(status, Map.of(), MAPPER.writeValueAsBytes(value));
  }

  static UfmAnswer done() {
    return ok(JsonNodeFactory.instance.objectNode());
  }

  static UfmAnswer error(int status, String message) {
    return of(status, JsonNodeFactory.instance.objectNode().put("error", message));
  }

  /** The body as text. */
  public String text() {
    return new String(body, StandardCharsets.UTF_8);
  }
}
