package org.heddle.cli.tokens;

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

/** {@code heddle tokens list}: whose tokens there are, without their secrets. */
@Command(
    name = "list",
    description = {
      "List the API tokens of a controller, by name, with their role, expiry and last use.",
      "The secrets cannot be shown: the controller keeps only hashes."
    })
public final class TokensListCommand extends ShellCommand {
  @Mixin private ServerOptions options;

  public TokensListCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    try (ServerClient client = options.open(session)) {
      List<JsonNode> tokens = client.all("/v1/tokens");
      if (json()) {
        ObjectNode document = client.document("heddle.tokens-list/1");
        document.putArray("tokens").addAll(tokens);
        Json.print(session, document);
        return ExitCode.OK;
      }
      TextTable table =
          new TextTable("token", "role", "tenant", "created", "expires", "last used", "state");
      for (JsonNode t : tokens) {
        table.row(
            Words.text(t, "name"),
            Words.text(t, "role"),
            Words.text(t, "tenant"),
            Words.moment(t, "created"),
            Words.moment(t, "expires"),
            Words.moment(t, "last_used"),
            Words.text(t, "state"));
      }
      if (table.isEmpty()) {
        session.out().println("no tokens");
      } else {
        table.print(session.out(), session.terminal(), "");
      }
    }
    return ExitCode.OK;
  }
}
