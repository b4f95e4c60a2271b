package org.heddle.server.http;

import org.heddle.text.TextOut;

/** Texts of others as they are recorded: so much of them, on one line. */
public final class Cut {
  private Cut() {}

  /** A text of which at most so many characters are kept; what was cut is counted. */
  public static String to(int most, String text) {
    return TextOut.printable(lines(most, text));
  }

  /** The same, on as many lines as it has. */
  static String lines(int most, String text) {
    return text == null || text.length() <= most
        ? text
        : text.substring(0, most) + "... (" + text.length() + " characters)";
  }
}
