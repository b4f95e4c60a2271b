package org.heddle.cli.simulate;

import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import picocli.CommandLine.Command;

/** {@code heddle simulate}: the group of simulators. */
@Command(
    name = "simulate",
    description = "Predict what a choice would do.",
    subcommands = {
      ScheduleCommand.class,
      CongestionCommand.class,
      MergeCommand.class,
      InterferenceCommand.class,
      PathCacheCommand.class,
      MigrationCommand.class
    })
public final class SimulateCommand extends ShellCommand {
  public SimulateCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    return whichCommand();
  }
}
