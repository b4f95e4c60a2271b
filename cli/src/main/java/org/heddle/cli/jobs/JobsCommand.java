package org.heddle.cli.jobs;

import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code heddle jobs}: the group of commands about a controller's jobs. */
@Command(
    name = "jobs",
    description = {
      "List, show, cancel and wait for the jobs of a controller ('heddle serve').",
      "A job is a change or a plan that somebody asked for without waiting for the answer."
    },
    subcommands = {
      JobsListCommand.class,
      JobShowCommand.class,
      JobCancelCommand.class,
      JobWaitCommand.class
    })
public final class JobsCommand extends ShellCommand {
  @Spec private CommandSpec spec;

  public JobsCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    spec.commandLine().usage(session.err());
    return ExitCode.BAD_INPUT;
  }
}
