package org.heddle.cli.users;

import java.util.List;
import java.util.Optional;
import org.heddle.cli.remote.ServerClient;
import org.heddle.cli.remote.ServerOptions;
import org.heddle.cli.remote.Words;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code heddle users delete}: somebody logs in no more. */
@Command(
    name = "delete",
    description = {
      "Delete a user of a controller, at once, and revoke the tokens that it made, directly or by "
          + "another of its tokens.",
      "The last user or token that lets the provider in cannot be deleted."
    },
    footer = {"", "Example:", "  heddle users delete bob --dry-run"})
public final class UsersDeleteCommand extends ShellCommand {
  @Mixin private ServerOptions options;

  @Option(names = "--dry-run", description = "Show which tokens would end, and change nothing.")
  private boolean dryRun;

  @Parameters(paramLabel = "NAME", description = "The user, as 'users list' shows it.")
  private String name;

  public UsersDeleteCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    String path = PasswordOption.path(name) + (dryRun ? "?dry_run=true" : "");
    try (ServerClient client = options.open(session)) {
      JsonNode ended = client.change("DELETE", path, Optional.empty());
      if (json()) {
        ObjectNode document = client.document("heddle.users-delete/1").put("name", name);
        document.put("outcome", Words.text(ended, "outcome")).set("tokens", ended.path("tokens"));
        Json.print(session, document);
        return ExitCode.OK;
      }
      List<String> tokens = Words.texts(ended.path("tokens"));
      session
          .out()
          .println(
              session.terminal().bold(name)
                  + (dryRun ? " would be deleted" : " deleted")
                  + (tokens.isEmpty() ? "" : ", with the tokens " + String.join(", ", tokens)));
    }
    return ExitCode.OK;
  }
}
