package org.heddle.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.heddle.server.http.Route;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What clients read does not change by accident: conversations recorded with revision 31472de are
 * played again, and every answer is the same byte for byte. What has changed on purpose since, the
 * head of a file says. With {@code -Dheddle.record=true} files are written anew: read what differs.
 */
class RecordedDocumentsTest {
  private static final Path CASES =
      Path.of("src", "test", "resources", "org", "heddle", "server", "recorded");

  @TempDir Path directory;

  static List<String> cases() throws IOException {
    try (Stream<Path> files = Files.list(CASES)) {
      return files.map(f -> f.getFileName().toString()).sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void everyAnswerIsWhatItWas(String name) throws Exception {
    Path file = CASES.resolve(name);
    List<String> recorded = Files.readAllLines(file);
    List<String> now = RecordedCase.play(recorded, directory, _ -> null);
    RecordedCase.compare(file, recorded, now);
  }

  @Test
  void everyCallOfTheInterfaceIsAmongThem() throws Exception {
    TreeSet<String> missing = new TreeSet<>();
    try (TestServer at = TestServer.start(directory)) {
      for (Route route : at.server.routes()) {
        missing.add(route.method() + " " + route.path());
      }
      for (String name : cases()) {
        for (String line : Files.readAllLines(CASES.resolve(name))) {
          String[] words = line.split(" ");
          if (line.startsWith("> ") && words.length >= 4) {
            String method = words[2].matches("STREAM|UNTIL") ? "GET" : words[2];
            String path = words[words.length - 1].replaceFirst("\\?.*", "");
            List<String> segments = List.of(path.substring(1).split("/"));
            at.server.routes().stream()
                .filter(r -> r.method().equals(method) && r.match(segments).isPresent())
                .forEach(r -> missing.remove(r.method() + " " + r.path()));
          }
        }
      }
    }
    assertThat(missing).as("calls of which no file in %s has a request", CASES).isEmpty();
  }
}
