package org.heddle.agent;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.heddle.control.port.AgentException;
import org.heddle.control.port.FabricAgent;
import org.heddle.routing.ForwardingTables;

/**
 * A fabric that OpenSM manages. Tables and partitions are written as files, OpenSM is made to read
 * them (SIGHUP), and the switches and ports are read back by datagrams until they have them. Blocks
 * and keys that somebody else has overwritten, and that OpenSM does not write again because it
 * believes that its own are there, are written by datagrams: then OpenSM, its files and the
 * switches agree.
 */
public final class OpensmAgent implements FabricAgent {
  private static final long POLL_MILLIS = 20;

  /** Between looks whether the fabric is still the same one. */
  private static final long WATCH_NANOS = 500_000_000L;

  /** As long as nothing comes before everything is read. */
  private static final long STUCK_NANOS = 1_000_000_000L;

  private static final long LANES_NANOS = 2_000_000_000L;
  private static final int MOST_MENDED = 5;
  private static final long MENDED_NANOS = 60_000_000_000L;

  private final LiveReader reader;
  private final GenerationDirectory directory;
  private final Options options;
  private final Reload reload;
  private final Time time;
  private final ArrayDeque<Long> mended = new ArrayDeque<>();

  /** What the fabric has confirmed; null for nothing since the start. */
  private InForce inForce;

  /** The trouble with the subnet manager at the last look, empty for none. */
  private String manager = "";

  /** False if there is another master than the one that was told. */
  private boolean steady = true;

  /** True if a port had other keys than the fabric had confirmed. */
  private boolean otherKeys;

  /** Why datagrams did not write the last time, empty if they did. */
  private String unmended = "";

  /**
   * How to deal with OpenSM.
   *
   * @param reload command that makes it read its files again
   * @param settle how long it may take to program what it read
   * @param writeDrift whether blocks that it does not write again are written by datagrams
   */
  public record Options(List<String> reload, Duration settle, boolean writeDrift) {
    public Options {
      reload = List.copyOf(reload);
    }
  }

  /** How time passes. */
  interface Time {
    Time REAL =
        new Time() {
          @Override
          public long nanos() {
            return System.nanoTime();
          }

          @Override
          public void pass(long millis) throws InterruptedException {
            TimeUnit.MILLISECONDS.sleep(millis);
          }
        };

    long nanos();

    void pass(long millis) throws InterruptedException;
  }

  /** What became of waiting for OpenSM. */
  private record Waited(String missing, String overtaken, int written) {
    boolean done() {
      return missing.isEmpty() && overtaken.isEmpty();
    }
  }

  /** An agent. */
  public OpensmAgent(LiveReader reader, GenerationDirectory directory, Options options) {
    this(reader, directory, options, Time.REAL);
  }

  OpensmAgent(LiveReader reader, GenerationDirectory directory, Options options, Time time) {
    this.time = time;
    this.reader = reader;
    this.directory = directory;
    this.options = options;
    this.reload = new Reload(options.reload());
  }

  @Override
  public String kind() {
    return "opensm";
  }

  @Override
  public Optional<String> noVirtualLids() {
    return Optional.of(GenerationDirectory.NO_VIRTUAL_LIDS);
  }

  @Override
  public synchronized Observation observe() {
    Observation seen = reader.observe();
    List<String> notes = new ArrayList<>(seen.notes());
    SubnetManager now = reader.manager();
    steady = true;
    otherKeys = false;
    manager = now.trouble(directory.command());
    if (inForce != null) {
      compare(now, notes);
    }
    if (!manager.isEmpty()) {
      notes.addFirst(manager);
    }
    return new Observation(seen.fabric(), seen.tables(), notes);
  }

