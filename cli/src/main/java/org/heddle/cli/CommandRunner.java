package org.heddle.cli;

import java.lang.reflect.Constructor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.cli.shell.Suggestions;
import org.heddle.cli.shell.Version;
import org.heddle.cli.shell.plugin.PlugInDirectory;
import org.heddle.cli.shell.plugin.PlugInLoader;
import org.heddle.cli.shell.plugin.PlugInOrigin;
import org.heddle.text.Problem;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Parses a command line, runs its command, and turns every way it can fail into an exit code. */
final class CommandRunner {
  private static final int HELP_WIDTH = 100;
  private static final int FARTHEST_SUGGESTION = 3;

  /** What a failed command prints with --json. */
  record ErrorDocument(String format, String message, List<String> hints, List<Problem> problems) {}

  private CommandRunner() {}

  /** The parser, also used to generate completion and manual pages. */
  static CommandLine commandLine(Session session) {
    CommandLine line = new CommandLine(new HeddleCommand(session), new Factory(session));
    line.setExpandAtFiles(false); // a file name or a host may begin with @
    line.setCaseInsensitiveEnumValuesAllowed(true);
    line.setUsageHelpWidth(HELP_WIDTH);
    line.setOut(new java.io.PrintWriter(session.out(), true));
    line.setErr(new java.io.PrintWriter(session.err(), true));
    boolean colour = session.terminal().outColour();
    line.setColorScheme(CommandLine.Help.defaultColorScheme(colour ? Ansi.ON : Ansi.OFF));
    return line;
  }

  static int execute(Session session, List<String> args) {
    boolean json = args.contains("--json");
    List<Path> plugIns;
    try {
      plugIns = PlugInDirectory.jars(args, session.env());
    } catch (Failure e) {
      report(session, e, json);
      return e.exitCode();
    }
    PlugInLoader.jars().forEach((jar, why) -> leftOut(session, jar, why));
    CommandLine line = commandLine(session);
    line.setParameterExceptionHandler((e, words) -> badUsage(session, e, json));
    line.setExecutionExceptionHandler((e, command, parsed) -> failed(session, e, plugIns, json));
    try {
      return line.execute(args.toArray(new String[0]));
    } catch (LinkageError e) {
      if (plugIns.isEmpty()) {
        throw e;
      }
      return failed(session, new IllegalStateException(e), plugIns, json);
    } catch (OutOfMemoryError e) {
      Failure failure =
          Failure.badInput(
              "not enough memory for this fabric",
              "give Java more: HEDDLE_OPTS=-Xmx8g heddle ..., if the computer has it");
      report(session, failure, json);
      return failure.exitCode();
    }
  }

  private static void leftOut(Session session, String jar, String why) {
    if (!why.isEmpty()) {
      session.print(
          new Problem(jar, 0, Problem.Severity.WARNING, "this plug-in is left out: it " + why));
    }
  }

  private static int badUsage(Session session, ParameterException e, boolean json) {
    CommandSpec command = e.getCommandLine().getCommandSpec();
    List<String> hints = new ArrayList<>();
    String message = wording(e.getMessage());
    if (e instanceof UnmatchedArgumentException unmatched) {
      String word = unmatched.getUnmatched().getFirst();
      List<String> known = new ArrayList<>();
      if (word.startsWith("-")) {
        message = "unknown option '" + word + "'";
        command.options().forEach(o -> known.addAll(List.of(o.names())));
      } else if (!command.subcommands().isEmpty()) {
        message = "there is no command '" + path(command) + word + "'";
        known.addAll(command.subcommands().keySet());
      } else {
        message = "one argument too many: '" + word + "'";
      }
      String near = Suggestions.closest(word, known, FARTHEST_SUGGESTION);
      if (near != null) {
        hints.add("did you mean " + near + "?");
      }
    }
    if (e instanceof MissingParameterException && message.contains("--engine")) {
      hints.add("'heddle engines' lists the engines; for a fat-tree use --engine ftree");
    }
    hints.add("see '" + command.qualifiedName() + " --help'");
    report(session, Failure.badInput(message, hints.toArray(new String[0])), json);
    return ExitCode.BAD_INPUT;
  }

