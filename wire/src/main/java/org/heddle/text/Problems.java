package org.heddle.text;

import java.util.ArrayList;
import java.util.List;

/**
 * Collects problems of one file. Keeps the first {@value #LIMIT} of each severity and counts the
 * rest, so that a file of another kind does not answer with a million lines.
 */
public final class Problems {
  /** How many problems of one severity are kept word for word. */
  public static final int LIMIT = 100;

  private final String file;
  private final List<Problem> kept = new ArrayList<>();
  private int warnings;
  private int errors;

  public Problems(String file) {
    this.file = file;
  }

  /** Notes something repaired or ignored. @param line line from 1, or 0 for none */
  public void warn(int line, String message) {
    if (++warnings <= LIMIT) {
      kept.add(new Problem(file, line, Problem.Severity.WARNING, message));
    }
  }

  /** Notes something that makes the file unusable. @param line line from 1, or 0 for none */
  public void error(int line, String message) {
    if (++errors <= LIMIT) {
      kept.add(new Problem(file, line, Problem.Severity.ERROR, message));
    }
  }

  /** True if an error was noted. */
  public boolean hasErrors() {
    return errors > 0;
  }

  /** What was noted, in order; a last line counts what was not kept. */
  public List<Problem> list() {
    List<Problem> out = new ArrayList<>(kept);
    if (errors > LIMIT) {
      out.add(
          new Problem(
              file, 0, Problem.Severity.ERROR, (errors - LIMIT) + " more errors like these"));
    }
    if (warnings > LIMIT) {
      out.add(
          new Problem(
              file, 0, Problem.Severity.WARNING, (warnings - LIMIT) + " more warnings like these"));
    }
    return List.copyOf(out);
  }

  /** The value if there were no errors, and the problems either way. */
  public <T> Parsed<T> result(T value) {
    return new Parsed<>(hasErrors() ? null : value, list());
  }
}
