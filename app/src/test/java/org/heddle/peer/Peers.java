package org.heddle.peer;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/**
 * The peer programs on this machine. Where they are missing a test is skipped, except under {@code
 * CI=true}, where that is a failure.
 */
final class Peers {
  private static final Map<String, String> PACKAGES =
      new TreeMap<>(
          Map.of(
              "ibsim", "ibsim-utils",
              "ibsim-run", "ibsim-utils",
              "opensm", "opensm",
              "ibnetdiscover", "infiniband-diags",
              "dump_fts", "infiniband-diags",
              "ibroute", "infiniband-diags",
              "saquery", "infiniband-diags",
              "smpquery", "infiniband-diags"));

  /** What the last sixty lines of a run of all tests have room for, besides the message. */
  private static final int TAIL_LINES = 12;

  private static final int TAIL_WIDTH = 400;

  private Peers() {}

  /** Skips the test, or fails it under CI, unless all programs are there. */
  static void assumePresent() {
    List<String> missing = new ArrayList<>();
    PACKAGES.forEach(
        (program, debian) -> {
          if (find(program).isEmpty()) {
            missing.add(program + " (Debian package " + debian + ")");
          }
        });
    if (missing.isEmpty()) {
      return;
    }
    String message =
        "NOT TESTED against OpenSM, missing: "
            + String.join(", ", missing)
            + "; apt-get install opensm ibsim-utils infiniband-diags";
    if ("true".equals(System.getenv("CI"))) {
      Assertions.fail(message);
    }
    System.err.println(message);
    Assumptions.abort(message);
  }

  /** The search path for programs; system directories are added, users do not have them. */
  static String searchPath() {
    String path = System.getenv("PATH");
    return (path == null ? "" : path + ":") + "/usr/local/sbin:/usr/sbin:/sbin:/usr/bin:/bin";
  }

  private static Optional<Path> find(String program) {
    for (String directory : searchPath().split(":")) {
      Path file = Path.of(directory + File.separator + program);
      if (!directory.isEmpty() && Files.isExecutable(file)) {
        return Optional.of(file);
      }
    }
    return Optional.empty();
  }

  /** The end of a text file, for messages about what went wrong. */
  static String tail(Path file) {
    try {
      if (!Files.exists(file)) {
        return file + " does not exist";
      }
      List<String> lines =
          new String(Files.readAllBytes(file), "UTF-8")
              .lines()
              .filter(line -> !line.isBlank())
              .map(line -> line.length() > TAIL_WIDTH ? line.substring(0, TAIL_WIDTH) : line)
              .toList();
      return file
          + ":\n"
          + String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
    } catch (IOException e) {
      return file + ": " + e;
    }
  }
}
