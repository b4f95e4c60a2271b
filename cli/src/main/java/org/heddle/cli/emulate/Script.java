package org.heddle.cli.emulate;

import java.io.PrintStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.heddle.emulator.EmulatorCommands;
import org.heddle.emulator.ibsim.IbsimServer;

/**
 * Lines of commands, from a file or as they are typed, carried out in the serving thread. {@code
 * wait MS} puts off those of the same source that follow.
 */
final class Script {
  private static final long NS_PER_MS = 1_000_000;

  private final IbsimServer server;
  private final EmulatorCommands commands;
  private final PrintStream out;
  private final PrintStream err;
  private final Deque<String> lines = new ArrayDeque<>();
  private boolean paused;

  Script(IbsimServer server, EmulatorCommands commands, PrintStream out, PrintStream err) {
    this.server = server;
    this.commands = commands;
    this.out = out;
    this.err = err;
  }

  /** Adds a line; for the serving thread. */
  void add(String line) {
    lines.add(line);
    if (!paused) {
      go();
    }
  }

  private void go() {
    paused = false;
    while (!paused && !lines.isEmpty()) {
      String line = lines.poll();
      try {
        execute(EmulatorCommands.words(line));
      } catch (IllegalArgumentException e) {
        err.println("heddle: error: " + line.strip() + ": " + e.getMessage());
      }
      out.flush();
    }
  }

  private void execute(List<String> words) {
    if (words.isEmpty()) {
      return;
    }
    switch (words.getFirst()) {
      case "quit" -> server.stop();
      case "help" -> {
        EmulatorCommands.HELP.forEach(out::println);
        out.println("wait MILLISECONDS           put off the commands that follow");
        out.println("quit                        end");
      }
      case "wait" -> {
        server.schedule(milliseconds(words) * NS_PER_MS, this::go);
        paused = true;
      }
      default -> {
        commands.execute(words).forEach(out::println);
        out.println("done: " + String.join(" ", words));
      }
    }
  }

  private static long milliseconds(List<String> words) {
    try {
      long ms = words.size() == 2 ? Long.parseLong(words.get(1)) : -1;
      if (ms >= 0 && ms <= Integer.MAX_VALUE) {
        return ms;
      }
    } catch (NumberFormatException e) {
      // the same answer as to a negative one
    }
    throw new IllegalArgumentException("write: wait MILLISECONDS");
  }
}
