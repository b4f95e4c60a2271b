package org.heddle.cli.migrate;

import org.heddle.cli.shell.Failure;
import org.heddle.reconfig.migration.MigrationCost;
import picocli.CommandLine.Option;

/** Options of estimated times. */
final class CostModel {
  @Option(
      names = "-k",
      paramLabel = "US",
      defaultValue = "50",
      description = "Round-trip time of a packet, in microseconds (default: ${DEFAULT-VALUE}).")
  private double k;

  @Option(
      names = "-r",
      paramLabel = "US",
      defaultValue = "15",
      description =
          "Microseconds that directed routing adds to the round trip (default: "
              + "${DEFAULT-VALUE}).")
  private double r;

  @Option(
      names = "--depth",
      paramLabel = "N",
      defaultValue = "1",
      description = "Packets in flight at the same time (default: ${DEFAULT-VALUE}).")
  private int depth;

  MigrationCost.Model model() {
    if (!(k >= 0) || !(r >= 0) || Double.isInfinite(k + r) || depth < 1) {
      throw Failure.badInput("-k and -r are 0 or more, --depth is 1 or more");
    }
    return new MigrationCost.Model(k, r, depth);
  }
}
