package org.heddle.peer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** OpenSM at a channel adapter of a simulated fabric. */
final class OpenSm implements AutoCloseable {
  private static final AtomicInteger COUNT = new AtomicInteger();

  private final PeerProcess process;
  private final Path log;

  private OpenSm(PeerProcess process, Path log) {
    this.process = process;
    this.log = log;
  }

  /** Starts OpenSM with these options; it runs until closed. */
  static OpenSm start(IbsimFabric fabric, String host, String... options) {
    Path config = fabric.directory().resolve("opensm-" + COUNT.incrementAndGet() + ".conf");
    try {
      // Without this the log is late; the rest of the options has its defaults.
      Files.writeString(config, "force_log_flush TRUE\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return startWith(fabric, host, config, options);
  }

  /** The same with a configuration file, which should make it flush its log. */
  static OpenSm startWith(IbsimFabric fabric, String host, Path config, String... options) {
    Path directory = fabric.directory();
    int number = COUNT.incrementAndGet();
    Path log = directory.resolve("opensm-" + number + ".log");
    List<String> command = new ArrayList<>(List.of("opensm", "-F", config.toString()));
    command.addAll(List.of("-f", log.toString(), "-e"));
    command.addAll(List.of(options));
    Path output = directory.resolve("opensm-" + number + ".out");
    return new OpenSm(fabric.start(host, output, command), log);
  }

  /** Runs one sweep to its end and returns the log. */
  static String oneSweep(IbsimFabric fabric, String host, String... options) {
    List<String> all = new ArrayList<>(List.of("-o"));
    all.addAll(List.of(options));
    try (OpenSm run = start(fabric, host, all.toArray(String[]::new))) {
      run.process.awaitEnd();
      if (run.timesUp() == 0) {
        throw new AssertionError("OpenSM did not bring the subnet up\n" + Peers.tail(run.log));
      }
      return run.log();
    }
  }

  /**
   * Asks it to end and waits until it has. If it were killed, the simulator would go on asking the
   * dead one in place of its successor.
   */
  void end() {
    process.close();
  }

  long pid() {
    return process.pid();
  }

  /** What it has logged so far. */
  String log() {
    return IbsimFabric.read(log);
  }

  /** How often it has reported a subnet that is up. */
  int timesUp() {
    int count = 0;
    String text = log();
    for (int at = text.indexOf("SUBNET UP"); at >= 0; at = text.indexOf("SUBNET UP", at + 1)) {
      count++;
    }
    return count;
  }

  /** Waits for the n-th report of a subnet that is up. */
  void awaitUp(int times) {
    process.await("SUBNET UP no. " + times, () -> timesUp() >= times);
  }

  /** Waits for something else. */
  void await(String what, BooleanSupplier condition) {
    process.await(what, condition);
  }

  /** Makes it read its files again; returns when the sweep that this starts has ended. */
  void reload() {
    int before = timesUp();
    hangUp();
    awaitUp(before + 1);
  }

  /** Makes it read its files again. */
  void hangUp() {
    signal("HUP");
  }

  /** Sends it a signal by its name. */
  void signal(String signal) {
    process.signal(signal);
  }

  @Override
  public void close() {
    process.close();
  }
}
