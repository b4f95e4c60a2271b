package org.heddle.cli.vms;

import java.util.Optional;
import org.heddle.cli.remote.Changed;
import org.heddle.cli.remote.ServerClient;
import org.heddle.cli.remote.ServerOptions;
import org.heddle.cli.remote.WaitOptions;
import org.heddle.cli.remote.Words;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code heddle vms stop}: a controller forgets a machine. */
@Command(
    name = "stop",
    description = "Stop a virtual machine of a controller: its function and LID are free again.")
public final class VmsStopCommand extends ShellCommand {
  @Mixin private ServerOptions options;

  @Mixin private WaitOptions waiting;

  @Option(names = "--dry-run", description = "Say what would happen and change nothing.")
  private boolean dryRun;

  @Option(
      names = "--if-version",
      paramLabel = "N",
      description = "Only if this is still its version, as 'vms list' shows it.")
  private Long version;

  @Parameters(paramLabel = "NAME", description = "The virtual machine.")
  private String name;

  public VmsStopCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    String path = MachineAnswers.path(name);
    Optional<String> condition = Words.version(version);
    try (ServerClient client = options.open(session)) {
      JsonNode answer =
          waiting.change(client, session, "DELETE", path, Optional.empty(), condition, dryRun);
      Changed changed = new Changed(session, json(), client);
      changed.print(
          MachineAnswers.MACHINE,
          name,
          "",
          answer,
          new Changed.Says("heddle.vms-stop/1", "stopped", "would be stopped"));
    }
    return ExitCode.OK;
  }
}
