package org.heddle.cli.shell;

import org.heddle.allocation.AllocationRequest;
import picocli.CommandLine.Option;

/** What every command that asks an allocator takes. */
public final class SearchOptions {
  @Option(
      names = "--oversubscription",
      paramLabel = "P",
      defaultValue = "1",
      description = "Hosts of a tenant that share an up-link (default: 1, full bandwidth).")
  private int oversubscription;

  @Option(
      names = "--budget",
      paramLabel = "STEPS",
      defaultValue = "" + AllocationRequest.DEFAULT_BUDGET,
      description = "Search steps that an attempt may take (default: ${DEFAULT-VALUE}).")
  private long budget;

  /** Hosts that share an up-link. */
  public int oversubscription() {
    return oversubscription;
  }

  /** Steps of search. */
  public long budget() {
    return budget;
  }
}
