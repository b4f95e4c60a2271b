package org.heddle.cli.experiment;

import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code heddle experiment}: the group of experiments. */
@Command(
    name = "experiment",
    description = "Recompute the papers' figures and tables, or run experiments of your own.",
    subcommands = {ExperimentListCommand.class, ExperimentRunCommand.class})
public final class ExperimentCommand extends ShellCommand {
  @Spec private CommandSpec spec;

  public ExperimentCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    spec.commandLine().usage(session.err());
    return ExitCode.BAD_INPUT;
  }
}
