package org.heddle.cli.vms;

import java.util.Optional;
import org.heddle.cli.remote.Changed;
import org.heddle.cli.remote.ServerClient;
import org.heddle.cli.remote.ServerOptions;
import org.heddle.cli.remote.WaitOptions;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** {@code heddle vms start}: a controller gives a machine a function, a vGUID and a LID. */
@Command(
    name = "start",
    description = {
      "Have a controller give a virtual machine a function of a host, a vGUID and a LID.",
      "Its tenant must hold the host or have it as a member."
    },
    footer = {"", "Example:", "  heddle vms start web --tenant blue --on node17 --wait"})
public final class VmsStartCommand extends ShellCommand {

  @Mixin private ServerOptions options;

  @Mixin private WaitOptions waiting;

  @Option(
      names = "--tenant",
      required = true,
      paramLabel = "NAME",
      description = "The tenant it " + "belongs to.")
  private String tenant;

  @Option(
      names = "--on",
      required = true,
      paramLabel = "HOST",
      description = "The host: its name, or its GUID with 0x.")
  private String host;

  @Option(
      names = "--weight",
      paramLabel = "N",
      defaultValue = "1",
      description = "Its share of its host's traffic (default: ${DEFAULT-VALUE}).")
  private int weight;

  @Option(
      names = "--shared-lid",
      description = "Give it no LID of its own: it is reached at its host's.")
  private boolean shared;

  @Option(names = "--dry-run", description = "Say what would happen and change nothing.")
  private boolean dryRun;

  @Parameters(paramLabel = "NAME", description = "The virtual machine.")
  private String name;

  public VmsStartCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    String path = MachineAnswers.path(name);
    if (weight < 1 || weight > 1000) {
      throw Failure.badInput("--weight is 1 to 1000");
    }
    ObjectNode body =
        JsonNodeFactory.instance
            .objectNode()
            .put("name", name)
            .put("tenant", tenant)
            .put("host", host)
            .put("weight", weight)
            .put("own_lid", !shared);
    try (ServerClient client = options.open(session)) {
      JsonNode answer =
          waiting.change(
              client, session, "POST", "/v1/vms", Optional.of(body), Optional.empty(), dryRun);
      Changed changed = new Changed(session, json(), client);
      changed.print(
          MachineAnswers.MACHINE,
          name,
          path,
          answer,
          new Changed.Says("heddle.vms-start/1", "started", "would be started"));
    }
    return ExitCode.OK;
  }
}
