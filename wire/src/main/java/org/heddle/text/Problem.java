package org.heddle.text;

import java.util.List;

/**
 * Something wrong or odd in an input file.
 *
 * @param file name as the user gave it, or null if it is about no file in particular
 * @param line line number from 1, or 0 if the problem has no line
 * @param severity whether the file can still be used, and whether anything is in doubt
 * @param message what was found and what was expected, one sentence
 * @param code stable key of what is wrong with the identity of nodes, ports and addresses, kebab
 *     case ({@code docs/topology.md}); null for everything else
 * @param places where in the fabric, at least two for what stands twice; empty without a code
 */
public record Problem(
    String file, int line, Severity severity, String message, String code, List<Place> places) {

  public Problem {
    // What was found is quoted, and whoever has a host or a file chooses it.
    message = TextOut.printable(message);
    places = List.copyOf(places);
  }

  /** A problem without a code. */
  public Problem(String file, int line, Severity severity, String message) {
    this(file, line, severity, message, null, List.of());
  }

  /** How bad it is; {@code docs/json.md} says what each does to the exit code. */
  public enum Severity {
    /** Nothing is in doubt: left out or tidied up without an effect on what was asked. */
    NOTE,
    /** Contradicted itself, and one side was taken; the result is usable and may be wrong. */
    WARNING,
    /** The file cannot be used. */
    ERROR
  }

  /** {@code file:line: message}, as compilers print it, so that editors can jump there. */
  @Override
  public String toString() {
    String label =
        switch (severity) {
          case NOTE -> "note: ";
          case WARNING -> "warning: ";
          case ERROR -> "";
        };
    return (file == null ? "" : file + (line > 0 ? ":" + line : "") + ": ") + label + message;
  }
}
