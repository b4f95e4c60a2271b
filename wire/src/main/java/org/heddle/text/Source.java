package org.heddle.text;

import java.nio.charset.StandardCharsets;

/**
 * The bytes of a file with the name to use in messages. The array is shared, not copied: do not
 * change it afterwards.
 *
 * @param name file name as the user gave it, {@code -} for standard input
 */
public record Source(String name, byte[] bytes) {
  /** A source over text, for tests and for what was produced in memory. */
  public static Source of(String name, String text) {
    return new Source(name, text.getBytes(StandardCharsets.UTF_8));
  }
}
