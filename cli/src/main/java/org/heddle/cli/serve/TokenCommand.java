package org.heddle.cli.serve;

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

/** {@code heddle token}: an API token of a controller. */
@Command(
    name = "token",
    description = {
      "Make an API token of a controller and print it, this once: the controller keeps only a "
          + "hash.",
      "The first must be a provider's; from then on nobody gets in without one."
    },
    footer = {
      "",
      "Examples:",
      "  (umask 077; heddle token root > root.token)",
      "  heddle token blue-ci --role tenant --tenant blue --token-file root.token > blue.token"
    })
public final class TokenCommand extends ShellCommand {
  /** What a token may do. */
  enum Role {
    /** Everything. */
    PROVIDER,
    /** See and change its own. */
    TENANT,
    /** See everything. */
    VIEWER
  }

  @Mixin private ServerOptions options;

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

  @Parameters(paramLabel = "NAME", description = "The token's name, for the record of requests.")
  private String name;

  public TokenCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    try (ServerClient client = options.open(session)) {
      ObjectNode body =
          JsonNodeFactory.instance
              .objectNode()
              .put("name", name)
              .put("role", role.name().toLowerCase(Locale.ROOT));
      if (tenant != null) {
        body.put("tenant", tenant);
      }
      if (expires != null) {
        body.put("expires", expires);
      }
      JsonNode made = client.change("POST", "/v1/tokens", Optional.of(body));
      if (json()) {
        ObjectNode document = client.document("heddle.token/1");
        document.put("name", Words.text(made, "name")).put("role", Words.text(made, "role"));
        document.put("tenant", Words.text(made, "tenant"));
        document.put("access_token", Words.text(made, "access_token"));
        Json.print(session, document);
      } else {
        session.out().println(Words.text(made, "access_token"));
      }
    }
    return ExitCode.OK;
  }
}
