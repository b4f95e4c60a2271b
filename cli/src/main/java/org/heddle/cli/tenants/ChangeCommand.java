package org.heddle.cli.tenants;

import java.util.List;
import java.util.Optional;
import org.heddle.cli.remote.Changed;
import org.heddle.cli.remote.ServerClient;
import org.heddle.cli.remote.ServerOptions;
import org.heddle.cli.remote.WaitOptions;
import org.heddle.cli.remote.Words;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code heddle tenants change}: another size or other hosts for a tenant of a controller. */
@Command(
    name = "change",
    description = {
      "Change the size, the hosts or the policy of a controller's tenant.",
      "One of -n, --host-names and --host-guids is required; whatever else is not given stays as "
          + "it is. The tenant may get other hosts: --dry-run shows them."
    },
    footer = {"", "Example:", "  heddle tenants change blue -n 96 --dry-run"})
public final class ChangeCommand extends ShellCommand {
  @Mixin private ServerOptions options;

  @Mixin private TenantOptions wanted;

  @Mixin private WaitOptions waiting;

  @Mixin private TenantChangeOptions how;

  @Parameters(paramLabel = "NAME", description = "The tenant.")
  private String name;

  public ChangeCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    if (!wanted.saysHosts()) {
      throw Failure.badInput(
          "how many hosts, or which? -n, --host-names or --host-guids is expected");
    }
    ObjectNode body = wanted.body(name);
    try (ServerClient client = options.open(session)) {
      String path = Words.tenantPath(name);
      JsonNode before = client.get(path);
      for (String key : List.of("policy", "owner", "oversubscription", "rails", "allocator")) {
        if (!body.has(key) && before.has(key)) {
          body.set(key, before.get(key));
        }
      }
      Changed changed = new Changed(session, json(), client);
      JsonNode answer =
          waiting.change(
              client,
              session,
              "PUT",
              path,
              Optional.of(wanted.resolved(client, body)),
              how.condition(),
              how.dryRun());
      changed.print(
          Said.TENANT,
          name,
          Words.tenantPath(name),
          answer,
          new Changed.Says("heddle.tenants-change/1", "changed", "would be changed"));
    }
    return ExitCode.OK;
  }
}
