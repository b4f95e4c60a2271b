package org.heddle.cli.fabric;

import org.heddle.cli.remote.ServerOptions;
import org.heddle.cli.remote.WaitOptions;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code heddle fabric undrain}: puts a link or a switch back into service. */
@Command(
    name = "undrain",
    description = {
      "Have a controller put a link or a switch back into service.",
      "Tenants that got other links keep them; promises that can be kept again are restored."
    },
    footer = {"", "Example:", "  heddle fabric undrain 0x200000:5"})
public final class UndrainCommand extends ShellCommand {
  @Mixin private ServerOptions options;

  @Mixin private WaitOptions waiting;

  @Option(names = "--dry-run", description = "Say what would happen and change nothing.")
  private boolean dryRun;

  @Parameters(
      paramLabel = "LINK|SWITCH",
      description =
          "GUID:PORT of one of a link's ends, or the GUID of a switch, or of an adapter for its "
              + "machine with all its adapters.")
  private String what;

  public UndrainCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    return new Service(session, options, waiting, json())
        .change(what, "up", false, dryRun, "heddle.fabric-undrain/1");
  }
}
