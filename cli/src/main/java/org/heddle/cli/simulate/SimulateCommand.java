package org.heddle.cli.simulate;

import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

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
  @Spec private CommandSpec spec;

  public SimulateCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    spec.commandLine().usage(session.err());
    return ExitCode.BAD_INPUT;
  }
}
