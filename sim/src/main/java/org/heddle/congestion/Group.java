package org.heddle.congestion;

import java.util.Arrays;
import org.heddle.traffic.TrafficPattern;

/**
 * Hosts that run a pattern among themselves.
 *
 * @param name for messages and reports
 * @param pattern who sends to whom
 * @param hosts their numbers in the {@link Routes}, in the order of ranks; none twice
 * @param ranks how many of them take part, the first ones, or a new random choice in every trial
 *     that shuffles; at most all
 */
public record Group(String name, TrafficPattern pattern, int[] hosts, int ranks) {
  /**
   * @throws IllegalArgumentException if there are fewer hosts than ranks, or the pattern refuses
   */
  public Group {
    hosts = hosts.clone();
    if (ranks < 0 || ranks > hosts.length) {
      throw new IllegalArgumentException(ranks + " ranks on " + hosts.length + " hosts");
    }
    String refusal = pattern.refusal(ranks);
    if (!refusal.isEmpty()) {
      throw new IllegalArgumentException(refusal);
    }
  }

  /** A pattern on all of the hosts. */
  public static Group of(String name, TrafficPattern pattern, int[] hosts) {
    return new Group(name, pattern, hosts, hosts.length);
  }

  /** A pattern on all hosts of the routes, in their order. */
  public static Group all(TrafficPattern pattern, Routes routes) {
    int[] hosts = new int[routes.size()];
    Arrays.setAll(hosts, i -> i);
    return of("all", pattern, hosts);
  }

  /** True if shuffling changes nothing. */
  boolean fixed() {
    return pattern.symmetric() && ranks == hosts.length;
  }
}
