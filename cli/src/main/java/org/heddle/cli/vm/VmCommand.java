package org.heddle.cli.vm;

import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code heddle vm}: the group of commands about virtual machines. */
@Command(
    name = "vm",
    description = {
      "Start and stop virtual machines and give them LIDs and vGUIDs, in a state file.",
      "Nothing is sent: 'heddle route --vms' and 'heddle apply --vms' bring their LIDs into the "
          + "tables, 'heddle migrate' moves them."
    },
    subcommands = {StartCommand.class, StopCommand.class, ListCommand.class, CapacityCommand.class})
public final class VmCommand extends ShellCommand {
  @Spec private CommandSpec spec;

  public VmCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    spec.commandLine().usage(session.err());
    return ExitCode.BAD_INPUT;
  }
}
