package org.heddle.server.ufm;

import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * An answer of the API; the body is JSON.
 *
 * @param status HTTP status
 * @param body bytes of a JSON value
 * @param job the job to ask how far it is, where an answer names one: then with a {@code Location}
 */
public record UfmAnswer(int status, byte[] body, OptionalLong job) {
  /** What clients expect, with this very spelling. */
  public static final String CONTENT_TYPE = "application/json; charset=utf-8";

  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  /** All is well. */
  public static UfmAnswer ok(JsonNode value) {
    return of(200, value);
  }

  static UfmAnswer of(int status, JsonNode value) {
    byte[] body = MAPPER.writeValueAsString(value).getBytes(StandardCharsets.UTF_8);
    return new UfmAnswer(status, body, OptionalLong.empty());
  }

  /** It is being done. Some clients read the job from the body, others from the header. */
  static UfmAnswer accepted(long job) {
    byte[] body = MAPPER.writeValueAsBytes("jobs/" + job);
    return new UfmAnswer(202, body, OptionalLong.of(job));
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
