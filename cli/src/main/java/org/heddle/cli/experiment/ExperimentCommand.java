package org.heddle.cli.experiment;

import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import picocli.CommandLine.Command;

/** {@code heddle experiment}: the group of experiments. */
@Command(
    name = "experiment",
    description = "Recompute the papers' figures and tables, or run experiments of your own.",
    subcommands = {ExperimentListCommand.class, ExperimentRunCommand.class})
public final class ExperimentCommand extends ShellCommand {
  public ExperimentCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    return whichCommand();
  }
}
