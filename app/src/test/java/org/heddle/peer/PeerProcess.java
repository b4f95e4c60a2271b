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
    builder.environment().put("PATH", Peers.searchPath());
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

  private String report() {
    return "\n" + Peers.tail(output);
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
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

  /** Asks the program to end, then makes it. */
  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(2, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
