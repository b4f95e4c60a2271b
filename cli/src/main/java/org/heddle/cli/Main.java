package org.heddle.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.StandardOutput;
import org.heddle.cli.shell.Terminal;
import org.heddle.cli.shell.Version;
import org.heddle.cli.shell.plugin.PlugInLoader;
import picocli.CommandLine;

/** The program. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    if (args.length == 1 && (args[0].equals("--version") || args[0].equals("-V"))) {
      System.out.println(versionLine()); // the one answer that needs no command line parser
      System.exit(System.out.checkError() ? ExitCode.BAD_INPUT : ExitCode.OK);
    }
    Optional<ClassLoader> plugIns = PlugInLoader.of(List.of(args), System.getenv());
    if (plugIns.isPresent()) {
      Class<?>[] types = {String[].class};
      PlugInLoader.call(plugIns.get(), Main.class.getName(), "main", types, (Object) args);
      return;
    }
    System.setProperty("java.util.logging.config.class", "org.heddle.cli.shell.log.NoLog");
    Locale.setDefault(Locale.ROOT); // the same words and numbers everywhere, "i" in Turkey, too
    StandardOutput out = new StandardOutput(new FileOutputStream(FileDescriptor.out));
    StandardOutput err = new StandardOutput(new FileOutputStream(FileDescriptor.err));
    AtomicReference<Session> running = new AtomicReference<>();
    Thread cleaner =
        new Thread(
            () -> {
              Session session = running.get();
              if (session != null) {
                session.close();
              }
            });
    Runtime.getRuntime().addShutdownHook(cleaner); // SIGINT, SIGTERM: no half files stay behind
    int code = run(List.of(args), System.in, out, err, System.getenv(), running);
    Optional<String> loss = out.loss();
    if (loss.isPresent() && code != ExitCode.BAD_INPUT) {
      err.println("heddle: error: cannot write to standard output: " + loss.get());
      code = ExitCode.BAD_INPUT;
    }
    err.flush();
    System.exit(code);
  }

  /** What {@code --version} prints. */
  public static String versionLine() {
    return Version.line();
  }

  /** The description of all commands, for what is generated from it. */
  public static CommandLine commandLine() {
    InputStream nothing = InputStream.nullInputStream();
    Map<String, String> env = Map.of();
    return CommandRunner.commandLine(
        new Session(
            nothing, System.out, System.err, env, Terminal.Colour.NEVER, (_, _) -> ExitCode.OK));
  }

  /**
   * Runs one command line.
   *
   * @param args the words after the program's name
   * @return the exit code, see {@link ExitCode}
   */
  public static int run(
      List<String> args,
      InputStream in,
      PrintStream out,
      PrintStream err,
      Map<String, String> env) {
    Optional<ClassLoader> plugIns = PlugInLoader.of(args, env);
    if (plugIns.isPresent()) {
      Class<?>[] types = {
        List.class, InputStream.class, PrintStream.class, PrintStream.class, Map.class
      };
      String main = Main.class.getName();
      return (int) PlugInLoader.call(plugIns.get(), main, "run", types, args, in, out, err, env);
    }
    return run(args, in, out, err, env, new AtomicReference<>());
  }

  private static int run(
      List<String> args,
      InputStream in,
      PrintStream out,
      PrintStream err,
      Map<String, String> env,
      AtomicReference<Session> running) {
    Session.Runner again =
        (parent, words) ->
            run(words, InputStream.nullInputStream(), parent.out(), parent.err(), env, running);
    try (Session session = new Session(in, out, err, env, colour(args), again)) {
      Session outer = running.getAndSet(session);
      int code = CommandRunner.execute(session, args);
      running.set(outer);
      return code;
    }
  }

  /** Reads --color ahead of the parser, because the parser's own messages have colours too. */
  private static Terminal.Colour colour(List<String> args) {
    for (int i = 0; i < args.size(); i++) {
      String word = args.get(i);
      String value = null;
      if (word.startsWith("--color=")) {
        value = word.substring("--color=".length());
      } else if (word.equals("--color") && i + 1 < args.size()) {
        value = args.get(i + 1);
      }
      for (Terminal.Colour colour : Terminal.Colour.values()) {
        if (colour.name().equalsIgnoreCase(value)) {
          return colour;
        }
      }
    }
    return Terminal.Colour.AUTO;
  }
}
