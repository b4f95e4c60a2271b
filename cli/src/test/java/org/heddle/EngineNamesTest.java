package org.heddle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.heddle.catalog.Catalog;
import org.heddle.routing.RoutingEngine;
import org.junit.jupiter.api.Test;

/** The name of an engine is written once: nobody chooses one by a literal of its own. */
class EngineNamesTest {
  @Test
  void everyNameIsWrittenOnce() throws IOException {
    List<String> sources = new ArrayList<>();
    try (Stream<Path> modules = Files.list(Path.of(".."))) {
      for (Path module : modules.map(m -> m.resolve("src/main/java")).sorted().toList()) {
        if (Files.isDirectory(module) && !module.startsWith("../bench")) {
          try (Stream<Path> files = Files.walk(module)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
              sources.add(Files.readString(file));
            }
          }
        }
      }
    }
    List<RoutingEngine> engines = Catalog.engines();
    assertThat(engines).isNotEmpty();
    for (RoutingEngine engine : engines) {
      String literal = '"' + engine.name() + '"';
      long seen = sources.stream().filter(s -> s.contains(literal)).count();
      assertThat(seen).as("classes with %s", literal).isEqualTo(1);
    }
  }
}
