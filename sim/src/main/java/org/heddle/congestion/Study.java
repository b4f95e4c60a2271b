package org.heddle.congestion;

import java.util.List;

/**
 * What to evaluate: groups of hosts that communicate at the same time, of which the first is
 * measured. Trial number t depends only on the study and t, whatever other trials run and where.
 *
 * @param routes the network
 * @param groups the measured group, and those that get in its way; if a pattern has fewer levels
 *     than the measured one it starts again
 * @param settings how trials are drawn and what is counted
 */
public record Study(Routes routes, List<Group> groups, Settings settings) {
  /**
   * How trials are drawn and what is counted.
   *
   * @param seed of everything random
   * @param shuffle whether ranks are put on hosts at random in every trial
   * @param delays whether delays along chains of messages are computed
   * @param delayRanks only ranks below that enter delays; 0 for all
   * @param channels whether the load of every channel is added up
   */
  public record Settings(
      long seed, boolean shuffle, boolean delays, int delayRanks, boolean channels) {
    /** Shuffled ranks, no delays, no channel loads. */
    public static Settings shuffled(long seed) {
      return new Settings(seed, true, false, 0, false);
    }

    /** Ranks stay where they are; delays too. */
    public static Settings inOrder() {
      return new Settings(0, false, true, 0, false);
    }
  }

  /**
   * @throws IllegalArgumentException without groups, or if a host of a group is not in the routes
   */
  public Study {
    groups = List.copyOf(groups);
    if (groups.isEmpty()) {
      throw new IllegalArgumentException("a study without a group");
    }
    for (Group group : groups) {
      for (int host : group.hosts()) {
        if (host < 0 || host >= routes.size()) {
          throw new IllegalArgumentException("host " + host + " is not in the routes");
        }
      }
    }
  }

  /** All hosts run one pattern. */
  public static Study of(
      Routes routes, org.heddle.traffic.TrafficPattern pattern, Settings settings) {
    return new Study(routes, List.of(Group.all(pattern, routes)), settings);
  }
}
