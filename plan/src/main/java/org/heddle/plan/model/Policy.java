package org.heddle.plan.model;

import java.util.Locale;
import java.util.Optional;

/** What a tenant is promised about the links between switches, strictest first. */
public enum Policy {
  /** Links of its own, which nobody else may use ("Links as a Service"). */
  LINKS,
  /** Its traffic shares no channel between switches with another partition's. */
  PHY,
  /** Where it shares a channel, the other partition's traffic is on another virtual lane. */
  VLANE,
  /** A partition key only. */
  DEF;

  /** The word of files and documents. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The policy of a word, or empty. */
  public static Optional<Policy> of(String word) {
    for (Policy p : values()) {
      if (p.word().equals(word)) {
        return Optional.of(p);
      }
    }
    return Optional.empty();
  }
}
