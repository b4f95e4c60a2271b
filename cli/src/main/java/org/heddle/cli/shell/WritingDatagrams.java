package org.heddle.cli.shell;

import org.heddle.smp.client.SmpOptions;
import picocli.CommandLine.Option;

/** The options of commands that write tables by datagrams. */
public final class WritingDatagrams extends Datagrams {
  @Option(
      names = "--drain",
      paramLabel = "MS",
      defaultValue = "" + SmpOptions.DEFAULT_DRAIN_MS,
      description =
          "Milliseconds that packets in flight get to arrive before writes that could close a "
              + "credit loop with them (default: ${DEFAULT-VALUE}).")
  private int drainMs;

  @Override
  int drainMs() {
    return drainMs;
  }
}
