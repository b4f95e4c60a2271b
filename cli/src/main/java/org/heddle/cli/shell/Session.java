package org.heddle.cli.shell;

import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.heddle.fabric.Counted;
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

  /** What has been changed for good; empty for nothing. */
  private String done = "";

  /** The machines as the site lists them, or null. */
  private Source machines;

  /** What inputs said so far; guarded by itself, since inputs may be read beside each other. */
  private final List<Problem> problems = new ArrayList<>();

  /** Those of them that --accept names. */
  private final Set<Problem> excused = new HashSet<>();

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

  /** Says that something has been changed for good, whatever becomes of the report about it. */
  public void done(String what) {
    done = what;
  }

  /**
   * Makes sure that what was printed has arrived.
   *
   * @throws Failure if the disk is full, say: exit code 2, but 1 if something has been changed
   */
  public void requireOutput() {
    if (out instanceof StandardOutput standard && standard.loss().isPresent()) {
      String lost = "cannot write to standard output: " + standard.loss().get();
      throw done.isEmpty()
          ? Failure.badInput(lost)
          : Failure.refused(lost, List.of("only the report is lost: " + done));
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

  /** Has fabrics that are read from now on have their machines as a file lists them. */
  void useMachines(String file) {
    machines = read(file);
  }

  /** The file that lists machines, if there is one. */
  Optional<Source> machines() {
    return Optional.ofNullable(machines);
  }

  /**
   * The value of a parsed file; its warnings and notes go to standard error, into the JSON document
   * of the command, and decide its exit code ({@link #exitCode}).
   *
   * @throws Failure exit code 2 with all problems, if the file cannot be used
   */
  public <T> T accept(String name, Parsed<T> parsed, String... hints) {
    if (!parsed.ok()) {
      throw Failure.unusable(name, parsed.problems(), hints);
    }
    keep(parsed.problems());
    print(parsed.problems());
    return parsed.get();
  }

  /** Takes problems into the JSON document and the exit code without printing them. */
  public void keep(List<Problem> more) {
    synchronized (problems) {
      problems.addAll(more);
    }
  }

  /** What the inputs of this run said, in the order they were read. */
  public List<Problem> problems() {
    synchronized (problems) {
      return List.copyOf(problems);
    }
  }

  /** Takes a problem out of the decision about the exit code: the site accepts it. */
  public void excuse(Problem problem) {
    synchronized (problems) {
      excused.add(problem);
    }
  }

  /**
   * The exit code of a command that came to its end: what it decided itself, but {@link
   * ExitCode#FINDINGS} in place of {@link ExitCode#OK} if an input contradicted itself (a problem
   * of severity warning), so that no script takes a result that may be wrong for a good one. Notes
   * do not count; errors have ended the command before ({@link Failure#unusable}).
   */
  int exitCode(int decided) {
    boolean doubt =
        problems().stream()
            .anyMatch(p -> p.severity() == Problem.Severity.WARNING && !excused.contains(p));
    return decided == ExitCode.OK && doubt ? ExitCode.FINDINGS : decided;
  }

  /** Prints problems, the first few of each severity. */
  public void print(List<Problem> problems) {
    int[] shown = new int[Problem.Severity.values().length];
    for (Problem problem : problems) {
      boolean error = problem.severity() == Problem.Severity.ERROR;
      if (shown[problem.severity().ordinal()]++ < (error ? SHOWN_ERRORS : SHOWN_WARNINGS)) {
        print(problem);
      }
    }
    more(shown[Problem.Severity.ERROR.ordinal()] - SHOWN_ERRORS, "error");
    more(shown[Problem.Severity.WARNING.ordinal()] - SHOWN_WARNINGS, "warning");
    more(shown[Problem.Severity.NOTE.ordinal()] - SHOWN_WARNINGS, "note");
  }

  private void more(int count, String what) {
    if (count > 0) {
      err.println("  ... and " + Counted.of(count, "more " + what, "more " + what + "s"));
    }
  }

  /** Prints one problem the way compilers do: {@code file:line: warning: message}. */
  public void print(Problem problem) {
    String label =
        switch (problem.severity()) {
          case ERROR -> terminal.errorLabel("error:");
          case WARNING -> terminal.warningLabel("warning:");
          case NOTE -> terminal.warningLabel("note:");
        };
    String position = problem.line() > 0 ? ":" + problem.line() : "";
    String file = problem.file() == null ? "heddle" : problem.file();
    err.println(file + position + ": " + label + " " + problem.message());
  }

  /** Says something about no file in particular; a note in the JSON document. */
  public void note(String message) {
    tell(Problem.Severity.NOTE, message);
  }

  /** Asks a question; true for an answer that begins with y. */
  public boolean confirm(String question) {
    out.print(question + " [y/N] ");
    out.flush();
    return inputs.line().strip().toLowerCase(Locale.ROOT).startsWith("y");
  }

  /** Says that what was asked for is in doubt; a warning, with what that does to the exit code. */
  public void warn(String message) {
    tell(Problem.Severity.WARNING, message);
  }

  private void tell(Problem.Severity severity, String message) {
    Problem problem = new Problem(null, 0, severity, message);
    keep(List.of(problem));
    print(problem);
  }

  /** Removes what was not committed. */
  @Override
  public void close() {
    outputs.close();
    locks.close();
  }
}
