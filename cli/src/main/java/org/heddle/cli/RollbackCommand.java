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
      "With --tenant, only one tenant with its VMs: nobody else is moved, and what is out of service "
          + "stays so. A tenant that was not there then goes.",
      "This is refused if what they held is no longer free; the reason says whose it is."
    },
    footer = {
      "",
      "Examples:",
      "  heddle rollback 41 --dry-run",
      "  heddle history --tenant red",
      "  heddle rollback 41 --tenant red --dry-run"
    })
final class RollbackCommand extends ShellCommand {
  @Mixin private ServerOptions options;

  @Option(names = "--dry-run", description = "Say what would happen and change nothing.")
  private boolean dryRun;

  @Option(
      names = "--tenant",
      paramLabel = "NAME",
      description = "Only this tenant, with its VMs (default: all).")
  private String tenant;

  @Parameters(paramLabel = "EPOCH", description = "The epoch, as 'heddle history' shows it.")
  private long epoch;

  RollbackCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    try (ServerClient client = options.open(session)) {
      ObjectNode body = JsonNodeFactory.instance.objectNode().put("epoch", epoch);
      if (tenant != null) {
        body.put("tenant", tenant);
      }
      JsonNode answer =
          client.change(
              "POST", "/v1/rollback" + (dryRun ? "?dry_run=true" : ""), Optional.of(body));
      if (json()) {
        ObjectNode document = client.document("heddle.rollback/1");
        document.put("to", epoch);
        document.put("of", tenant);
        document.set("outcome", answer.path("outcome"));
        document.set("epoch", answer.path("epoch"));
        document.set("tables", answer.path("tables").isObject() ? answer.path("tables") : null);
        document.set("tenant", answer.path("tenant").isObject() ? answer.path("tenant") : null);
        Json.print(session, document);
        return ExitCode.OK;
      }
      if (tenant != null) {
        session.out().println(ofOne(answer));
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

  private String ofOne(JsonNode answer) {
    String name = "tenant '" + tenant + "'";
    JsonNode now = answer.path("tenant");
    String what = now.isObject() ? ": " + Words.tenant(now) : "";
    String tables = Words.tables(answer);
    return switch (Words.text(answer, "outcome")) {
      case "would-be" ->
          name
              + (now.isObject() ? " would be as" : " would be gone, as it was not there")
              + " at epoch "
              + epoch
              + what
              + (tables.isEmpty() ? "" : "; " + tables);
      case "unchanged" -> name + " is as at epoch " + epoch + " already";
      default ->
          name
              + (now.isObject() ? " is as" : " is gone, as it was not there")
              + " at epoch "
              + epoch
              + what
              + ", at epoch "
              + answer.path("epoch").asLong(0);
    };
  }
}
