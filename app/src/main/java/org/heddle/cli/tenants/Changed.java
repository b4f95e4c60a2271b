package org.heddle.cli.tenants;

import java.util.List;
import org.heddle.cli.remote.ServerClient;
import org.heddle.cli.remote.Words;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.Session;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Prints what became of a change. */
final class Changed {
  private Changed() {}

  /**
   * The answer to a change; if it was a job, as if it had been answered at once.
   *
   * @param name of the tenant there is now; empty if it is gone
   */
  static JsonNode answer(ServerClient client, String name, JsonNode answer) {
    if (!answer.has("progress")) {
      return answer;
    }
    ObjectNode out = JsonNodeFactory.instance.objectNode().put("outcome", "in-fabric");
    out.set("epoch", answer.path("epoch"));
    if (!name.isEmpty()) {
      out.set("tenant", client.get(Words.tenantPath(name)));
    }
    return out;
  }

  /**
   * Prints the controller's answer.
   *
   * @param did and {@code would}: what is said of a tenant that was changed, or would be
   */
  static void print(
      Session session, boolean json, ServerClient client, String name, JsonNode answer, Says says) {
    if (json) {
      ObjectNode document = client.document(says.format());
      document.put("name", name);
      for (String key : List.of("outcome", "epoch", "tenant", "tables")) {
        document.set(key, answer.path(key).isMissingNode() ? null : answer.path(key));
      }
      Json.print(session.out(), document);
      return;
    }
    String outcome = Words.text(answer, "outcome");
    JsonNode tenant = answer.path("tenant");
    String what = tenant.isObject() ? ": " + Words.tenant(tenant) : "";
    String tables = Words.tables(answer);
    String text =
        switch (outcome) {
          case "would-be" -> says.would() + what + (tables.isEmpty() ? "" : "; " + tables);
          case "unchanged" -> "was like that already" + what;
          case "in-fabric" ->
              says.did()
                  + " at epoch "
                  + answer.path("epoch").asLong(0)
                  + ", the fabric has it"
                  + what;
          default -> says.did() + " at epoch " + answer.path("epoch").asLong(0) + what;
        };
    session.out().println(session.terminal().bold(name) + " " + text);
    if (tenant.isObject() && tenant.path("hosts").size() > 0) {
      String hosts = String.join(", ", Words.fields(tenant.path("hosts"), "name"));
      session.out().println("  hosts: " + hosts);
    }
  }

  /** The words. */
  record Says(String format, String did, String would) {}
}
