package org.heddle.text.scheduler;

import java.util.HashSet;
import java.util.Set;

/** Names of switches as Slurm takes them: letters, digits, {@code _} and {@code -}, each once. */
final class SwitchNames {
  static final int MAX_LENGTH = 64;

  private final Set<String> taken = new HashSet<>();

  /**
   * The name with what Slurm does not take replaced, cut, and a number behind it if it is taken.
   */
  String unique(String wanted) {
    String clean = wanted.replaceAll("[^A-Za-z0-9_-]", "_");
    String cut = clean.length() <= MAX_LENGTH ? clean : clean.substring(0, MAX_LENGTH);
    String name = cut;
    for (int n = 2; !taken.add(name); n++) {
      String tail = "_" + n;
      name = cut.substring(0, Math.min(cut.length(), MAX_LENGTH - tail.length())) + tail;
    }
    return name;
  }
}
