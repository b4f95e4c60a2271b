package org.heddle.cli.fabric;

import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

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
      DiscoverCommand.class,
      StatusCommand.class,
      DrainCommand.class,
      UndrainCommand.class
    })
public final class FabricCommand extends ShellCommand {
  @Spec private CommandSpec spec;

  public FabricCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    spec.commandLine().usage(session.err());
    return ExitCode.BAD_INPUT;
  }
}
