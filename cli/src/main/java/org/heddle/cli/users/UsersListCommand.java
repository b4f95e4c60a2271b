package org.heddle.cli.users;

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

/** {@code heddle users list}: who can log in. */
@Command(
    name = "list",
    description = "List the users of a controller, by name, with their role, expiry and last use.")
public final class UsersListCommand extends ShellCommand {
  @Mixin private ServerOptions options;

  public UsersListCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    try (ServerClient client = options.open(session)) {
      List<JsonNode> users = client.all("/v1/users");
      if (json()) {
        ObjectNode document = client.document("heddle.users-list/1");
        document.putArray("users").addAll(users);
        Json.print(session, document);
        return ExitCode.OK;
      }
      TextTable table =
          new TextTable("user", "role", "tenant", "password set", "expires", "last used", "state");
      for (JsonNode u : users) {
        table.row(
            Words.text(u, "name"),
            Words.text(u, "role"),
            Words.text(u, "tenant"),
            Words.moment(u, "created"),
            Words.moment(u, "expires"),
            Words.moment(u, "last_used"),
            Words.text(u, "state"));
      }
      if (table.isEmpty()) {
        session.out().println("no users");
      } else {
        table.print(session.out(), session.terminal(), "");
      }
    }
    return ExitCode.OK;
  }
}
