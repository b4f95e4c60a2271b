package org.heddle.cli;

import java.util.List;
import org.heddle.cli.remote.ServerClient;
import org.heddle.cli.remote.ServerOptions;
import org.heddle.cli.remote.Words;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.cli.shell.TextTable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code heddle history}: the journal of a controller. */
@Command(
    name = "history",
    description = {
      "Show a controller's last changes: epoch, when, who, what.",
      "'heddle rollback EPOCH' returns to one."
    })
final class HistoryCommand extends ShellCommand {
  @Mixin private ServerOptions options;

  @Option(
      names = "--last",
      paramLabel = "N",
      defaultValue = "20",
      description = "How many changes, 1000 at most (default: ${DEFAULT-VALUE}).")
  private int last;

  HistoryCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    if (last < 1 || last > 1000) {
      throw Failure.badInput("--last is 1 to 1000");
    }
    try (ServerClient client = options.open(session)) {
      long epoch = client.get("/v1/fabrics").path("items").path(0).path("epoch").asLong(0);
      long after = Math.max(0, epoch - last);
      JsonNode page = client.get("/v1/history?limit=1000&after=" + after);
      if (json()) {
        ObjectNode document = client.document("heddle.history/1");
        document.set("changes", page.path("items"));
        Json.print(session, document);
        return ExitCode.OK;
      }
      TextTable table = new TextTable("epoch", "at", "who", "what", "of");
      for (JsonNode e : page.path("items")) {
        List<String> names = Words.fields(e.path("effects"), "name");
        String subject = Words.text(e, "subject");
        table.row(
            e.path("epoch").asLong(0),
            Words.moment(e, "at"),
            Words.text(e, "actor"),
            Words.text(e, "kind"),
            subject.isEmpty() ? String.join(",", names) : subject);
      }
      table.print(session.out(), session.terminal(), "");
    }
    return ExitCode.OK;
  }
}
