package org.heddle.cli.tenants;

import java.util.Optional;
import org.heddle.cli.remote.Words;
import picocli.CommandLine.Option;

/** Whether a tenant is changed at all, and from which version on. */
final class TenantChangeOptions {
  @Option(names = "--dry-run", description = "Say what would happen and change nothing.")
  private boolean dryRun;

  @Option(
      names = "--if-version",
      paramLabel = "N",
      description = "Only if this is still its version, as 'tenants list' shows it.")
  private Long version;

  boolean dryRun() {
    return dryRun;
  }

  /** The condition for the controller, if there is one. */
  Optional<String> condition() {
    return Words.version(version);
  }
}
