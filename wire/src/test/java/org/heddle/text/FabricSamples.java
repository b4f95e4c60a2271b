package org.heddle.text;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** Finds the sample files, which are not part of the repository. */
final class FabricSamples {
  private FabricSamples() {}

  /** All files of a sample folder; skips the calling test where the samples are absent. */
  static List<Path> files(String folder) throws IOException {
    Path dir = root();
    Assumptions.assumeTrue(
        dir != null && Files.isDirectory(dir.resolve(folder)),
        "no sample files: set HEDDLE_SAMPLES or put them at ../shared/samples");
    try (Stream<Path> walk = Files.walk(dir.resolve(folder))) {
      return new ArrayList<>(walk.filter(Files::isRegularFile).sorted().toList());
    }
  }

  static Source source(Path file) throws IOException {
    return new Source(file.getFileName().toString(), Files.readAllBytes(file));
  }

  private static Path root() {
    String set = System.getenv("HEDDLE_SAMPLES");
    if (set != null) {
      return Path.of(set);
    }
    for (Path up = Path.of("").toAbsolutePath(); up != null; up = up.getParent()) {
      Path dir = up.resolve("../shared/samples").normalize();
      if (Files.isDirectory(dir)) {
        return dir;
      }
    }
    return null;
  }
}
