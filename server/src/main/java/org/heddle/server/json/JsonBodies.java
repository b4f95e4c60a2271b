package org.heddle.server.json;

import java.nio.charset.StandardCharsets;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.exc.UnexpectedEndOfInputException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads the body of a request: one JSON object (RFC 8259), nothing after it, whose texts are whole.
 * What is wrong is told in our own words, with line and column where that helps. O(bytes).
 */
public final class JsonBodies {
  private static final JsonMapper STRICT =
      JsonMapper.builder(
              JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build())
          .build();

  private static final JsonMapper LENIENT = JsonMapper.builder().build();

  private JsonBodies() {}

  /** A body that is not what it should be; the message says what is wrong, and where. */
  public static final class Malformed extends Exception {
    private static final long serialVersionUID = 1;

    Malformed(String message) {
      super(message);
    }
  }

  /**
   * An object in which every field is named once.
   *
   * @throws Malformed if it is none
   */
  public static JsonNode strict(byte[] bytes) throws Malformed {
    return read(STRICT, bytes);
  }

  /**
   * An object; of a field that is named twice the last one counts, as for most clients.
   *
   * @throws Malformed if it is none
   */
  public static JsonNode lenient(byte[] bytes) throws Malformed {
    return read(LENIENT, bytes);
  }

  private static JsonNode read(JsonMapper mapper, byte[] bytes) throws Malformed {
    if (new String(bytes, StandardCharsets.UTF_8).isBlank()) {
      throw new Malformed("the body is empty: a JSON object is expected");
    }
    JsonNode node;
    try {
      node = mapper.readTree(bytes);
    } catch (JacksonException e) {
      throw new Malformed(sentence(e));
    }
    if (node == null || !node.isObject()) {
      throw new Malformed("the body must be a JSON object");
    }
    if (!whole(node)) {
      throw new Malformed("a text of the body holds half a character (a lone surrogate)");
    }
    return node;
  }

  private static String sentence(JacksonException e) {
    TokenStreamLocation at = e.getLocation();
    String where =
        at == null || at.getLineNr() < 1
            ? ""
            : " at line " + at.getLineNr() + ", column " + at.getColumnNr();
    String message = String.valueOf(e.getOriginalMessage());
    if (e instanceof StreamConstraintsException) {
      return "the body is nested too deeply, or has a number that is too long" + where;
    }
    if (e instanceof UnexpectedEndOfInputException || message.contains("end-of-input")) {
      return "the body is no JSON: it ends too early" + where;
    }
    if (message.startsWith("Duplicate")) {
      return "the body names a field twice" + where;
    }
    if (message.startsWith("Trailing")) {
      return "the body goes on after its JSON object" + where;
    }
    return "the body is no JSON" + (where.isEmpty() ? "" : ": it goes wrong" + where);
  }

  /** True if no text holds half a character, which cannot be sent back or stored. */
  private static boolean whole(JsonNode node) {
    if (node.isString()) {
      return whole(node.stringValue());
    }
    for (String name : node.propertyNames()) {
      if (!whole(name)) {
        return false;
      }
    }
    for (JsonNode child : node) {
      if (!whole(child)) {
        return false;
      }
    }
    return true;
  }

  private static boolean whole(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isHighSurrogate(text.charAt(i))
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        i++;
      } else if (Character.isSurrogate(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }
}
