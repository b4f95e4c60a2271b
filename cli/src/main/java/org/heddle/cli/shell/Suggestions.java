package org.heddle.cli.shell;

import java.util.Collection;
import org.heddle.text.NearWords;

/** Finds what a mistyped word was meant to be. */
public final class Suggestions {
  private Suggestions() {}

  /**
   * {@link NearWords#closest}, for the command line.
   *
   * @param farthest largest distance that still counts; short words count up to half their length
   * @return the candidate, or null if none is near
   */
  public static String closest(String word, Collection<String> candidates, int farthest) {
    return NearWords.closest(word, candidates, farthest);
  }
}
