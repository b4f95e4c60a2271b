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
      "Have a controller take a link or a switch out of service: no tenant's traffic crosses it, "
          + "though it is there. It stays so when it is pulled and comes back.",
      "Tenants that have the link get another one for the same hosts. Exit code 1 with names if "
          + "there is none, or tenants have hosts at the switch."
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
      description = "Also if tenants lose what they were promised: they are flagged.")
  private boolean force;

  @Parameters(
      paramLabel = "LINK|SWITCH",
      description = "GUID:PORT of one of a link's ends, or the GUID of a switch.")
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
