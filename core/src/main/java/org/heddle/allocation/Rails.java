package org.heddle.allocation;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Between which adapters of its machines a tenant is promised its links. */
public enum Rails {
  /**
   * On every rail by itself, and on all at the same time: what collectives with an affinity to
   * rails need.
   */
  SEPARATE,
  /** Between all adapters: what all-to-all traffic across rails needs. Implies the other one. */
  JOINED;

  /** The word that users type. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** By the word that users type. */
  public static Optional<Rails> of(String word) {
    return Arrays.stream(values()).filter(r -> r.word().equals(word)).findFirst();
  }

  /** The words. */
  public static List<String> words() {
    return Arrays.stream(values()).map(Rails::word).toList();
  }
}
