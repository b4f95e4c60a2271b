package org.heddle.cli.jobs;

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

/** {@code heddle jobs list}: the jobs of a controller. */
@Command(
    name = "list",
    description = "List the jobs of a controller, oldest first; the last 10,000 are kept.",
    footer = {"", "Example:", "  heddle jobs list --state applying"})
public final class JobsListCommand extends ShellCommand {
  private static final List<String> STATES =
      List.of("queued", "running", "applying", "done", "written", "failed", "cancelled");

  @Mixin private ServerOptions options;

  @Option(
      names = "--state",
      paramLabel = "STATE",
      description =
          "Only jobs in this state: queued, running, applying, done, written, failed "
              + "or cancelled.")
  private String state;

  public JobsListCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    if (state != null && !STATES.contains(state)) {
      throw Failure.badInput("'" + state + "' is not a state: " + String.join(", ", STATES));
    }
    try (ServerClient client = options.open(session)) {
      List<JsonNode> jobs = client.all("/v1/jobs", state == null ? "" : "state=" + state);
      if (json()) {
        ObjectNode document = client.document("heddle.jobs-list/1");
        document.putArray("jobs").addAll(jobs);
        Json.print(session, document);
        return ExitCode.OK;
      }
      TextTable table = new TextTable("job", "created", "who", "what", "of", "state", "epoch");
      for (JsonNode j : jobs) {
        table.row(
            j.path("id").asLong(0),
            Words.moment(j, "created"),
            Words.text(j, "actor"),
            Words.text(j, "kind"),
            Words.text(j, "subject"),
            Words.text(j, "state"),
            Words.text(j, "epoch"));
      }
      if (table.isEmpty()) {
        session.out().println("no jobs");
      } else {
        table.print(session.out(), session.terminal(), "");
      }
    }
    return ExitCode.OK;
  }
}
