package org.heddle.migrate;

import org.heddle.addressing.AddressingOptions;
import org.heddle.addressing.AddressingScheme;

/**
 * Where virtual machines are at first, and where they go.
 *
 * @param from how they are spread at first
 * @param to what the moves bring about. {@link Layout#RANDOM} means two random moves for each
 *     hypervisor, as in the paper, wherever they lead
 * @param population machines, as a percentage of all virtual functions
 * @param functions virtual functions of a hypervisor
 * @param groups number of groups for {@link Layout#GROUPING}, of equal size, drawn at random
 * @param scheme who owns which LID: {@link AddressingScheme#DYNAMIC} copies the routes of
 *     hypervisors, {@link AddressingScheme#PREPOPULATED} swaps those of functions
 */
public record MigrationScenario(
    Layout from, Layout to, int population, int functions, int groups, AddressingScheme scheme) {
  /** Functions of a hypervisor in the paper. */
  public static final int FUNCTIONS = 4;

  /**
   * @throws IllegalArgumentException if a number is out of range, machines of the scheme have no
   *     LIDs in the forwarding tables, or there would be nothing to move; the message is for people
   */
  public MigrationScenario {
    if (population < 1 || population > 100) {
      throw new IllegalArgumentException("a population of " + population + " % is not 1 to 100 %");
    }
    if (functions < 1 || functions > AddressingOptions.MAX_FUNCTIONS) {
      throw new IllegalArgumentException(
          functions + " functions are not 1 to " + AddressingOptions.MAX_FUNCTIONS);
    }
    if (groups < 1) {
      throw new IllegalArgumentException(groups + " groups: 1 or more are expected");
    }
    if (scheme != AddressingScheme.DYNAMIC && scheme != AddressingScheme.PREPOPULATED) {
      throw new IllegalArgumentException(
          "VMs under " + scheme.key() + " need not own LIDs: dynamic and prepopulated do");
    }
    if (from == to && to != Layout.RANDOM) {
      throw new IllegalArgumentException("from " + from.key() + " to the same nothing moves");
    }
  }

  /** Four functions, two groups, dynamic LIDs. */
  public static MigrationScenario of(Layout from, Layout to, int population) {
    return new MigrationScenario(from, to, population, FUNCTIONS, 2, AddressingScheme.DYNAMIC);
  }

  /** The same with another number of functions. */
  public MigrationScenario withFunctions(int count) {
    return new MigrationScenario(from, to, population, count, groups, scheme);
  }

  /** The same under another scheme. */
  public MigrationScenario withScheme(AddressingScheme other) {
    return new MigrationScenario(from, to, population, functions, groups, other);
  }

  /** Machines on so many hypervisors, to the nearest; at least two. */
  public int machines(int hypervisors) {
    return Math.max(2, (int) Math.round(hypervisors * (double) functions * population / 100));
  }
}
