package org.heddle.cli.tokens;

import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code heddle tokens}: the group of commands about tokens that are there. */
@Command(
    name = "tokens",
    description = {
      "List and revoke the API tokens of a controller ('heddle serve').",
      "'heddle token NAME' makes one."
    },
    subcommands = {TokensListCommand.class, TokensRevokeCommand.class})
public final class TokensCommand extends ShellCommand {
  @Spec private CommandSpec spec;

  public TokensCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    spec.commandLine().usage(session.err());
    return ExitCode.BAD_INPUT;
  }
}
