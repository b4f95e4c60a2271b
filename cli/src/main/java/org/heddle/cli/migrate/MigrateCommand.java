package org.heddle.cli.migrate;

import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import picocli.CommandLine.Command;

/** {@code heddle migrate}: the group of commands that move virtual machines. */
@Command(
    name = "migrate",
    description = "Move virtual machines with their addresses, with as few packets as possible.",
    subcommands = {CostsCommand.class, PlanMovesCommand.class, ApplyMovesCommand.class})
public final class MigrateCommand extends ShellCommand {
  public MigrateCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    return whichCommand();
  }
}
