package org.heddle.cli.jobs;

import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import picocli.CommandLine.Command;

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
  public JobsCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    return whichCommand();
  }
}
