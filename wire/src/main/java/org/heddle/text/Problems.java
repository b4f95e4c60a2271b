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
  private int notes;
  private int warnings;
  private int errors;

  public Problems(String file) {
    this.file = file;
  }

  /** Notes what was left out without any effect. @param line line from 1, or 0 for none */
  public void note(int line, String message) {
    add(new Problem(file, line, Problem.Severity.NOTE, message));
  }

  /** Notes a contradiction that was decided. @param line line from 1, or 0 for none */
  public void warn(int line, String message) {
    add(new Problem(file, line, Problem.Severity.WARNING, message));
  }

  /** Notes something that makes the file unusable. @param line line from 1, or 0 for none */
  public void error(int line, String message) {
    add(new Problem(file, line, Problem.Severity.ERROR, message));
  }

  /** Notes a problem with the identity of nodes, ports or addresses, at the line of its place. */
  public void identity(IdentityCode code, String message, List<Place> places) {
    // Of two that collide the second is where to look; of many without names the first.
    Problem.Severity severity = code.whileReading();
    int line = severity == Problem.Severity.NOTE ? places.getFirst().line() : lineOf(places);
    add(new Problem(file, line, severity, message, code.key(), places));
  }

  /** The line of the last place that has one, which is where the second of two stands. */
  private static int lineOf(List<Place> places) {
    int line = 0;
    for (Place place : places) {
      line = place.line() > 0 ? place.line() : line;
    }
    return line;
  }

  private void add(Problem problem) {
    int n =
        switch (problem.severity()) {
          case NOTE -> ++notes;
          case WARNING -> ++warnings;
          case ERROR -> ++errors;
        };
    if (n <= LIMIT) {
      kept.add(problem);
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
    if (notes > LIMIT) {
      out.add(
          new Problem(file, 0, Problem.Severity.NOTE, (notes - LIMIT) + " more notes like these"));
    }
    return List.copyOf(out);
  }

  /** The value if there were no errors, and the problems either way. */
  public <T> Parsed<T> result(T value) {
    return new Parsed<>(hasErrors() ? null : value, list());
  }
}
