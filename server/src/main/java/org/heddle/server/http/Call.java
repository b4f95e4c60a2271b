package org.heddle.server.http;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.heddle.control.model.Actor;
import org.heddle.fabric.Guid;
import org.heddle.server.json.JsonBodies;
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
  public Call with(Map<String, String> others) {
    return new Call(actor, method, path, segments, others, query, headers, body);
  }

  /** The same with other headers. */
  public Call withHeaders(Map<String, String> others) {
    return new Call(actor, method, path, segments, variables, query, others, body);
  }

  /** The body as a JSON object. */
  public JsonNode json() {
    try {
      return JsonBodies.strict(body);
    } catch (JsonBodies.Malformed e) {
      throw Problem.malformed(e.getMessage());
    }
  }

  /** The same with no other fields than these: a misspelt one must not count as left out. */
  public JsonNode json(Set<String> fields) {
    JsonNode node = json();
    only(node, fields);
    return node;
  }

  /** Refuses an object with other fields than these. */
  public static void only(JsonNode node, Set<String> fields) {
    for (String key : node.propertyNames()) {
      if (!fields.contains(key)) {
        throw Problem.malformed("unknown field '" + key + "'");
      }
    }
  }

  /** The number in the path that names a thing; there is none without it. */
  public long id() {
    String id = variables.get("id");
    if (!id.matches("[1-9]\\d{0,17}")) {
      throw Problem.notFound();
    }
    return Long.parseLong(id);
  }

  /** The GUID in the path that names a thing; there is none without it. */
  public long guid() {
    String guid = variables.get("guid");
    if (!guid.matches(Hosts.GUID)) {
      throw Problem.notFound();
    }
    return Guid.parse(guid).value();
  }

  public Optional<String> header(String name) {
    return Optional.ofNullable(headers.get(name)).filter(v -> !v.isEmpty());
  }

  /** A flag of the query; what is neither true nor false might mean either. */
  public boolean flag(String name) {
    String text = query.getOrDefault(name, "false");
    if (!text.equalsIgnoreCase("true") && !text.equalsIgnoreCase("false")) {
      throw Problem.malformed("'" + name + "' must be true or false");
    }
    return text.equalsIgnoreCase("true");
  }

  /** How many things a page has. */
  public int limit() {
    return count("limit", Listing.PAGE);
  }

  /** How many things are asked for: one at least, and no more than a page may have. */
  public int count(String name, int otherwise) {
    String text = query.getOrDefault(name, Integer.toString(otherwise));
    long count = text.matches("\\d{1,18}") ? Long.parseLong(text) : 0;
    if (count < 1 || count > Listing.MOST) {
      throw Problem.malformed("'" + name + "' must be a whole number from 1 to " + Listing.MOST);
    }
    return (int) count;
  }

  /**
   * Refuses a query with other names than these: one that is misspelt must not count as left out.
   */
  public void onlyQuery(Collection<String> names) {
    for (String name : query.keySet()) {
      if (!names.contains(name)) {
        String near =
            names.stream()
                .filter(n -> letters(n).equals(letters(name)))
                .findFirst()
                .map(n -> "did you mean '" + n + "'? ")
                .orElse("");
        String all =
            names.isEmpty() ? "there are none here" : String.join(", ", new TreeSet<>(names));
        throw Problem.malformed("unknown parameter '%s': %s%s".formatted(name, near, all));
      }
    }
  }

  private static String letters(String name) {
    return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z]", "");
  }

  /** A number of the query, from 0. */
  public long number(String name, long otherwise) {
    String text = query.get(name);
    if (text == null) {
      return otherwise;
    }
    if (!text.matches("\\d{1,18}")) {
      throw Problem.malformed("'" + name + "' must be a whole number from 0");
    }
    return Long.parseLong(text);
  }
}
