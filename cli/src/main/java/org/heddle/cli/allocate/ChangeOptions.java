package org.heddle.cli.allocate;

import picocli.CommandLine.Option;

/** What every command that changes the state takes. */
final class ChangeOptions {
  @Option(names = "--dry-run", description = "Say what would happen and change nothing.")
  private boolean dryRun;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "DIR",
      description = "Also write what the network, OpenStack and Slurm need, as 'export' does.")
  private String directory;

  boolean dryRun() {
    return dryRun;
  }

  /** Where to export to; null for not at all. */
  String directory() {
    return directory;
  }
}
