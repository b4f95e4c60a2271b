package org.heddle.cli.migrate;

import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code heddle migrate}: the group of commands that move virtual machines. */
@Command(
    name = "migrate",
    description = "Move virtual machines with their addresses, with as few packets as possible.",
    subcommands = {CostsCommand.class, PlanMovesCommand.class, ApplyMovesCommand.class})
public final class MigrateCommand extends ShellCommand {
  @Spec private CommandSpec spec;

  public MigrateCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    spec.commandLine().usage(session.err());
    return ExitCode.BAD_INPUT;
  }
}
