package org.heddle.cli.shell;

import java.util.Optional;
import picocli.CommandLine.Option;

/**
 * Machines as a site lists them, for every command that reads a fabric: {@link FabricFiles#read}
 * takes them from the session, where {@link ShellCommand} puts the file.
 */
public final class MachinesOption {
  @Option(
      names = "--machines",
      paramLabel = "FILE",
      description = "Which adapters are in which machine, where the fabric does not tell.")
  private String file;

  /** The file, if one is given. */
  Optional<String> file() {
    return Optional.ofNullable(file);
  }
}
