package org.heddle.cli.users;

import java.util.Optional;
import org.heddle.cli.remote.ServerClient;
import org.heddle.cli.remote.ServerOptions;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** {@code heddle users password}: another one. */
@Command(
    name = "password",
    description = {"Give a user of a controller another password; sessions under the old one end."},
    footer = {"", "Example:", "  heddle users password ann --password-file new.password"})
public final class UsersPasswordCommand extends ShellCommand {
  @Mixin private ServerOptions options;
  @Mixin private PasswordOption password;

  @Parameters(paramLabel = "NAME", description = "The user, as 'users list' shows it.")
  private String name;

  public UsersPasswordCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    String secret = password.read(session);
    try (ServerClient client = options.open(session)) {
      ObjectNode body = JsonNodeFactory.instance.objectNode().put("password", secret);
      client.change("PUT", PasswordOption.path(name), Optional.of(body));
      if (json()) {
        Json.print(session, client.document("heddle.users-password/1").put("name", name));
      } else {
        session.out().println(session.terminal().bold(name) + " has another password");
      }
    }
    return ExitCode.OK;
  }
}
