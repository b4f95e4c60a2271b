package org.heddle.cli.remote;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.heddle.cli.shell.Failure;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** Which of the things that a controller has recorded: the last ones, of some time, of somebody. */
public final class RecordOptions {
  private static final int MOST = 1000;

  @Option(
      names = "--last",
      paramLabel = "N",
      defaultValue = "20",
      description = "How many, 1000 at most (default: ${DEFAULT-VALUE}).")
  private int last;

  @Option(
      names = "--since",
      paramLabel = "TIME",
      description =
          "Not before this: 2026-11-29, 2026-11-29T08:00:00Z, or so long ago: 90m, 24h, 7d.")
  private String since;

  @Option(names = "--until", paramLabel = "TIME", description = "Before this, in the same way.")
  private String until;

  @Option(
      names = "--by",
      paramLabel = "WHO",
      description = "Only by this token or user; the controller itself is 'system'.")
  private String by;

  /**
   * The things of a path that are asked for, the oldest first.
   *
   * @throws Failure exit code 2 if an option is wrong
   */
  public List<JsonNode> read(ServerClient client, String path) {
    return read(client, path, last, _ -> true);
  }

  /**
   * The same of those things only that are wanted: goes back until there are enough of them, or
   * there are no more.
   *
   * @throws Failure exit code 2 if an option is wrong
   */
  public List<JsonNode> read(ServerClient client, String path, Predicate<JsonNode> wanted) {
    return read(client, path, MOST, wanted);
  }

  private List<JsonNode> read(
      ServerClient client, String path, int page, Predicate<JsonNode> wanted) {
    if (last < 1 || last > MOST) {
      throw Failure.badInput("--last is 1 to " + MOST);
    }
    Instant now = Instant.now();
    StringBuilder query = new StringBuilder("?order=desc&limit=" + page);
    add(query, "since", moment("--since", since, now));
    add(query, "until", moment("--until", until, now));
    add(query, "actor", by);
    List<JsonNode> out = new ArrayList<>();
    String after = "";
    int read;
    do {
      JsonNode answer = client.get(path + query + after);
      read = answer.path("items").size();
      for (JsonNode item : answer.path("items")) {
        if (out.size() < last && wanted.test(item)) {
          out.add(item);
        }
      }
      after = "&after=" + Words.text(answer, "next");
    } while (read == page && out.size() < last);
    return out.reversed();
  }

  private static void add(StringBuilder query, String name, String value) {
    if (value != null) {
      query.append('&').append(name).append('=').append(Words.encoded(value));
    }
  }

  /** A moment as the controller takes it. */
  static String moment(String option, String text, Instant now) {
    if (text == null) {
      return null;
    }
    try {
      if (text.matches("\\d{1,6}[smhd]")) {
        String iso = (text.endsWith("d") ? "P" : "PT") + text;
        return now.minus(Duration.parse(iso)).toString();
      }
      return text.contains("T")
          ? OffsetDateTime.parse(text).toInstant().toString()
          : LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant().toString();
    } catch (DateTimeException _) {
      throw Failure.badInput(
          option + ": '" + text + "' is no time",
          "2026-11-29, 2026-11-29T08:00:00Z, or so long ago: 90m, 24h, 7d");
    }
  }
}
