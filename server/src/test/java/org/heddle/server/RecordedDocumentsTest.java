package org.heddle.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.heddle.fabric.Guid;
import org.heddle.server.http.Documents;
import org.heddle.server.http.Route;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/**
 * What clients read does not change by accident: conversations recorded with revision 31472de are
 * played again, and every answer is the same byte for byte. Where that revision was wrong the file
 * has both, see {@link RecordedCase}. With {@code -Dheddle.record=true} files are written anew.
 */
class RecordedDocumentsTest {
  private static final Path CASES =
      Path.of("src", "test", "resources", "org", "heddle", "server", "recorded");

  private static final Set<String> GUIDS =
      Set.of("guid", "named", "from", "to", "port_guid", "vguid");

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
    if (Boolean.getBoolean("heddle.record")) {
      Files.write(file, now);
    }
    assertThat(String.join("\n", now)).isEqualTo(String.join("\n", recorded));
  }

  /**
   * Where the answer is another than that of 31472de, it says the same: a GUID that was a number is
   * the same GUID as a text, and so on; and something may have been added to the description.
   */
  @Test
  void whereItWasWrongOnlyTheFormOfGuidsKeysAndPoliciesIsAnother() throws Exception {
    int seen = 0;
    for (Path directory : List.of(CASES, CASES.resolveSibling("store").resolve("fixtures"))) {
      try (Stream<Path> files = Files.list(directory)) {
        for (Path file : files.filter(f -> f.toString().endsWith(".http")).sorted().toList()) {
          List<String> lines = Files.readAllLines(file);
          for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).startsWith("- ")) {
              JsonNode was = Documents.JSON.readTree(lines.get(i).substring(2));
              JsonNode is = Documents.JSON.readTree(lines.get(i + 2).substring(2));
              assertThat(was).as("%s:%d", file, i + 1).isNotEqualTo(is);
              compare("", was, is);
              seen++;
            }
          }
        }
      }
    }
    assertThat(seen).isPositive();
  }

  private static void compare(String at, JsonNode was, JsonNode is) {
    String field = at.replaceFirst(".*/", "");
    if (was.isObject()) {
      Set<String> names = new TreeSet<>(is.propertyNames());
      if (at.equals("/paths")) {
        names.retainAll(Set.copyOf(was.propertyNames()));
      }
      assertThat(names).as(at).isEqualTo(new TreeSet<>(was.propertyNames()));
      names.forEach(n -> compare(at + "/" + n, was.get(n), is.get(n)));
    } else if (was.isArray()) {
      assertThat(is.size()).as(at).isEqualTo(was.size());
      for (int i = 0; i < was.size(); i++) {
        compare(at, was.get(i), is.get(i));
      }
    } else if (GUIDS.contains(field) && was.isNumber()) {
      assertThat(is.stringValue()).as(at).isEqualTo(Guid.format(was.longValue()));
    } else if (field.equals("pkey") && was.isNumber()) {
      assertThat(is.stringValue()).as(at).isEqualTo("0x" + Integer.toHexString(was.intValue()));
    } else if (field.equals("policy")) {
      assertThat(is.stringValue()).as(at).isEqualTo(was.stringValue().toLowerCase(Locale.ROOT));
    } else {
      assertThat(is).as(at).isEqualTo(was);
    }
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
    assertThat(missing).isEmpty();
  }
}
