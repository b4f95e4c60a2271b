package org.heddle.cli.simulate;

import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How random trials are run. */
final class TrialOptions {
  @Mixin private SeedOption random;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "0",
      description = "Trials at a time (default: one per processor).")
  private int threads;

  long seed() {
    return random.seed();
  }

  /** Trials at a time; 0 for one a processor. */
  int threads() {
    return threads;
  }
}
