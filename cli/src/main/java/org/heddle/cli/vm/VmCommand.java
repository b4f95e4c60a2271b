package org.heddle.cli.vm;

import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import picocli.CommandLine.Command;

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
  public VmCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    return whichCommand();
  }
}
