package org.heddle.control.ufm;

import java.util.Locale;
import java.util.Optional;

/**
 * How a port belongs to a partition.
 *
 * @param kind full or limited member
 * @param index0 the key stands at index 0 of the port's P_Key table
 */
public record UfmMember(Kind kind, boolean index0) {

  /** Two limited members cannot talk to each other. */
  public enum Kind {
    FULL,
    LIMITED;

    /** The word of the API, in any case; empty for another word. */
    public static Optional<Kind> parse(String word) {
      for (Kind kind : values()) {
        if (kind.text().equals(word.toLowerCase(Locale.ROOT))) {
          return Optional.of(kind);
        }
      }
      return Optional.empty();
    }

    /** {@code full} or {@code limited}. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
