package org.heddle.cli.tenants;

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
import tools.jackson.databind.node.ObjectNode;

/** {@code heddle tenants create}: asks a controller for a tenant. */
@Command(
    name = "create",
    description = {
      "Ask a controller for a tenant; it answers once the tenant is stored and proven.",
      "Exit code 1 with the reason if it is refused. Asking again for the same tenant changes "
          + "nothing."
    },
    footer = {
      "",
      "Examples:",
      "  heddle tenants create blue -n 64",
      "  heddle tenants create red --host-names 'node[001-016]'",
      "  heddle tenants create green -n 6 --dry-run",
      "  heddle tenants create white -n 8 --wait"
    })
public final class CreateCommand extends ShellCommand {
  @Mixin private ServerOptions options;

  @Mixin private TenantOptions wanted;

  @Mixin private WaitOptions waiting;

  @Option(names = "--dry-run", description = "Say what would happen and change nothing.")
  private boolean dryRun;

  @Parameters(paramLabel = "NAME", description = "The tenant.")
  private String name;

  public CreateCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    ObjectNode body = wanted.body(name);
    try (ServerClient client = options.open(session)) {
      Changed changed = new Changed(session, json(), client);
      JsonNode answer =
          waiting.change(
              client,
              session,
              "POST",
              "/v1/tenants",
              Optional.of(wanted.resolved(client, body)),
              Optional.empty(),
              dryRun);
      changed.print(
          Said.TENANT,
          name,
          "/v1/tenants/" + Words.encoded(name),
          answer,
          new Changed.Says("heddle.tenants-create/1", "admitted", "would be admitted"));
    }
    return ExitCode.OK;
  }
}
