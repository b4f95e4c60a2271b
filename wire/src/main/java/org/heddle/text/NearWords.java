package org.heddle.text;

import java.util.Collection;
import java.util.Locale;

/** Finds what a mistyped word was meant to be. */
public final class NearWords {
  private NearWords() {}

  /**
   * The candidate with the smallest edit distance (Damerau-Levenshtein, optimal string alignment,
   * letter case ignored), the first of them on a tie. O(candidates x length^2).
   *
   * @param farthest largest distance that still counts; short words count up to half their length
   * @return the candidate, or null if none is near
   */
  public static String closest(String word, Collection<String> candidates, int farthest) {
    String wanted = word.toLowerCase(Locale.ROOT);
    String best = null;
    int bestDistance = Math.min(farthest, Math.max(1, word.length() / 2)) + 1;
    for (String candidate : candidates) {
      if (Math.abs(candidate.length() - word.length()) >= bestDistance) {
        continue; // the distance is at least the difference of the lengths
      }
      int d = distance(wanted, candidate.toLowerCase(Locale.ROOT));
      if (d < bestDistance) {
        bestDistance = d;
        best = candidate;
      }
    }
    return best;
  }

  /** A clause to append to a message: {@code ; did you mean 'x'?}, or nothing. */
  public static String hint(String word, Collection<String> candidates) {
    String near = closest(word, candidates, 3);
    return near == null ? "" : "; did you mean '" + near + "'?";
  }

  private static int distance(String a, String b) {
    int[][] d = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        d[i][j] = i == 0 || j == 0 ? i + j : step(a, b, d, i, j);
      }
    }
    return d[a.length()][b.length()];
  }

  private static int step(String a, String b, int[][] d, int i, int j) {
    boolean same = a.charAt(i - 1) == b.charAt(j - 1);
    int best = Math.min(Math.min(d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + (same ? 0 : 1));
    boolean swapped =
        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
    return swapped ? Math.min(best, d[i - 2][j - 2] + 1) : best;
  }
}
