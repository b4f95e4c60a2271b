package org.heddle.cli.fabric;

import org.heddle.cli.remote.ServerOptions;
import org.heddle.cli.remote.WaitOptions;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code heddle fabric drain}: takes a link or a switch out of service. */
@Command(
    name = "drain",
    description = {
      "Have a controller take a link or a switch out of service: it stays cabled, but no "
          + "tenant's traffic crosses it. It also stays out of service if it is unplugged and "
          + "comes back.",
      "Tenants that hold the link get another one for the same hosts. If there is none, or if "
          + "tenants have hosts on the switch, they are named and the exit code is 1."
    },
    footer = {
      "",
      "Examples:",
      "  heddle fabric drain 0x200000:5 --dry-run",
      "  heddle fabric drain 0x200000:5 --wait && echo pull the cable now"
    })
public final class DrainCommand extends ShellCommand {
  @Mixin private ServerOptions options;

  @Mixin private WaitOptions waiting;

  @Option(names = "--dry-run", description = "Say what would happen and change nothing.")
  private boolean dryRun;

  @Option(
      names = "--force",
      description = "Drain even if tenants lose what they were promised; they are flagged.")
  private boolean force;

  @Parameters(
      paramLabel = "LINK|SWITCH",
      description =
          "GUID:PORT of one of a link's ends, or the GUID of a switch, or of an adapter for its "
              + "machine with all its adapters.")
  private String what;

  public DrainCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    return new Service(session, options, waiting, json())
        .change(what, "drained", force, dryRun, "heddle.fabric-drain/1");
  }
}
