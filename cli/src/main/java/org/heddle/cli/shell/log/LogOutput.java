package org.heddle.cli.shell.log;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Where a server's log goes: everything that the program and its libraries log, from a level on, to
 * standard error (systemd keeps it) or to the end of a file. Other commands have no log. One line
 * at a time; a line that cannot be written is lost, and nobody waits or fails for it.
 */
public final class LogOutput implements AutoCloseable {
  /** Levels by their words. */
  private static final Map<String, Level> LEVELS =
      Map.of(
          "error", Level.SEVERE,
          "warning", Level.WARNING,
          "info", Level.INFO,
          "debug", Level.FINE);

  /** Who tells of every start and stop: of interest only when something is wrong. */
  private static final Logger SERVER = Logger.getLogger("org.eclipse.jetty");

  private final Handler handler;
  private final Logger root;

  private LogOutput(Handler handler, Level level) {
    this.handler = handler;
    LogManager.getLogManager().reset();
    this.root = Logger.getLogger("");
    root.setLevel(level);
    root.addHandler(handler);
    SERVER.setLevel(level.intValue() < Level.INFO.intValue() ? Level.INFO : Level.WARNING);
  }

  /**
   * Begins a log.
   *
   * @param level error, warning, info or debug
   * @param json for one JSON object a line, else text
   * @param file to append to, for its owner and group only; empty for standard error
   * @throws IOException if the file cannot be written
   */
  public static LogOutput start(String level, boolean json, Optional<Path> file, PrintStream err)
      throws IOException {
    OutputStream to = err;
    if (file.isPresent()) {
      to = Files.newOutputStream(file.get(), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
    return new LogOutput(new Lines(to, file.isPresent(), new LogLines(json)), LEVELS.get(level));
  }

  @Override
  public void close() {
    root.removeHandler(handler);
    root.setLevel(Level.OFF);
    handler.close();
  }

  private static final class Lines extends Handler {
    private final OutputStream out;
    private final boolean owned;

    Lines(OutputStream out, boolean owned, LogLines lines) {
      this.out = out;
      this.owned = owned;
      setFormatter(lines);
    }

    @Override
    public void publish(LogRecord r) {
      if (isLoggable(r)) {
        byte[] line = getFormatter().format(r).getBytes(StandardCharsets.UTF_8);
        synchronized (this) {
          try {
            out.write(line);
            out.flush();
          } catch (IOException _) {
            // a full disk must not stop the controller; readiness tells of the database's
          }
        }
      }
    }

    @Override
    public void flush() {
      // every line is
    }

    @Override
    public synchronized void close() {
      if (owned) {
        try {
          out.close();
        } catch (IOException _) {
          // nothing is left to be written
        }
      }
    }
  }
}
