package org.heddle.cli.tokens;

import java.util.Optional;
import org.heddle.cli.remote.ServerClient;
import org.heddle.cli.remote.ServerOptions;
import org.heddle.cli.remote.Words;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code heddle tokens revoke}: a token is of no use from now on. */
@Command(
    name = "revoke",
    description = {
      "Revoke an API token of a controller, at once: its event streams end, and its name is free "
          + "again.",
      "The provider's last token without an expiry cannot be revoked, since nobody could make "
          + "another."
    })
public final class TokensRevokeCommand extends ShellCommand {
  @Mixin private ServerOptions options;

  @Parameters(paramLabel = "NAME", description = "The token, as 'tokens list' shows it.")
  private String name;

  public TokensRevokeCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    if (name.isEmpty() || name.matches("\\.{1,2}")) {
      throw Failure.badInput("'" + name + "' is not a token name", "'heddle tokens list'");
    }
    try (ServerClient client = options.open(session)) {
      client.change("DELETE", "/v1/tokens/" + Words.encoded(name), Optional.empty());
      if (json()) {
        Json.print(session, client.document("heddle.tokens-revoke/1").put("name", name));
      } else {
        session.out().println(session.terminal().bold(name) + " revoked");
      }
    }
    return ExitCode.OK;
  }
}
