package org.heddle.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.heddle.cli.remote.Events;
import org.heddle.cli.remote.ServerClient;
import org.heddle.cli.remote.ServerOptions;
import org.heddle.cli.remote.Words;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code heddle events}: what happened, and what happens. */
@Command(
    name = "events",
    description = {
      "Show the last events of a controller: changes, drift, trouble, promises broken and restored.",
      "With --follow it goes on with new ones, through restarts and changes of the leader."
    },
    footer = {
      "",
      "Examples:",
      "  heddle events --last 100",
      "  heddle events --follow --json | jq -c 'select(.kind == \"drift\")'"
    })
final class EventsCommand extends ShellCommand {
  private static final int MOST = 1000;

  @Mixin private ServerOptions options;

  @Option(
      names = "--last",
      paramLabel = "N",
      defaultValue = "20",
      description = "How many past events to begin with, 1000 at most (default: ${DEFAULT-VALUE}).")
  private int last;

  @Option(
      names = "--after",
      paramLabel = "ID",
      description = "Begin after this event instead; an event's id is the first word of its line.")
  private Long after;

  @Option(
      names = {"-f", "--follow"},
      description = "Go on with new events as they happen; with --json one object per line.")
  private boolean follow;

  @Option(
      names = "--count",
      paramLabel = "N",
      description = "Stop after this many; with --follow it would not stop otherwise.")
  private Integer count;

  EventsCommand(Session session) {
    super(session);
  }

  @Override
  protected int execute() {
    if (last < 0 || last > MOST || after != null && after < 0 || count != null && count < 1) {
      throw Failure.badInput("--last is 0 to 1000, --after 0 or more, --count 1 or more");
    }
    try (ServerClient client = options.open(session)) {
      List<JsonNode> first = first(client);
      if (json() && !follow) {
        ObjectNode document = client.document("heddle.events/1");
        document.putArray("events").addAll(first);
        Json.print(session, document);
        return ExitCode.OK;
      }
      first.forEach(this::print);
      long left = count == null ? Long.MAX_VALUE : count - first.size();
      if (follow && left > 0) {
        Optional<String> from =
            first.isEmpty()
                ? Optional.ofNullable(after).map(String::valueOf)
                : Optional.of(Words.text(first.getLast(), "id"));
        long[] seen = {0};
        new Events(client, from)
            .follow(
                e -> {
                  print(e);
                  session.requireOutput();
                  return ++seen[0] < left;
                });
      }
    }
    return ExitCode.OK;
  }

  private List<JsonNode> first(ServerClient client) {
    int limit = count == null ? MOST : Math.min(MOST, count);
    if (after == null && last == 0) {
      return List.of();
    }
    String query = after == null ? "last=" + last : "after=" + after;
    List<JsonNode> out = new ArrayList<>();
    client.get("/v1/events?limit=" + limit + "&" + query).path("items").forEach(out::add);
    return out;
  }

  private void print(JsonNode e) {
    if (json()) {
      session.out().println(e.toString());
      return;
    }
    String subject = Words.text(e, "subject");
    String text = Words.text(e, "text");
    session
        .out()
        .printf(
            "%6d  %s  %-16s %s%s%n",
            e.path("id").asLong(0),
            Words.moment(e, "at"),
            Words.text(e, "kind"),
            subject,
            text.isEmpty() || text.equals(subject) ? "" : "  " + text);
  }
}
