package org.heddle.cli.shell;

import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Commands in messages, such that they can be copied into a shell. */
public final class ShellWords {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:,=%+@-]+");

  private ShellWords() {}

  /** The words with blanks between them, quoted where the shell would read something else. */
  public static String join(String... words) {
    return Arrays.stream(words).map(ShellWords::quoted).collect(Collectors.joining(" "));
  }

  /** One word. */
  public static String quoted(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
