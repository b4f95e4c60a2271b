package org.heddle.cli.simulate;

import picocli.CommandLine.Option;

/** {@code --seed} of what is drawn at random. */
final class SeedOption {
  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed for everything random (default: 1).")
  private long seed;

  long seed() {
    return seed;
  }
}
