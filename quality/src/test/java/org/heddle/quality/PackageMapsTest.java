package org.heddle.quality;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A package-info is the map of its package: the classes that it names exist. */
class PackageMapsTest {
  private static final Pattern LINK =
      Pattern.compile("\\{@link(?:plain)?[\\s*]+(org\\.heddle(?:\\.[a-z0-9]+)*\\.[A-Z]\\w*)");

  /** A class that is not public, by its simple name. */
  private static final Pattern CODE = Pattern.compile("\\{@code[\\s*]+([A-Z][a-z]\\w*)\\}");

  @Test
  void theClassesThatMapsNameExist() throws IOException {
    Path root = Path.of(System.getProperty("heddle.root", ".."));
    List<Path> maps = new ArrayList<>();
    Set<String> known = new HashSet<>();
    for (Path file : sources(root)) {
      if (file.endsWith("package-info.java")) {
        maps.add(file);
      } else {
        String path = file.toString().replace('\\', '/');
        String name = path.substring(path.indexOf("/java/") + 6, path.length() - 5);
        known.add(name.replace('/', '.'));
        known.add(name.substring(name.lastIndexOf('/') + 1));
      }
    }
    List<String> missing = new ArrayList<>();
    for (Path map : maps) {
      String text = Files.readString(map);
      Stream.of(LINK, CODE)
          .flatMap(p -> p.matcher(text).results())
          .map((MatchResult m) -> m.group(1))
          .filter(name -> !known.contains(name))
          .forEach(name -> missing.add(root.relativize(map) + ": " + name));
    }
    assertThat(maps.size()).isGreaterThan(40);
    assertThat(missing).isEmpty();
  }

  private static List<Path> sources(Path root) throws IOException {
    List<Path> out = new ArrayList<>();
    try (Stream<Path> modules = Files.list(root)) {
      for (Path module : modules.map(m -> m.resolve("src/main/java")).sorted().toList()) {
        if (Files.isDirectory(module)) {
          try (Stream<Path> files = Files.walk(module)) {
            files.filter(f -> f.toString().endsWith(".java")).sorted().forEach(out::add);
          }
        }
      }
    }
    return out;
  }
}
