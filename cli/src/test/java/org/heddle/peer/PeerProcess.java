package org.heddle.peer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A running peer program. It is killed when closed, and when this virtual machine ends before that.
 */
final class PeerProcess implements AutoCloseable {
  /** How long anything may take; only reached when it will never happen. */
  static final Duration DEADLINE = Duration.ofMinutes(5);

  /** How long a program that was asked to end may take: a busy machine may not run it at once. */
  private static final long ENDING_SECONDS = 60;

  private static final long POLL_MILLIS = 10;

  private final String name;
  private final Process process;
  private final Path output;
  private final Thread hook;

  private PeerProcess(String name, Process process, Path output) {
    this.name = name;
    this.process = process;
    this.output = output;
    this.hook = new Thread(process::destroyForcibly);
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /**
   * Starts a program.
   *
   * @param directory working directory
   * @param output where standard output and error go
   */
  static PeerProcess start(
      Path directory, Path output, Map<String, String> environment, List<String> command) {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.directory(directory.toFile());
    builder.redirectErrorStream(true);
    builder.redirectOutput(output.toFile());
    builder.environment().put("PATH", Program.searchPath());
    builder.environment().putAll(environment);
    try {
      return new PeerProcess(command.getFirst(), builder.start(), output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes a line to the program's standard input. */
  void type(String line) {
    try {
      process.getOutputStream().write((line + "\n").getBytes("UTF-8"));
      process.getOutputStream().flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until a condition holds; fails if the program ends before that. */
  void await(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + DEADLINE.toNanos();
    while (!condition.getAsBoolean()) {
      if (ended(POLL_MILLIS) && !condition.getAsBoolean()) {
        throw new AssertionError(
            name + " ended with " + process.exitValue() + " before " + what + report());
      }
      if (System.nanoTime() > end) {
        throw new AssertionError(name + ": no " + what + " after " + DEADLINE + report());
      }
    }
  }

  /** Waits for the end and returns the exit code. */
  int awaitEnd() {
    if (!ended(DEADLINE.toMillis())) {
      throw new AssertionError(name + " does not end" + report());
    }
    return process.exitValue();
  }

  private boolean ended(long millis) {
    try {
      return process.waitFor(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while waiting for " + name, e);
    }
  }

  /** The end of what it has said, for messages. */
  String report() {
    return "\n" + Peers.tail(output);
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Sends a signal by its name. */
  void signal(String signal) {
    try {
      Process kill =
          new ProcessBuilder("kill", "-" + signal, String.valueOf(pid())).inheritIO().start();
      if (kill.waitFor() != 0) {
        throw new AssertionError("kill -" + signal + " " + name + ": " + kill.exitValue());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** The processes that it has started, and theirs, that run. */
  List<ProcessHandle> children() {
    return process.descendants().toList();
  }

  /** Ends the program with SIGKILL, which it does not notice. */
  void kill() {
    try {
      process.destroyForcibly().waitFor();
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Asks the program to end, and makes it if it does not. */
  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(ENDING_SECONDS, TimeUnit.SECONDS)) {
        System.err.println(name + " was asked to end and did not: killed");
        process.destroyForcibly().waitFor();
      }
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
