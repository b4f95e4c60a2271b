package org.heddle.cli;

import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.List;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Failure;
import org.heddle.cli.shell.Json;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.ShellCommand;
import org.heddle.text.Problem;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Parses a command line, runs its command, and turns every way it can fail into an exit code. */
final class CommandRunner {
  private static final int HELP_WIDTH = 100;

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
    CommandLine line = commandLine(session);
    line.setParameterExceptionHandler((e, words) -> badUsage(session, e, json));
    line.setExecutionExceptionHandler((e, command, parsed) -> failed(session, e, json));
    return line.execute(args.toArray(new String[0]));
  }

  private static int badUsage(Session session, ParameterException e, boolean json) {
    List<String> hints = new ArrayList<>();
    CommandLine command = e.getCommandLine();
    if (e instanceof UnmatchedArgumentException unmatched) {
      List<String> near = unmatched.getSuggestions();
      if (!near.isEmpty()) {
        hints.add("did you mean " + String.join(" or ", near.subList(0, Math.min(3, near.size()))));
      }
    }
    String name = command.getCommandSpec().qualifiedName();
    hints.add("see '" + name + " --help'");
    String message = firstLower(e.getMessage());
    report(session, Failure.badInput(message, hints.toArray(new String[0])), json);
    return ExitCode.BAD_INPUT;
  }

  private static String firstLower(String text) {
    return text.isEmpty() ? text : Character.toLowerCase(text.charAt(0)) + text.substring(1);
  }

  private static int failed(Session session, Exception e, boolean json) {
    if (e instanceof Failure failure) {
      report(session, failure, json);
      return failure.exitCode();
    }
    session.err().println("heddle: " + session.terminal().errorLabel("internal error:") + " " + e);
    if (session.env().getOrDefault("HEDDLE_DEBUG", "").isEmpty()) {
      session.err().println("  this is a bug of Heddle; HEDDLE_DEBUG=1 shows where");
    } else {
      e.printStackTrace(session.err());
    }
    return ExitCode.INTERNAL;
  }

  private static void report(Session session, Failure failure, boolean json) {
    if (failure.getMessage() == null) {
      return;
    }
    failure.problems().forEach(session::print);
    session
        .err()
        .println("heddle: " + session.terminal().errorLabel("error:") + " " + failure.getMessage());
    failure.hints().forEach(hint -> session.err().println("  " + hint));
    if (json) {
      Json.print(
          session.out(),
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
