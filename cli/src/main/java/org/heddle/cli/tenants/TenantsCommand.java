package org.heddle.cli.tenants;

import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import picocli.CommandLine.Command;

/** {@code heddle tenants}: the group of commands about tenants files. */
@Command(
    name = "tenants",
    description = {
      "Create, check and explain tenants files: who owns which hosts, and how strictly tenants "
          + "are kept apart.",
      "List, show, create, change and delete the tenants of a controller ('heddle serve'), "
          + "or apply and export them as a file."
    },
    subcommands = {
      InitCommand.class,
      ValidateCommand.class,
      ExplainCommand.class,
      ListCommand.class,
      ShowCommand.class,
      CreateCommand.class,
      ChangeCommand.class,
      DeleteCommand.class,
      ApplyCommand.class,
      ExportCommand.class
    })
public final class TenantsCommand extends ShellCommand {
  public TenantsCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    return whichCommand();
  }
}
