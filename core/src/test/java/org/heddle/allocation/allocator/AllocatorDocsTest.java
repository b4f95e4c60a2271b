package org.heddle.allocation.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.heddle.allocation.Allocator;
import org.heddle.catalog.Catalog;
import org.junit.jupiter.api.Test;

/** The table of {@code docs/allocators.md} has a row for every allocator, by name. */
class AllocatorDocsTest {
  @Test
  void everyAllocatorHasARowAndEveryRowAnAllocator() throws IOException {
    String text = Files.readString(Path.of("..", "docs", "allocators.md"));
    List<String> rows =
        Pattern.compile("^\\| `([a-z0-9-]+)` \\|", Pattern.MULTILINE)
            .matcher(text)
            .results()
            .map(m -> m.group(1))
            .toList();
    assertThat(rows)
        .as("rows of docs/allocators.md, in alphabetical order")
        .isEqualTo(Catalog.allocators().stream().map(Allocator::name).toList());
    assertThat(Catalog.allocator(Allocator.DEFAULT)).isPresent();
  }
}
