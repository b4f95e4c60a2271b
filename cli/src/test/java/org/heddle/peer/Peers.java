package org.heddle.peer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** OpenSM, ibsim and the InfiniBand diagnostics, which most tests of this package need together. */
final class Peers {
  /** What the last sixty lines of a run of all tests have room for, besides the message. */
  private static final int TAIL_LINES = 12;

  private static final int TAIL_WIDTH = 400;

  private Peers() {}

  /** Skips the test, or fails it under CI, unless all programs are there. */
  static void need() {
    Program.need(
        Program.OPENSM,
        Program.IBSIM,
        Program.IBSIM_RUN,
        Program.IBNETDISCOVER,
        Program.DUMP_FTS,
        Program.IBROUTE,
        Program.SAQUERY,
        Program.SMPQUERY);
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
