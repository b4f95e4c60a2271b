package org.heddle.cli.shell;

import java.util.Locale;

/** Numbers with their nouns. */
public final class Counted {
  private Counted() {}

  /** {@code 1 leaf}, {@code 1,024 leaves}. */
  public static String of(long count, String one, String many) {
    return String.format(Locale.ROOT, "%,d %s", count, count == 1 ? one : many);
  }
}
