package org.heddle.cli;

import java.util.List;
import org.heddle.cli.remote.RecordOptions;
import org.heddle.cli.remote.ServerClient;
import org.heddle.cli.remote.ServerOptions;
import org.heddle.cli.remote.Words;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.cli.shell.TextTable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code heddle audit-log}: who asked for what. */
@Command(
    name = "audit-log",
    description = {
      "Show the last requests for changes to a controller, and wrong credentials: when, who, from "
          + "where, what, and the answer's status.",
      "Refused requests are among them; what was changed is in 'heddle history'."
    },
    footer = {
      "",
      "Examples:",
      "  heddle audit-log --refused --since 1h",
      "  heddle audit-log --by ci --since 2026-11-29 --json"
    })
final class AuditLogCommand extends ShellCommand {
  private static final int FIRST_REFUSAL = 400;

  @Mixin private ServerOptions options;
  @Mixin private RecordOptions which;

  @Option(
      names = "--refused",
      description = "Only requests that were refused: status 400 and above.")
  private boolean refused;

  AuditLogCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    try (ServerClient client = options.open(session)) {
      List<JsonNode> requests =
          refused
              ? which.read(client, "/v1/audit", r -> r.path("status").asInt(0) >= FIRST_REFUSAL)
              : which.read(client, "/v1/audit");
      if (json()) {
        ObjectNode document = client.document("heddle.audit-log/1");
        document.putArray("requests").addAll(requests);
        Json.print(session, document);
        return ExitCode.OK;
      }
      TextTable table = new TextTable("at", "who", "from", "status", "request");
      for (JsonNode r : requests) {
        String note = Words.text(r, "note");
        table.row(
            Words.moment(r, "at"),
            Words.text(r, "actor").isEmpty() ? "-" : Words.text(r, "actor"),
            Words.text(r, "remote"),
            r.path("status").asInt(0),
            Words.text(r, "action") + (note.isEmpty() ? "" : "  " + note));
      }
      if (table.isEmpty()) {
        session.out().println("no requests");
      } else {
        table.print(session.out(), session.terminal(), "");
      }
    }
    return ExitCode.OK;
  }
}