  /** Keys, lanes and the manager against what the fabric had confirmed. */
  private void compare(SubnetManager now, List<String> notes) {
    if (!now.leads()) {
      inForce = inForce.seen(inForce.by().ended()); // whoever leads next has to be told
      return;
    }
    if (!now.continues(inForce.by())) {
      steady = false;
      if (inForce.by().guid() != 0 && now.guid() != inForce.by().guid()) {
        manager =
            "the subnet manager is now at "
                + now.where()
                + ", before at "
                + inForce.by().where()
                + ": run it with "
                + directory.command()
                + " and tell it by reload, or stop it";
      }
      return;
    }
    inForce = inForce.seen(now);
    otherKeys = reader.astray(inForce.partitions(), now.guid()).isPresent();
    reader.lanes(inForce.partitions(), directory.command()).ifPresent(notes::add);
  }

  @Override
  public synchronized boolean holds() {
    return steady && !otherKeys;
  }

  @Override
  public Applied apply(Target target) {
    return apply(target, _ -> {});
  }

  @Override
  public synchronized Applied apply(Target target, IntConsumer left) {
    try {
      boolean drift = otherKeys || !target.writes().isEmpty();
      if (drift && inForce != null && steady && inForce.says(target)) {
        return overwritten(target);
      }
      return tell(target, left);
    } catch (IOException | IllegalStateException e) {
      return nothing("files for OpenSM: " + e.getMessage());
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return nothing("interrupted");
    }
  }

  /** There is nothing to tell OpenSM: it believes that its own entries are there. */
  private Applied overwritten(Target target) {
    if (!options.writeDrift()) {
      return nothing(
          "somebody else has written entries or keys, and OpenSM does not rewrite what it "
              + "believes to be there: restart it, or set write_drift: true");
    }
    return mend(target) ? new Applied(target.writes().size(), List.of(), true) : nothing(unmended);
  }

  private Applied tell(Target target, IntConsumer left) throws IOException, InterruptedException {
    unmended = "";
    Optional<String> refusal = directory.write(target);
    if (refusal.isPresent()) {
      return nothing(refusal.get());
    }
    reader.figures().files.increment();
    Optional<SubnetManager> master = master();
    if (master.isPresent() && !master.get().leads()) {
      // also because a hang-up ends an OpenSM that has just begun
      return nothing("the files are written; " + master.get().trouble(directory.command()));
    }
    if (!target.fence().confirm()) {
      return nothing("the files are written, but OpenSM was not told: the leadership is lost");
    }
    Optional<String> trouble = reload.run();
    reader.figures().signals.increment();
    if (trouble.isPresent()) {
      reader.figures().signalsFailed.increment();
      return nothing("the files are written, but OpenSM was not told: " + trouble.get());
    }
    Waited waited = await(target, master.map(SubnetManager::guid).orElse(0L), left);
    if (!target.fence().holds()) {
      return nothing("the leadership was lost meanwhile: the new leader looks at the fabric");
    }
    if (!waited.overtaken.isEmpty()) {
      reader.figures().overtaken.increment();
      return new Applied(waited.written, List.of(), true, Applied.End.OVERTAKEN);
    }
    if (!waited.done()) {
      reader.figures().unsettled.increment();
      String why =
          "OpenSM was told, but "
              + waited.missing
              + " after "
              + options.settle().toMillis()
              + " ms"
              + remedy();
      return new Applied(waited.written, List.of(why), false);
    }
    inForce = InForce.of(target, master.orElseGet(reader::manager));
    return new Applied(target.writes().size(), List.of(), true);
  }

  private String remedy() {
    if (!manager.isEmpty()) {
      return "; " + manager;
    }
    if (!unmended.isEmpty()) {
      return "; " + unmended;
    }
    return ": does it run with "
        + directory.command()
        + "? If it does, restart it: then it writes everything";
  }

  /** Who leads; empty if nobody can be asked. */
  private Optional<SubnetManager> master() {
    try {
      return Optional.of(reader.manager());
    } catch (AgentException _) {
      return Optional.empty();
    }
  }

  private static Applied nothing(String why) {
    return new Applied(0, List.of(why), false);
  }

