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

/** {@code heddle history}: the journal of a controller. */
@Command(
    name = "history",
    description = {
      "Show a controller's last changes: epoch, when, who, what.",
      "'heddle rollback EPOCH' returns to one, and with --tenant one tenant only."
    },
    footer = {
      "",
      "Examples:",
      "  heddle history --since 24h",
      "  heddle history --tenant red",
      "  heddle history --since 2026-11-01 --until 2026-12-01 --by ci --last 1000"
    })
final class HistoryCommand extends ShellCommand {
  @Mixin private ServerOptions options;

  @Mixin private RecordOptions which;

  @Option(
      names = "--tenant",
      paramLabel = "NAME",
      description = "Only changes of this tenant, its VMs among them.")
  private String tenant;

  HistoryCommand(Session session) {
    super(session);
  }

  private boolean ofTenant(JsonNode change) {
    for (JsonNode effect : change.path("effects")) {
      if (Words.text(effect, "name").equals(tenant)) {
        return true;
      }
    }
    for (JsonNode vm : change.path("vms")) {
      for (String side : new String[] {"before", "after"}) {
        if (Words.text(vm.path(side), "tenant").equals(tenant)) {
          return true;
        }
      }
    }
    return false;
  }

  @Override
  protected int execute() {
    try (ServerClient client = options.open(session)) {
      List<JsonNode> changes =
          tenant == null
              ? which.read(client, "/v1/history")
              : which.read(client, "/v1/history", this::ofTenant);
      if (json()) {
        ObjectNode document = client.document("heddle.history/1");
        document.putArray("changes").addAll(changes);
        Json.print(session, document);
        return ExitCode.OK;
      }
      TextTable table = new TextTable("epoch", "at", "who", "what", "of");
      for (JsonNode e : changes) {
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
