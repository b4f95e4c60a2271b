package org.heddle.cli.serve;

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

/** {@code heddle token}: an API token of a controller. */
@Command(
    name = "token",
    description = {
      "Make an API token of a controller and print it, this once: the controller keeps only a "
          + "hash.",
      "Of a controller that is open, the first must be a provider's: from then on nobody gets in "
          + "without one."
    },
    footer = {
      "",
      "Examples:",
      "  (umask 077; heddle token root > root.token)",
      "  heddle token blue-ci --role tenant --tenant blue --token-file root.token > blue.token"
    })
public final class TokenCommand extends ShellCommand {
  @Mixin private ServerOptions options;
  @Mixin private CredentialOptions credential;

  @Parameters(paramLabel = "NAME", description = "The token's name, for the record of requests.")
  private String name;

  public TokenCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    try (ServerClient client = options.open(session)) {
      ObjectNode body = credential.body(name);
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
