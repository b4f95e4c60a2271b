package org.heddle.cli.fabric;

import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import picocli.CommandLine.Command;

/** {@code heddle fabric}: the group of commands about fabric files. */
@Command(
    name = "fabric",
    description =
        "Discover, generate, check, draw and convert fabrics; show the state of a controller's "
            + "fabric, and take its links and switches out of service.",
    subcommands = {
      GenerateCommand.class,
      CheckCommand.class,
      DrawCommand.class,
      ConvertCommand.class,
      FabricExportCommand.class,
      DiscoverCommand.class,
      StatusCommand.class,
      DrainCommand.class,
      UndrainCommand.class
    })
public final class FabricCommand extends ShellCommand {
  public FabricCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    return whichCommand();
  }
}
