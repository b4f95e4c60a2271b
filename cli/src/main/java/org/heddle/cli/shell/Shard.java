package org.heddle.cli.shell;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One of several equal parts of a computation.
 *
 * @param number from 1
 * @param of number of parts
 */
public record Shard(int number, int of) {
  /** All of it. */
  public static final Shard WHOLE = new Shard(1, 1);

  private static final Pattern WORDS = Pattern.compile("(\\d{1,9})/(\\d{1,9})");

  /**
   * The value of {@code --shard}.
   *
   * @param text I/N, or null for {@link #WHOLE}
   * @throws Failure exit code 2 for what is no part
   */
  public static Shard parse(String text) {
    if (text == null) {
      return WHOLE;
    }
    Matcher m = WORDS.matcher(text);
    if (m.matches()) {
      Shard shard = new Shard(Integer.parseInt(m.group(1)), Integer.parseInt(m.group(2)));
      if (shard.number >= 1 && shard.number <= shard.of) {
        return shard;
      }
    }
    throw Failure.badInput("--shard " + text + ": a part such as 1/8, 2/8 is expected");
  }

  /**
   * The value of {@code --threads}: as many as asked for, or one a processor.
   *
   * @param asked 0 for one a processor
   * @throws Failure exit code 2 if it is negative
   */
  public static int threads(int asked) {
    if (asked < 0) {
      throw Failure.badInput("--threads " + asked + ": 1 or more are expected");
    }
    return asked > 0 ? asked : Runtime.getRuntime().availableProcessors();
  }
}
