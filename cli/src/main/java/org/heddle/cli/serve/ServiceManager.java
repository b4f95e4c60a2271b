package org.heddle.cli.serve;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.heddle.server.Vitals;

/**
 * Tells systemd, if that has started this process, how it is: started, in a reload, ending, a line
 * for {@code systemctl status}, and again and again that it is not stuck (sd_notify(3); {@code
 * Type=notify}, {@code WatchdogSec=}). Without {@code NOTIFY_SOCKET} in the environment it does
 * nothing.
 *
 * <p>What keeps a process from being ready for ever, keeps it from saying that it lives: systemd
 * then ends it and starts another. The stacks of all threads are in the log before that.
 */
final class ServiceManager implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(ServiceManager.class.getName());

  /** How old the line of {@code systemctl status} may be. */
  private static final Duration EVERY = Duration.ofSeconds(5);

  private static final long NANOS_PER_MICRO = 1000;

  private final Optional<NotifySocket> socket;
  private final Optional<Duration> watchdog;
  private final Supplier<Vitals> vitals;
  private boolean complained;
  private boolean stuck;
  private String status = "";
  private Thread thread;

  /**
   * The one of an environment.
   *
   * @param pid of this process: a watchdog for another one is none for this
   * @param vitals how the process is
   */
  ServiceManager(Map<String, String> env, long pid, Supplier<Vitals> vitals) {
    this.socket = socket(env.getOrDefault("NOTIFY_SOCKET", ""));
    this.watchdog =
        socket.flatMap(
            _ ->
                env.getOrDefault("WATCHDOG_PID", Long.toString(pid)).equals(Long.toString(pid))
                    ? micros(env.get("WATCHDOG_USEC"))
                    : Optional.empty());
    this.vitals = vitals;
  }

  private static Optional<NotifySocket> socket(String name) {
    if (name.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(new NotifySocket(name));
    } catch (RuntimeException e) { // another kind of socket, or a C library that lacks something
      LOG.log(Level.WARNING, "systemd is not told how this process is: " + e.getMessage());
      return Optional.empty();
    }
  }

  private static Optional<Duration> micros(String text) {
    try {
      long micros = text == null ? 0 : Long.parseLong(text);
      return micros > 0
          ? Optional.of(Duration.ofNanos(Math.multiplyExact(micros, NANOS_PER_MICRO)))
          : Optional.empty();
    } catch (NumberFormatException | ArithmeticException _) {
      return Optional.empty();
    }
  }

  /** How often it has to say that it lives: twice as often as systemd asks for. */
  Duration interval() {
    return watchdog.map(d -> d.dividedBy(2)).filter(d -> d.compareTo(EVERY) < 0).orElse(EVERY);
  }

  /** Begins to say so by itself. */
  void start() {
    if (socket.isPresent()) {
      thread = Thread.ofPlatform().name("heddle-service").daemon().start(this::run);
    }
  }

  private void run() {
    try {
      while (true) {
        Thread.sleep(interval());
        beat();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /** Requests are answered from now on, or by another process that leads. */
  synchronized void ready() {
    status = line(vitals.get());
    send("READY=1\nSTATUS=" + status);
  }

  /** SIGHUP has come; {@link #ready} follows. */
  void reloading() {
    // System.nanoTime is CLOCK_MONOTONIC, which systemd wants to know the moment by
    send("RELOADING=1\nMONOTONIC_USEC=" + System.nanoTime() / NANOS_PER_MICRO);
  }

  /** The end has begun. */
  void stopping() {
    send("STOPPING=1\nSTATUS=stopping");
  }

  /** Says what is new, and that the process lives if it does. */
  synchronized void beat() {
    Vitals now = vitals.get();
    String line = line(now);
    if (!line.equals(status)) {
      status = line;
      send("STATUS=" + line);
    }
    if (now.stuck().isEmpty()) {
      stuck = false;
      if (watchdog.isPresent()) {
        send("WATCHDOG=1");
      }
    } else if (!stuck) {
      stuck = true;
      LOG.log(Level.ERROR, now.stuck().get() + "; what all threads do:" + stacks());
    }
  }

  private static String line(Vitals vitals) {
    return vitals.stuck().map(why -> "stuck: " + why).orElse(vitals.summary()).replace('\n', ' ');
  }

  private static String stacks() {
    StringBuilder out = new StringBuilder();
    Thread.getAllStackTraces()
        .forEach(
            (thread, frames) -> {
              out.append("\n  ").append(thread.getName()).append(": ").append(thread.getState());
              for (StackTraceElement frame : frames) {
                out.append("\n    at ").append(frame);
              }
            });
    return out.toString();
  }

  private void send(String message) {
    if (socket.isEmpty()) {
      return;
    }
    try {
      socket.get().send(message);
    } catch (IOException e) {
      if (!complained) {
        complained = true; // systemd acts on what it does not hear; one line is enough
        LOG.log(Level.WARNING, "systemd cannot be told how this process is: " + e.getMessage());
      }
    }
  }

  @Override
  public void close() {
    if (thread != null) {
      thread.interrupt();
    }
  }
}
