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
 *
 * <p>Argument: a scratch directory.
 */
final class StartTraining {
  private static final int PLANS = 3;

  private StartTraining() {}

  public static void main(String[] args) {
    for (List<String> words :
        List.of(
            List.of("--help"), // not Main.main: it ends the process
            List.of("fabric", "--help"),
            List.of("engines", "--json"),
            List.of("completion", "bash"),
            List.of("fabrik"),
            List.of("fabric", "status", "--server", "http://127.0.0.1:1"), // nobody listens there
            List.of("demo", "--dir", args[0]))) {
      run(words);
    }
    plan(args[0] + "/whole.net", args[0] + "/tenants.yaml", args[0] + "/plan");
  }

  /** The cache remembers how often methods ran, too: plans are computed much faster with that. */
  private static void plan(String fabric, String tenants, String directory) {
    run(List.of("tenants", "init", fabric, "-o", tenants));
    run(List.of("tenants", "validate", tenants, fabric));
    run(List.of("plan", fabric, tenants, "-o", directory));
    String tables = directory + "/tables.hlft";
    for (int i = 0; i < PLANS; i++) {
      run(List.of("plan", fabric, tenants, "--current", tables, "-o", directory));
      run(List.of("audit", fabric, tables, "--tenants", tenants, "--json"));
    }
  }

  private static void run(List<String> words) {
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    Main.run(words, InputStream.nullInputStream(), nowhere, nowhere, Map.of());
  }
}
