package org.heddle.cli.vms;

import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import picocli.CommandLine.Command;

/** {@code heddle vms}: the group of commands about a controller's virtual machines. */
@Command(
    name = "vms",
    description = {
      "List, show, start, stop and move the virtual machines of a controller ('heddle serve').",
      "Without a controller, on files: 'heddle vm' and 'heddle migrate'."
    },
    subcommands = {
      VmsListCommand.class,
      VmsShowCommand.class,
      VmsStartCommand.class,
      VmsStopCommand.class,
      VmsMoveCommand.class
    })
public final class VmsCommand extends ShellCommand {
  public VmsCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    return whichCommand();
  }
}