  /**
   * Waits until the fabric has it, or is another one. Asks for blocks that are missing, 1,024 at a
   * time, and for everything only when none is, or when nothing has come for a second.
   */
  private Waited await(Target target, long master, IntConsumer left) throws InterruptedException {
    long begin = time.nanos();
    int all = target.writes().size();
    Outstanding blocks = new Outstanding(target);
    String missing = "switches have other entries";
    long watched = begin;
    long moved = begin;
    try {
      while (true) {
        int before = blocks.left();
        reader.ask(blocks);
        if (blocks.left() < before) {
          left.accept(blocks.left());
          moved = time.nanos();
        }
        if (blocks.left() == 0 || time.nanos() - moved >= STUCK_NANOS) {
          missing = missing(target, master).orElse("");
          moved = time.nanos();
        }
        if (missing.isEmpty()) {
          awaitLanes(target, begin);
          return new Waited("", "", all);
        }
        if (time.nanos() - watched >= WATCH_NANOS) {
          Optional<String> other = reader.changed(target.fabric());
          if (other.isPresent()) {
            return new Waited(missing, other.get(), all - blocks.left());
          }
          watched = time.nanos();
        }
        if (time.nanos() - begin >= options.settle().toNanos()) {
          return new Waited(missing, "", all - blocks.left());
        }
        time.pass(POLL_MILLIS);
      }
    } catch (AgentException e) { // what answered a moment ago does not any more
      return new Waited(missing, e.getMessage(), all - blocks.left());
    }
  }

  /** Lanes may be under way; if they do not come, later looks tell. */
  private void awaitLanes(Target target, long begin) throws InterruptedException {
    long most = Math.min(LANES_NANOS, options.settle().toNanos());
    while (reader.lanes(target.partitions(), "").isPresent() && time.nanos() - begin < most) {
      time.pass(POLL_MILLIS);
    }
  }

  private Optional<String> missing(Target target, long master) {
    Optional<ForwardingTables> live = reader.tables(target.fabric());
    if (live.isEmpty()) {
      return Optional.of("the fabric has changed");
    }
    boolean same = true;
    for (int sw = 0; sw < target.fabric().switchCount() && same; sw++) {
      same = live.get().differingBlocks(sw, target.tables()) == 0;
    }
    if (same) {
      return reader.astray(target.partitions(), master);
    }
    if (options.writeDrift()
        && inForce != null
        && steady
        && inForce.onlyBelieved(target.fabric(), live.get(), target.tables()) > 0) {
      mend(target); // the next look sees whether it worked
    }
    return Optional.of("switches have other entries");
  }

  /** Writes what differs by datagrams; true if it was written. */
  private boolean mend(Target target) {
    long now = time.nanos();
    while (!mended.isEmpty() && now - mended.peekFirst() > MENDED_NANOS) {
      mended.removeFirst();
    }
    if (mended.size() >= MOST_MENDED) {
      unmended = "somebody keeps writing entries or keys; they are left alone for a minute";
      return false;
    }
    if (!target.fence().confirm()) {
      unmended = "the leadership is lost";
      return false;
    }
    mended.addLast(now);
    reader.figures().corrections.increment();
    Optional<String> failed =
        target.writes().isEmpty()
            ? Optional.empty()
            : reader.write(target.fabric(), target.tables(), target.fence()::holds);
    if (failed.isEmpty() && otherKeys) {
      failed =
          target.fence().holds() ? reader.restoreKeys() : Optional.of("the leadership is lost");
    }
    unmended = failed.map(why -> "what OpenSM does not write again: " + why).orElse("");
    return unmended.isEmpty();
  }

  @Override
  public List<Figure> figures() {
    return reader.figures().all();
  }

  /** There is nobody who tells: changes are found by the next observation. */
  @Override
  public void onChange(Consumer<String> listener) {}

  @Override
  public void close() {
    reader.close();
  }
}
