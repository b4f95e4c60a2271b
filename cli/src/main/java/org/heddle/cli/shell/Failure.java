package org.heddle.cli.shell;

import java.util.List;
import java.util.stream.Collectors;
import org.heddle.text.Problem;
import org.heddle.text.TextOut;

/**
 * Ends a command with a message. Thrown by commands and their helpers, caught once by the runner,
 * which prints it and returns the exit code; nothing that was staged is written.
 */
public final class Failure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int exitCode;
  private final transient List<Problem> problems;
  private final transient List<String> hints;

  private Failure(int exitCode, String message, List<Problem> problems, List<String> hints) {
    super(message == null ? null : printable(message), null, false, false);
    this.exitCode = exitCode;
    this.problems = List.copyOf(problems);
    this.hints = hints.stream().map(Failure::printable).toList();
  }

  /** A text without what a terminal obeys; it may have several lines. */
  private static String printable(String text) {
    return text.lines().map(TextOut::printable).collect(Collectors.joining("\n"));
  }

  /**
   * Bad input or usage: exit code 2.
   *
   * @param message what is wrong, one sentence
   * @param hints what to do next, one line each
   */
  public static Failure badInput(String message, String... hints) {
    return new Failure(ExitCode.BAD_INPUT, message, List.of(), List.of(hints));
  }

  /** An input file that cannot be used, with what its reader said: exit code 2. */
  public static Failure unusable(String file, List<Problem> problems, String... hints) {
    return new Failure(ExitCode.BAD_INPUT, file + " cannot be used", problems, List.of(hints));
  }

  /** A refusal with reasons: exit code 1. */
  public static Failure refused(String message, List<String> hints) {
    return new Failure(ExitCode.FINDINGS, message, List.of(), hints);
  }

  /** Nobody reads standard output any more: ends without a word. */
  static Failure brokenPipe() {
    return new Failure(ExitCode.OK, null, List.of(), List.of());
  }

  /** The exit code to end with. */
  public int exitCode() {
    return exitCode;
  }

  /** Positioned problems behind the failure, possibly none. */
  public List<Problem> problems() {
    return problems;
  }

  /** What the user can do next, one line each. */
  public List<String> hints() {
    return hints;
  }
}
