package org.heddle.cli;

import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * Runs typical commands once and throws their output away, so that the AOT cache which the launcher
 * has the JVM record knows the classes they load.
 */
final class StartTraining {
  private StartTraining() {}

  public static void main(String[] args) {
    Main.main(new String[] {"--version"});
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    for (List<String> words :
        List.of(
            List.of("--help"),
            List.of("fabric", "--help"),
            List.of("engines"),
            List.of("engines", "--json"),
            List.of("fabrik"))) {
      Main.run(words, InputStream.nullInputStream(), nowhere, nowhere, Map.of());
    }
  }
}
