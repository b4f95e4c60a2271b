package org.heddle.cli.shell;

import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.heddle.text.Parsed;
import org.heddle.text.Problem;
import org.heddle.text.Source;

/** One run of the program: its streams, environment and files. */
public final class Session implements AutoCloseable {
  /** Errors in one input that are printed; with --json all are. */
  private static final int SHOWN_ERRORS = 20;

  /** Warnings about one input that are printed. */
  private static final int SHOWN_WARNINGS = 10;

  /** Runs another command line in this process, with the same streams. */
  @FunctionalInterface
  public interface Runner {
    int run(Session parent, List<String> args);
  }

  private final PrintStream out;
  private final PrintStream err;
  private final Map<String, String> env;
  private final Terminal terminal;
  private final Inputs inputs;
  private final Outputs outputs;
  private final Locks locks = new Locks();
  private final Runner runner;

  public Session(
      InputStream in,
      PrintStream out,
      PrintStream err,
      Map<String, String> env,
      Terminal.Colour colour,
      Runner runner) {
    this.out = out;
    this.err = err;
    this.env = env;
    this.terminal = new Terminal(err, env, colour);
    this.inputs = new Inputs(in);
    this.outputs = new Outputs(out);
    this.runner = runner;
  }

  /** Standard output. */
  public PrintStream out() {
    return out;
  }

  /**
   * Makes sure that what was printed has arrived.
   *
   * @throws Failure exit code 2, if the disk is full, say
   */
  public void requireOutput() {
    if (out instanceof StandardOutput standard && standard.loss().isPresent()) {
      throw Failure.badInput("cannot write to standard output: " + standard.loss().get());
    }
  }

  /** Standard error. */
  public PrintStream err() {
    return err;
  }

  /** The environment variables. */
  public Map<String, String> env() {
    return env;
  }

  /** Colours and progress. */
  public Terminal terminal() {
    return terminal;
  }

  /** Input files. */
  public Inputs inputs() {
    return inputs;
  }

  /** Output files. */
  public Outputs outputs() {
    return outputs;
  }

  /**
   * Keeps other runs from changing a file until this one has ended, its outputs included.
   *
   * @throws Failure exit code 2 if another run is about it
   */
  public void lock(String name) {
    locks.take(name);
  }

  /** Runs another command in this process; its files are its own. */
  public int run(List<String> args) {
    return runner.run(this, args);
  }

  /** Runs another command in this process and drops what it prints. */
  public int runSilently(List<String> args) {
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    try (Session silent =
        new Session(
            InputStream.nullInputStream(), nowhere, nowhere, env, Terminal.Colour.NEVER, runner)) {
      return runner.run(silent, args);
    }
  }

  /** Reads an input file that the command must not overwrite. */
  public Source read(String name) {
    outputs.protect(name);
    return inputs.read(name);
  }

  /**
   * The value of a parsed file; its warnings go to standard error.
   *
   * @throws Failure exit code 2 with all problems, if the file cannot be used
   */
  public <T> T accept(String name, Parsed<T> parsed, String... hints) {
    if (!parsed.ok()) {
      throw Failure.unusable(name, parsed.problems(), hints);
    }
    print(parsed.problems());
    return parsed.get();
  }

  /** Prints problems, the first few of each severity. */
  public void print(List<Problem> problems) {
    int errors = 0;
    int warnings = 0;
    for (Problem problem : problems) {
      boolean shown =
          problem.severity() == Problem.Severity.ERROR
              ? errors++ < SHOWN_ERRORS
              : warnings++ < SHOWN_WARNINGS;
      if (shown) {
        print(problem);
      }
    }
    if (errors > SHOWN_ERRORS) {
      int more = errors - SHOWN_ERRORS;
      err.println("  ... and " + Counted.of(more, "more error", "more errors"));
    }
    if (warnings > SHOWN_WARNINGS) {
      int more = warnings - SHOWN_WARNINGS;
      err.println("  ... and " + Counted.of(more, "more warning", "more warnings"));
    }
  }

  /** Prints one problem the way compilers do: {@code file:line: warning: message}. */
  public void print(Problem problem) {
    boolean error = problem.severity() == Problem.Severity.ERROR;
    String label = error ? terminal.errorLabel("error:") : terminal.warningLabel("warning:");
    String position = problem.line() > 0 ? ":" + problem.line() : "";
    err.println(problem.file() + position + ": " + label + " " + problem.message());
  }

  /** Asks a question; true for an answer that begins with y. */
  public boolean confirm(String question) {
    out.print(question + " [y/N] ");
    out.flush();
    return inputs.line().strip().toLowerCase(Locale.ROOT).startsWith("y");
  }

  /** Prints a warning about no file in particular. */
  public void warn(String message) {
    err.println("heddle: " + terminal.warningLabel("warning:") + " " + message);
  }

  /** Removes what was not committed. */
  @Override
  public void close() {
    outputs.close();
    locks.close();
  }
}
