package org.heddle.text;

/**
 * Something wrong or odd in an input file.
 *
 * @param file name as the user gave it
 * @param line line number from 1, or 0 if the problem has no line
 * @param severity whether the file can still be used
 * @param message what was found and what was expected, one sentence
 */
public record Problem(String file, int line, Severity severity, String message) {

  /** How bad it is. */
  public enum Severity {
    /** Ignored or repaired; the result is usable. */
    WARNING,
    /** The file cannot be used. */
    ERROR
  }

  /** {@code file:line: message}, as compilers print it, so that editors can jump there. */
  @Override
  public String toString() {
    return file
        + (line > 0 ? ":" + line : "")
        + ": "
        + (severity == Severity.WARNING ? "warning: " : "")
        + message;
  }
}
