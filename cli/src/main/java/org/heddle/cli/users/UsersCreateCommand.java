package org.heddle.cli.users;

import java.util.Locale;
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
import tools.jackson.databind.node.JsonNodeFactory;
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
  /** What a user may do. */
  enum Role {
    /** Everything. */
    PROVIDER,
    /** See and change its own. */
    TENANT,
    /** See everything. */
    VIEWER
  }

  @Mixin private ServerOptions options;
  @Mixin private PasswordOption password;

  @Option(
      names = "--role",
      paramLabel = "ROLE",
      defaultValue = "provider",
      description = "provider, tenant or viewer (default: ${DEFAULT-VALUE}).")
  private Role role;

  @Option(
      names = "--tenant",
      paramLabel = "TENANT",
      description = "For the role tenant: the tenant whose resources it sees and changes.")
  private String tenant;

  @Option(
      names = "--expires",
      paramLabel = "TIME",
      description = "When it expires, such as 2027-01-31T00:00:00Z (default: never).")
  private String expires;

  @Parameters(paramLabel = "NAME", description = "The user's name.")
  private String name;

  public UsersCreateCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    String secret = password.read(session);
    try (ServerClient client = options.open(session)) {
      ObjectNode body =
          JsonNodeFactory.instance
              .objectNode()
              .put("name", name)
              .put("role", role.name().toLowerCase(Locale.ROOT))
              .put("password", secret);
      if (tenant != null) {
        body.put("tenant", tenant);
      }
      if (expires != null) {
        body.put("expires", expires);
      }
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
