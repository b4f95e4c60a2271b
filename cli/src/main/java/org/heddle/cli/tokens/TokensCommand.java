package org.heddle.cli.tokens;

import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import picocli.CommandLine.Command;

/** {@code heddle tokens}: the group of commands about tokens that are there. */
@Command(
    name = "tokens",
    description = {
      "List and revoke the API tokens of a controller ('heddle serve').",
      "'heddle token NAME' makes one."
    },
    subcommands = {TokensListCommand.class, TokensRevokeCommand.class})
public final class TokensCommand extends ShellCommand {
  public TokensCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    return whichCommand();
  }
}
