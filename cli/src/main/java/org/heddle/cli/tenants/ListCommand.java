package org.heddle.cli.tenants;

import java.util.List;
import org.heddle.cli.remote.ServerClient;
import org.heddle.cli.remote.ServerOptions;
import org.heddle.cli.remote.Words;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.cli.shell.TextTable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code heddle tenants list}: the tenants of a controller. */
@Command(
    name = "list",
    description = "List the tenants of a controller, by name.",
    footer = {"", "Example:", "  heddle tenants list --server https://fabric1:8480"})
public final class ListCommand extends ShellCommand {
  @Mixin private ServerOptions options;

  public ListCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    try (ServerClient client = options.open(session)) {
      List<JsonNode> tenants = client.all("/v1/tenants");
      if (json()) {
        ObjectNode document = client.document("heddle.tenants-list/1");
        document.putArray("tenants").addAll(tenants);
        Json.print(session, document);
        return ExitCode.OK;
      }
      TextTable table =
          new TextTable("tenant", "owner", "policy", "hosts", "members", "key", "version", "state");
      for (JsonNode t : tenants) {
        table.row(
            Words.text(t, "name"),
            Words.text(t, "owner"),
            Words.text(t, "policy"),
            t.path("hosts").size(),
            t.path("members").size(),
            Words.text(t, "pkey"),
            t.path("version").asLong(0),
            t.path("broken").isEmpty() ? "ok" : "broken");
      }
      if (table.isEmpty()) {
        session.out().println("no tenants");
      } else {
        table.print(session.out(), session.terminal(), "");
      }
    }
    return ExitCode.OK;
  }
}
