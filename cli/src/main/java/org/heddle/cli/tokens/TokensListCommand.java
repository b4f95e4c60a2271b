package org.heddle.cli.tokens;

import org.heddle.cli.remote.CredentialList;
import org.heddle.cli.remote.ServerClient;
import org.heddle.cli.remote.ServerOptions;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

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
      CredentialList.print(session, client, json(), "token", "created");
    }
    return ExitCode.OK;
  }
}
