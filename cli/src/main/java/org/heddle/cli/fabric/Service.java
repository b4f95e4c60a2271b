package org.heddle.cli.fabric;

import java.util.List;
import java.util.Optional;
import org.heddle.cli.remote.ServerClient;
import org.heddle.cli.remote.ServerOptions;
import org.heddle.cli.remote.WaitOptions;
import org.heddle.cli.remote.Words;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.Session;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Links and switches of a controller, out of service and back. */
final class Service {
  private final Session session;
  private final ServerOptions options;
  private final WaitOptions waiting;
  private final boolean json;

  Service(Session session, ServerOptions options, WaitOptions waiting, boolean json) {
    this.session = session;
    this.options = options;
    this.waiting = waiting;
    this.json = json;
  }

  int change(String what, String state, boolean force, boolean dryRun, String format) {
    ObjectNode body = JsonNodeFactory.instance.objectNode().put("state", state);
    if (force) {
      body.put("force", true);
    }
    try (ServerClient client = options.open(session)) {
      JsonNode answer =
          waiting.change(
              client, session, "PUT", path(what), Optional.of(body), Optional.empty(), dryRun);
      boolean job = answer.has("progress");
      if (json) {
        ObjectNode document = client.document(format);
        document.put("id", what).put("state", state);
        document.put("outcome", job ? "accepted" : Words.text(answer, "outcome"));
        document.put("epoch", answer.path("epoch").asLong(0)).put("in_fabric", job);
        for (String key : List.of("tables", "tenants")) {
          document.set(key, answer.path(key).isMissingNode() ? null : answer.path(key));
        }
        Json.print(session, document);
      } else {
        print(what, state, answer, job);
      }
    }
    return ExitCode.OK;
  }

  private static String path(String what) {
    if (what.matches("0x[0-9a-fA-F]{1,16}:\\d{1,3}")) {
      return "/v1/links/" + what;
    }
    if (what.matches("0x[0-9a-fA-F]{1,16}")) {
      return "/v1/nodes/" + what;
    }
    throw Failure.badInput(
        "'" + what + "' is neither a link nor a switch",
        "a link is GUID:PORT of one of its ends, as 0x200000:5; a switch or a machine a GUID");
  }

  private void print(String what, String state, JsonNode answer, boolean job) {
    boolean out = state.equals("drained");
    String done = out ? "out of service" : "back in service";
    String text =
        switch (job ? "job" : Words.text(answer, "outcome")) {
          case "would-be" -> "would be " + done + "; " + Words.tables(answer);
          case "unchanged" -> "was " + (out ? "out of service" : "in service") + " already";
          case "job" ->
              done + " at epoch " + answer.path("epoch").asLong(0) + "; the fabric has it";
          default -> done + " at epoch " + answer.path("epoch").asLong(0);
        };
    session.out().println(session.terminal().bold(what) + " " + text);
    for (JsonNode t : answer.path("tenants")) {
      String broken = String.join("; ", Words.texts(t.path("after").path("broken")));
      session
          .out()
          .println(
              "  "
                  + Words.text(t, "name")
                  + ": "
                  + Words.text(t, "change")
                  + (broken.isEmpty() ? "" : ": " + broken));
    }
  }
}
