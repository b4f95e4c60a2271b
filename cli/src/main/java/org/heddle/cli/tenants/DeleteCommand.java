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
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code heddle tenants delete}: a controller lets a tenant go. */
@Command(
    name = "delete",
    description = {
      "Delete a tenant of a controller: its hosts, links and key are free again.",
      "'heddle rollback' brings it back as long as they are free."
    })
public final class DeleteCommand extends ShellCommand {
  @Mixin private ServerOptions options;

  @Mixin private WaitOptions waiting;

  @Mixin private TenantChangeOptions how;

  @Parameters(paramLabel = "NAME", description = "The tenant.")
  private String name;

  public DeleteCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    try (ServerClient client = options.open(session)) {
      Changed changed = new Changed(session, json(), client);
      JsonNode answer =
          waiting.change(
              client,
              session,
              "DELETE",
              Words.tenantPath(name),
              Optional.empty(),
              how.condition(),
              how.dryRun());
      changed.print(
          Said.TENANT,
          name,
          "",
          answer,
          new Changed.Says("heddle.tenants-delete/1", "deleted", "would be deleted"));
    }
    return ExitCode.OK;
  }
}
