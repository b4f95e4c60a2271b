package org.heddle.cli.simulate;

import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Suggestions;
import org.heddle.congestion.Group;
import org.heddle.traffic.Patterns;
import org.heddle.traffic.TrafficPattern;

/** Patterns as users write them. */
final class PatternArgument {
  private static final int FARTHEST_SUGGESTION = 3;

  private PatternArgument() {}

  /**
   * The pattern.
   *
   * @throws Failure exit code 2 if there is none of that name
   */
  static TrafficPattern parse(String option, String text) {
    try {
      return Patterns.parse(text);
    } catch (IllegalArgumentException e) {
      String near = Suggestions.closest(text, Patterns.names(), FARTHEST_SUGGESTION);
      String known = "patterns: " + String.join(", ", Patterns.names());
      String message = option + ": " + e.getMessage();
      throw near == null || near.equals(text)
          ? Failure.badInput(message, known)
          : Failure.badInput(message, "did you mean " + near + "?", known);
    }
  }

  /**
   * The pattern on these hosts.
   *
   * @throws Failure exit code 2 if it cannot run on so many
   */
  static Group group(String name, TrafficPattern pattern, int[] hosts, int ranks) {
    try {
      return new Group(name, pattern, hosts, ranks);
    } catch (IllegalArgumentException e) {
      throw Failure.badInput(pattern.name() + ": " + e.getMessage());
    }
  }
}
