package org.heddle.cli.serve;

import java.util.Optional;
import org.heddle.cli.shell.Session;
import org.heddle.text.config.ServeFile;
import org.heddle.text.config.ServeFileReader;
import picocli.CommandLine.Option;

/** Which controller: its configuration file, and what is said in place of that. */
final class ControllerOptions {
  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "Configuration file (YAML); options of the command line take precedence over it.")
  private String config;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Directory of the database (default: " + ServeSettings.DATA + ").")
  private String data;

  @Option(
      names = "--machines",
      paramLabel = "FILE",
      description = "Which adapters are in which machine, where the fabric does not tell.")
  private String machines;

  /** The configuration file; that of one that says nothing if none is given. */
  ServeFile file(Session session) {
    return config == null
        ? ServeFile.EMPTY
        : session.accept(config, ServeFileReader.read(session.read(config)));
  }

  /** Where the database is. */
  String data(ServeFile file) {
    return Optional.ofNullable(data).or(file::data).orElse(ServeSettings.DATA);
  }

  /** The list of machines, if there is one. */
  Optional<String> machines(ServeFile file) {
    return Optional.ofNullable(machines).or(file::machines);
  }
}
