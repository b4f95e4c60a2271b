package org.heddle.cli.users;

import java.util.Optional;
import org.heddle.cli.remote.CredentialOptions;
import org.heddle.cli.remote.ServerClient;
import org.heddle.cli.remote.ServerOptions;
import org.heddle.cli.remote.Words;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code heddle users create}: somebody who logs in with a password. */
@Command(
    name = "create",
    description = "Make a user of a controller, who logs in with a password.",
    footer = {
      "",
      "Examples:",
      "  heddle users create ann --password-file ann.password",
      "  pwgen 20 1 | heddle users create bob --role tenant --tenant blue --password-file -"
    })
public final class UsersCreateCommand extends ShellCommand {
  @Mixin private ServerOptions options;
  @Mixin private CredentialOptions credential;
  @Mixin private PasswordOption password;

  @Parameters(paramLabel = "NAME", description = "The user's name.")
  private String name;

  public UsersCreateCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    String secret = password.read(session);
    try (ServerClient client = options.open(session)) {
      ObjectNode body = credential.body(name).put("password", secret);
      JsonNode made = client.change("POST", "/v1/users", Optional.of(body));
      if (json()) {
        ObjectNode document = client.document("heddle.users-create/1");
        document.put("name", Words.text(made, "name")).put("role", Words.text(made, "role"));
        Json.print(session, document.put("tenant", Words.text(made, "tenant")));
      } else {
        session
            .out()
            .println(
                "%s made: %s"
                    .formatted(
                        session.terminal().bold(Words.text(made, "name")),
                        Words.text(made, "role")));
      }
    }
    return ExitCode.OK;
  }
}
