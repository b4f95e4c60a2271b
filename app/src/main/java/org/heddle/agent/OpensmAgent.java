package org.heddle.agent;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.heddle.control.port.FabricAgent;

/**
 * A fabric that OpenSM manages. Tables and partitions are written as files, OpenSM is made to read
 * them (SIGHUP), and the switches and ports are read back by datagrams until they have them.
 */
public final class OpensmAgent implements FabricAgent {
  private static final long POLL_MILLIS = 20;
  private static final long RELOAD_SECONDS = 10;

  private final LiveReader reader;
  private final GenerationDirectory directory;
  private final List<String> reload;
  private final Duration settle;

  /**
   * An agent.
   *
   * @param reload command that makes OpenSM read its files again
   * @param settle how long OpenSM may take to program what it read
   */
  public OpensmAgent(
      LiveReader reader, GenerationDirectory directory, List<String> reload, Duration settle) {
    this.reader = reader;
    this.directory = directory;
    this.reload = List.copyOf(reload);
    this.settle = settle;
  }

  @Override
  public String kind() {
    return "opensm";
  }

  @Override
  public Observation observe() {
    return reader.observe();
  }

  @Override
  public Applied apply(Target target) {
    try {
      Optional<String> refusal = directory.write(target);
      if (refusal.isPresent()) {
        return nothing(refusal.get());
      }
      if (!target.fence().confirm()) {
        return nothing("the files are written, but OpenSM was not told: the leadership is lost");
      }
      Optional<String> trouble = reload();
      if (trouble.isPresent()) {
        return nothing("the files are written, but OpenSM was not told: " + trouble.get());
      }
      boolean there = await(target);
      if (!target.fence().holds()) {
        return nothing("the leadership was lost meanwhile: the one that leads looks at the fabric");
      }
      return there
          ? new Applied(target.writes().size(), List.of(), true)
          : nothing(
              "OpenSM was told, but " + missing(target) + " after " + settle.toMillis() + " ms");
    } catch (IOException | IllegalStateException e) {
      return nothing("files for OpenSM: " + e.getMessage());
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return nothing("interrupted");
    }
  }

  private static Applied nothing(String why) {
    return new Applied(0, List.of(why), false);
  }

  private Optional<String> reload() throws InterruptedException {
    try {
      Process process =
          new ProcessBuilder(reload)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (!process.waitFor(RELOAD_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        return Optional.of(String.join(" ", reload) + " does not end");
      }
      return process.exitValue() == 0
          ? Optional.empty()
          : Optional.of(String.join(" ", reload) + " gave " + process.exitValue());
    } catch (IOException e) {
      return Optional.of(e.getMessage());
    }
  }

  private boolean held(Target target) {
    return reader.holds(target.fabric(), target.tables()) && reader.holds(target.partitions());
  }

  private boolean await(Target target) throws InterruptedException {
    long end = System.nanoTime() + settle.toNanos();
    boolean held = held(target);
    while (!held && System.nanoTime() < end) {
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      held = held(target);
    }
    return held;
  }

  private String missing(Target target) {
    return reader.holds(target.fabric(), target.tables())
        ? "ports have other keys"
        : "switches have other entries";
  }

  /** There is nobody who tells: changes are found by the next observation. */
  @Override
  public void onChange(Consumer<String> listener) {}

  @Override
  public void close() {
    reader.close();
  }
}