  /** The words of a command without the program's name. */
  private static String path(CommandSpec command) {
    return command.parent() == null ? "" : path(command.parent()) + command.name() + " ";
  }

  /** The parser's sentence in our style: it begins small, and so do the words to choose from. */
  private static String wording(String text) {
    if (text.endsWith(" is not a long") || text.endsWith(" is not an int")) {
      return wording(text.substring(0, text.lastIndexOf(" is not ")) + " is not a whole number");
    }
    if (text.startsWith("Error: ")) { // of groups of options; "error:" stands before every message
      return wording(text.substring("Error: ".length()));
    }
    if (text.contains("option option ")) {
      return wording(text.replace("option option ", "option "));
    }
    int open = text.indexOf('[');
    int close = text.indexOf(']');
    String tail = text.substring(1);
    if (text.contains("expected one of [") && open < close) {
      tail =
          text.substring(1, open + 1)
              + text.substring(open + 1, close).toLowerCase(Locale.ROOT)
              + text.substring(close).replace(" (case-insensitive)", "");
    }
    return Character.toLowerCase(text.charAt(0)) + tail;
  }

  private static int failed(Session session, Exception e, List<Path> plugIns, boolean json) {
    if (e instanceof Failure failure) {
      report(session, failure, json);
      return failure.exitCode();
    }
    if (!plugIns.isEmpty()) {
      Optional<Failure> failure = ofPlugIn(e, plugIns);
      if (failure.isPresent()) {
        report(session, failure.get(), json);
        if (debugs(session)) {
          e.printStackTrace(session.err());
        }
        return failure.get().exitCode();
      }
    }
    session.err().println("heddle: " + session.terminal().errorLabel("internal error:") + " " + e);
    if (debugs(session)) {
      e.printStackTrace(session.err());
    } else {
      session.err().println("  this is a bug in Heddle; HEDDLE_DEBUG=1 shows where");
    }
    return ExitCode.INTERNAL;
  }

  private static boolean debugs(Session session) {
    return !session.env().getOrDefault("HEDDLE_DEBUG", "").isEmpty();
  }

  /**
   * An error that is a plug-in's: thrown in one, or of classes that do not fit together. A method
   * that a plug-in does not have is missing where Heddle calls it, so that no plug-in is on the
   * stack.
   */
  private static Optional<Failure> ofPlugIn(Exception e, List<Path> plugIns) {
    Throwable thrown = e.getCause() instanceof LinkageError linkage ? linkage : e;
    Optional<Path> jar = PlugInOrigin.culprit(thrown, plugIns);
    if (jar.isEmpty() && !(thrown instanceof LinkageError)) {
      return Optional.empty();
    }
    String who = jar.map(j -> "the plug-in " + j).orElse("a plug-in");
    return Optional.of(
        thrown instanceof LinkageError
            ? Failure.badInput(
                who + " does not fit this version of Heddle: " + thrown,
                "compile it against Heddle " + Version.NUMBER + ", or take it out of the directory")
            : Failure.badInput(
                who + " failed: " + thrown,
                "this is a bug in the plug-in; HEDDLE_DEBUG=1 shows where"));
  }

  private static void report(Session session, Failure failure, boolean json) {
    if (failure.getMessage() == null) {
      return;
    }
    session.print(failure.problems());
    session
        .err()
        .println("heddle: " + session.terminal().errorLabel("error:") + " " + failure.getMessage());
    failure.hints().forEach(hint -> session.err().println("  " + hint));
    if (json) {
      Json.print(
          session,
          new ErrorDocument(
              "heddle.error/1", failure.getMessage(), failure.hints(), failure.problems()));
    }
  }

  /** Gives commands their session; everything else is made as picocli does. */
  private record Factory(Session session) implements CommandLine.IFactory {
    @Override
    public <K> K create(Class<K> type) throws Exception {
      if (!ShellCommand.class.isAssignableFrom(type)) {
        return CommandLine.defaultFactory().create(type);
      }
      Constructor<K> constructor = type.getDeclaredConstructor(Session.class);
      return constructor.newInstance(session);
    }
  }
}
