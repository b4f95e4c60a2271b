package org.heddle.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.heddle.plan.model.EventKind;
import org.heddle.server.http.Documents;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Who waits for a kind of event waits for one that there is. */
class EventKindsTest {
  private static final Path CONSOLE =
      Path.of("src", "main", "resources", "org", "heddle", "server", "console");

  /** What a script compares the kind of something with, if it may be an event's: with a hyphen. */
  private static final Pattern COMPARED =
      Pattern.compile("\\bkind\\s*[!=]==?\\s*'([a-z]+(?:-[a-z]+)+)'");

  private static final Pattern WORD = Pattern.compile("'([a-z]+(?:-[a-z]+)+)'");

  @TempDir Path directory;

  @Test
  void allKindsAreServedToEverybody() throws Exception {
    try (TestServer at = TestServer.start(directory, TestServer.ROOT, TestServer.RED)) {
      HttpResponse<String> answer = at.send("red", "GET", "/v1/event-kinds", "");
      assertThat(answer.statusCode()).isEqualTo(200);
      Map<String, String> served = new HashMap<>();
      for (JsonNode item : Documents.JSON.readTree(answer.body()).get("items")) {
        served.put(item.get("kind").stringValue(), item.get("severity").stringValue());
      }
      assertThat(served).hasSameSizeAs(EventKind.values());
      for (EventKind kind : EventKind.values()) {
        assertThat(served).containsEntry(kind.word(), kind.severity().word());
        assertThat(EventKind.of(kind.word())).contains(kind);
      }
      assertThat(served)
          .containsEntry("trouble", "trouble")
          .containsEntry("drift", "trouble")
          .containsEntry("promise-broken", "trouble");
    }
  }

  private static List<Path> scripts() throws IOException {
    try (Stream<Path> files = Files.list(CONSOLE)) {
      return files.filter(f -> f.toString().endsWith(".js")).sorted().toList();
    }
  }

  @Test
  void theConsoleComparesWithKindsThatThereAreOnly() throws IOException {
    for (Path script : scripts()) {
      Matcher m = COMPARED.matcher(Files.readString(script));
      while (m.find()) {
        assertThat(EventKind.of(m.group(1))).as("%s: %s", script, m.group(1)).isPresent();
      }
    }
  }

  /**
   * The list of events marks by the severity that is served, so it needs no names; every word with
   * a hyphen in it is a part of the page or a kind.
   */
  @Test
  void theConsoleMarksEveryKindThatIsServedAsTrouble() throws IOException {
    String script = Files.readString(CONSOLE.resolve("events.js"));
    assertThat(script)
        .contains("call('GET', '/v1/event-kinds')")
        .contains("severity.set(k.kind, k.severity)")
        .contains("(severity.get(kind) ?? 'info') !== 'info'")
        .contains("isMarked(e.kind) ? 'kind bad-kind' : 'kind'");
    String page = Files.readString(CONSOLE.resolve("index.html"));
    Set<String> unknown = new TreeSet<>();
    Matcher m = WORD.matcher(script);
    while (m.find()) {
      String word = m.group(1);
      if (!page.contains("id=\"" + word + "\"") && EventKind.of(word).isEmpty()) {
        unknown.add(word);
      }
    }
    assertThat(unknown).isEmpty();
  }
}
