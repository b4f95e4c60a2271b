package org.heddle.cli.remote;

import java.util.List;
import java.util.function.Function;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.Session;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Prints what became of a change of one thing: a tenant, a machine.
 *
 * @param json for a document in place of text
 */
public record Changed(Session session, boolean json, ServerClient client) {

  /**
   * What is said of a kind of thing.
   *
   * @param key of the thing in answers and documents
   * @param line the thing in a line
   * @param below more of it, in lines of their own; empty for nothing
   */
  public record Thing(
      String key, Function<JsonNode, String> line, Function<JsonNode, String> below) {}

  /**
   * The words.
   *
   * @param format of the document
   * @param did and {@code would}: what is said of a thing that was changed, or would be
   */
  public record Says(String format, String did, String would) {}

  /** The answer to a change; if it was a job, as if it had been answered at once. */
  private JsonNode answer(Thing thing, String path, JsonNode answer) {
    if (!answer.has("progress")) {
      return answer;
    }
    ObjectNode out = JsonNodeFactory.instance.objectNode().put("outcome", "in-fabric");
    out.set("epoch", answer.path("epoch"));
    if (!path.isEmpty()) {
      out.set(thing.key, client.get(path));
    }
    return out;
  }

  /**
   * Prints the controller's answer.
   *
   * @param path of the thing there is now; empty if it is gone
   */
  public void print(Thing thing, String name, String path, JsonNode first, Says says) {
    JsonNode answer = answer(thing, path, first);
    if (json) {
      ObjectNode document = client.document(says.format());
      document.put("name", name);
      for (String key : List.of("outcome", "epoch", thing.key, "tables")) {
        document.set(key, answer.path(key).isMissingNode() ? null : answer.path(key));
      }
      Json.print(session, document);
      return;
    }
    JsonNode now = answer.path(thing.key);
    String what = now.isObject() ? ": " + thing.line.apply(now) : "";
    String tables = Words.tables(answer);
    String did = says.did() + " at epoch " + answer.path("epoch").asLong(0);
    String text =
        switch (Words.text(answer, "outcome")) {
          case "would-be" -> says.would() + what + (tables.isEmpty() ? "" : "; " + tables);
          case "unchanged" -> "was like that already" + what;
          case "in-fabric" -> did + ", the fabric has it" + what;
          default -> did + what;
        };
    session.out().println(session.terminal().bold(name) + " " + text);
    String below = now.isObject() ? thing.below.apply(now) : "";
    if (!below.isEmpty()) {
      session.out().println("  " + below);
    }
  }
}
