package org.heddle.text.tenants;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.heddle.text.Problem;
import org.heddle.text.Problems;

/** Problems found in several passes over a file; they come out by line. */
final class TenantsProblems {
  private final List<Problem> found = new ArrayList<>();
  private final String file;
  private int errors;

  TenantsProblems(String file) {
    this.file = file;
  }

  void note(int line, String message) {
    found.add(new Problem(file, line, Problem.Severity.NOTE, message));
  }

  void warn(int line, String message) {
    found.add(new Problem(file, line, Problem.Severity.WARNING, message));
  }

  void error(int line, String message) {
    errors++;
    found.add(new Problem(file, line, Problem.Severity.ERROR, message));
  }

  boolean hasErrors() {
    return errors > 0;
  }

  /** True if more errors would not be shown. */
  boolean full() {
    return errors >= Problems.LIMIT;
  }

  /** All of them by line, those of one line in the order they were found. */
  Problems sorted() {
    Problems out = new Problems(file);
    found.sort(Comparator.comparingInt(Problem::line));
    for (Problem p : found) {
      switch (p.severity()) {
        case NOTE -> out.note(p.line(), p.message());
        case WARNING -> out.warn(p.line(), p.message());
        case ERROR -> out.error(p.line(), p.message());
      }
    }
    return out;
  }
}
