package org.heddle.cli;

import java.util.Optional;
import org.heddle.cli.remote.ServerClient;
import org.heddle.cli.remote.ServerOptions;
import org.heddle.cli.remote.Words;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** {@code heddle rollback}: a controller's tenants as they were. */
@Command(
    name = "rollback",
    description = {
      "Return a controller's tenants to what they were at an epoch, as a new change.",
      "This is refused if what they held is no longer free."
    },
    footer = {"", "Example:", "  heddle rollback 41 --dry-run"})
final class RollbackCommand extends ShellCommand {
  @Mixin private ServerOptions options;

  @Option(names = "--dry-run", description = "Say what would happen and change nothing.")
  private boolean dryRun;

  @Parameters(paramLabel = "EPOCH", description = "The epoch, as 'heddle history' shows it.")
  private long epoch;

  RollbackCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    try (ServerClient client = options.open(session)) {
      ObjectNode body = JsonNodeFactory.instance.objectNode().put("epoch", epoch);
      JsonNode answer =
          client.change(
              "POST", "/v1/rollback" + (dryRun ? "?dry_run=true" : ""), Optional.of(body));
      if (json()) {
        ObjectNode document = client.document("heddle.rollback/1");
        document.put("to", epoch);
        document.set("outcome", answer.path("outcome"));
        document.set("epoch", answer.path("epoch"));
        document.set("tables", answer.path("tables").isObject() ? answer.path("tables") : null);
        Json.print(session, document);
        return ExitCode.OK;
      }
      String tables = Words.tables(answer);
      session
          .out()
          .println(
              switch (Words.text(answer, "outcome")) {
                case "would-be" ->
                    "the tenants would be those of epoch "
                        + epoch
                        + (tables.isEmpty() ? "" : "; " + tables);
                case "unchanged" -> "the tenants are those of epoch " + epoch + " already";
                default ->
                    "the tenants are those of epoch "
                        + epoch
                        + ", at epoch "
                        + answer.path("epoch").asLong(0);
              });
    }
    return ExitCode.OK;
  }
}
