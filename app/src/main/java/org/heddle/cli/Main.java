package org.heddle.cli;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.heddle.cli.shell.ExitCode;
import org.heddle.cli.shell.Session;
import org.heddle.cli.shell.Terminal;

/** The program. */
public final class Main {
  /** Version, as in the build files; a test compares. */
  static final String VERSION = "0.1.0";

  private Main() {}

  public static void main(String[] args) {
    if (args.length == 1 && (args[0].equals("--version") || args[0].equals("-V"))) {
      System.out.println(versionLine()); // the one answer that needs no command line parser
      return;
    }
    PrintStream out = utf8(FileDescriptor.out);
    PrintStream err = utf8(FileDescriptor.err);
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
    out.flush();
    err.flush();
    System.exit(code);
  }

  private static PrintStream utf8(FileDescriptor descriptor) {
    // Flushed at every line, so that both streams keep their order in a log.
    return new PrintStream(
        new BufferedOutputStream(new FileOutputStream(descriptor)), true, StandardCharsets.UTF_8);
  }

  static String versionLine() {
    return "heddle " + VERSION;
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
