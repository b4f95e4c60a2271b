package org.heddle.routing.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.heddle.catalog.Catalog;
import org.heddle.routing.RoutingEngine;
import org.junit.jupiter.api.Test;

/** The table of {@code docs/engines.md} has a row for every engine, by name. */
class EngineDocsTest {
  @Test
  void everyEngineHasARowAndEveryRowAnEngine() throws IOException {
    String text = Files.readString(Path.of("..", "docs", "engines.md"));
    List<String> rows =
        Pattern.compile("^\\| `([a-z0-9-]+)` \\|", Pattern.MULTILINE)
            .matcher(text)
            .results()
            .map(m -> m.group(1))
            .toList();
    assertThat(rows)
        .as("rows of docs/engines.md, in alphabetical order")
        .isEqualTo(Catalog.engines().stream().map(RoutingEngine::name).toList());
  }
}
