package org.heddle.agent;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
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

  /**
   * After OpenSM was told of files that somebody had changed: it may have read those, and write
   * what they said. Longer by the time of a look where fabrics are large.
   */
  private static final long CALM_NANOS = 1_000_000_000L;

  private static final long CALM_MILLIS = 200;
  private static final String LANES_UNDER_WAY =
      "lanes are not all there yet: OpenSM is writing them";

  private static final String NOT_YET = "switches have other entries";

  private static final long LANES_NANOS = 2_000_000_000L;
  private static final int MOST_MENDED = 5;

  private static final String TOO_OFTEN =
      "somebody keeps changing the files for OpenSM; they are written again each time, but OpenSM"
          + " is told of that at most "
          + MOST_MENDED
          + " times a minute";

  /** Between looks at the files, and between beats of the pulse, by threads of their own. */
  private static final long WATCH_MILLIS = 100;

  /** A beat waits for so many times what the last one took. */
  private static final long BEAT_SHARE = 4;

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final LiveReader reader;
  private final GenerationDirectory directory;
  private final Options options;
  private final Reload reload;
  private final Time time;
  private final Budget signals = new Budget(MOST_MENDED);
  private final Budget entries = new Budget(MOST_MENDED);
  private final Budget hostKeys = new Budget(MOST_MENDED);
  private final Budget switchKeys = new Budget(MOST_MENDED);

  /** What the fabric has confirmed; null for nothing since the start. */
  private InForce inForce;

  /** The trouble with the subnet manager at the last look, empty for none. */
  private String manager = "";

  /** False if there is another master than the one that was told. */
  private boolean steady = true;

  /** Ports that had other keys than the fabric had confirmed. */
  private PortKeys.Astray otherKeys = PortKeys.Astray.NONE;

  /** True if lanes were not in force at the last look, though OpenSM has had time for them. */
  private boolean lanesWrong;

  /** Files that were not as they were written, or were touched, at the last look. */
  private List<String> damaged = List.of();

  /** True if OpenSM may have read other files than those that are there, and was not told yet. */
  private boolean untold;

  /** How long the last look took. */
  private long lookNanos;

  /** Why files could not be written the last time; empty if they could. */
  private volatile String unwritten = "";

  /** True if OpenSM was told of anything, and when that was the last time. */
  private boolean told;

  private long toldNanos;

  /** Who is told of what is not as it was. */
  private volatile Consumer<String> changes = _ -> {};

  private volatile boolean closed;
  private final List<Thread> watchers = new ArrayList<>();

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
    long began = time.nanos();
    damaged = directory.written().look(); // first: what follows may take seconds
    untold |= !damaged.isEmpty();
    Observation seen = reader.observe();
    List<String> notes = new ArrayList<>(seen.notes());
    SubnetManager now = reader.manager();
    steady = true;
    lanesWrong = false;
    otherKeys = PortKeys.Astray.NONE;
    manager = now.trouble(directory.command());
    if (inForce != null) {
      compare(now, notes);
    }
    if (!manager.isEmpty()) {
      notes.addFirst(manager);
    }
    lookNanos = time.nanos() - began;
    reader
        .figures()
        .found(
            new AgentFigures.Found(
                now.lid() == 0 ? -2 : now.answers() ? now.state() : -1,
                !steady && now.leads(),
                otherKeys.hosts().isPresent(),
                otherKeys.switches().isPresent(),
                lanesWrong,
                untold));
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
      reader.forgetEnforcement();
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
    otherKeys = reader.astray(inForce.partitions(), PortKeys.Rules.of(now, directory));
    if (directory.siteLanes()) {
      return;
    }
    Optional<String> lanes = reader.lanes(inForce.partitions(), directory.command());
    lanesWrong = lanes.isPresent() && !lanesUnderWay();
    lanes.ifPresent(why -> notes.add(lanesWrong ? why : LANES_UNDER_WAY));
  }

  /** It was told of them so lately that it may still be writing them. */
  private boolean lanesUnderWay() {
    return told && time.nanos() - toldNanos < TimeLimits.lanes(inForce.fabric()).toNanos();
  }

  @Override
  public synchronized List<String> astray() {
    List<String> out = new ArrayList<>(damaged);
    if (untold && damaged.isEmpty()) {
      out.add("files for OpenSM were changed, and it was not told since that they are right");
    }
    if (!steady) {
      out.add("another subnet manager");
    }
    otherKeys.hosts().ifPresent(why -> out.add("other keys: " + why));
    otherKeys.switches().ifPresent(why -> out.add("other keys at switches: " + why));
    return out;
  }

  @Override
  public Optional<String> cannotWrite() {
    return Optional.of(unwritten).filter(why -> !why.isEmpty());
  }

  @Override
  public Applied apply(Target target) {
    return apply(target, _ -> {});
  }

  @Override
  public synchronized Applied apply(Target target, IntConsumer left) {
    try {
      boolean drift = !otherKeys.isEmpty() || !target.writes().isEmpty();
      boolean known = inForce != null && steady && inForce.says(target);
      if (drift && known && !untold) {
        return overwritten(target);
      }
      Optional<String> refusal = write(target);
      if (refusal.isPresent()) {
        return refused(refusal.get(), target, drift && known);
      }
      return tell(target, left, known);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return nothing("interrupted");
    }
  }

  /** Files first: OpenSM reads them at its next heavy sweep, told or not. */
  private Optional<String> write(Target target) {
    try {
      Optional<String> refusal = directory.write(target);
      unwritten = "";
      if (refusal.isEmpty()) {
        reader.figures().files.increment();
      }
      return refusal;
    } catch (IOException | IllegalStateException e) {
      unwritten = "files for OpenSM: " + why(e);
      reader.figures().filesFailed.increment();
      return Optional.of(unwritten);
    }
  }

  private static String why(Exception e) {
    return switch (e) {
      case AccessDeniedException denied -> "no permission to write " + denied.getFile();
      case NoSuchFileException gone -> "there is no " + gone.getFile();
      default -> e.getMessage();
    };
  }

  /**
   * OpenSM is not told of anything. Keys and entries that were in force are restored all the same:
   * tenants stay apart while the files wait.
   */
  private Applied refused(String why, Target target, boolean mend) {
    List<String> problems = new ArrayList<>(List.of(why));
    if (!unwritten.isEmpty()) {
      problems.addAll(damaged);
    }
    boolean mended = mend && options.writeDrift() && mend(target);
    if (mend && !mended && !unmended.isEmpty()) {
      problems.add(unmended);
    }
    return new Applied(mended ? target.writes().size() : 0, problems, false);
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

  /**
   * Has OpenSM read the files, and waits for what comes of it.
   *
   * @param known true if they are new to it only as far as somebody has changed them meanwhile
   */
  private Applied tell(Target target, IntConsumer left, boolean known) throws InterruptedException {
    unmended = "";
    Optional<SubnetManager> master = master();
    if (master.isPresent() && !master.get().leads()) {
      // also because a hang-up ends an OpenSM that has just begun
      return nothing("the files are written; " + master.get().trouble(directory.command()));
    }
    if (!target.fence().confirm()) {
      return nothing("the files are written, but OpenSM was not told: the leadership is lost");
    }
    if (known && !signals.allows(time.nanos())) {
      reader.figures().held.increment();
      return refused(TOO_OFTEN, target, !otherKeys.isEmpty() || !target.writes().isEmpty());
    }
    directory.written().told(); // what is done to them from here on counts again
    Optional<String> trouble = reload.run();
    reader.figures().signals.increment();
    if (trouble.isPresent()) {
      reader.figures().signalsFailed.increment();
      return nothing("the files are written, but OpenSM was not told: " + trouble.get());
    }
    told = true;
    toldNanos = time.nanos();
    if (known) {
      signals.take(toldNanos);
    }
    Duration settle = TimeLimits.settle(target.fabric(), options.settle());
    long calm = known ? Math.min(CALM_NANOS + lookNanos, settle.toNanos() / 2) : 0;
    long who = master.map(SubnetManager::guid).orElse(0L);
    Waited waited = await(target, who, left, calm, settle.toNanos());
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
              + settle.toMillis()
              + " ms"
              + remedy();
      return new Applied(waited.written, List.of(why), false);
    }
    inForce = InForce.of(target, master.orElseGet(reader::manager));
    untold = false;
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
   *
   * @param calm nanoseconds in which what is right may become wrong once more
   * @param settle nanoseconds that it may take
   */
  private Waited await(Target target, long master, IntConsumer left, long calm, long settle)
      throws InterruptedException {
    long begin = time.nanos();
    int all = target.writes().size();
    Outstanding blocks = new Outstanding(target);
    String missing = NOT_YET;
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
        boolean stuck = time.nanos() - moved >= STUCK_NANOS;
        if (blocks.left() == 0 || stuck) {
          int astray = otherKeys.count();
          missing = missing(target, master, stuck).orElse("");
          moved = blocks.left() > 0 || otherKeys.count() < astray ? time.nanos() : moved;
        }
        if (missing.isEmpty() && time.nanos() - begin < calm) {
          time.pass(CALM_MILLIS); // what OpenSM read before may still be on its way
          missing = NOT_YET;
          continue;
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
        if (time.nanos() - begin >= settle) {
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

  /**
   * What is not there yet.
   *
   * @param stuck nothing has come for a while: what OpenSM believes to be there it does not write
   */
  private Optional<String> missing(Target target, long master, boolean stuck) {
    Optional<ForwardingTables> live = reader.tables(target.fabric());
    if (live.isEmpty()) {
      return Optional.of("the fabric has changed");
    }
    boolean same = true;
    for (int sw = 0; sw < target.fabric().switchCount() && same; sw++) {
      same = live.get().differingBlocks(sw, target.tables()) == 0;
    }
    boolean may = options.writeDrift() && inForce != null && steady;
    if (!same) {
      if (may && inForce.onlyBelieved(target.fabric(), live.get(), target.tables()) > 0) {
        mendEntries(target); // the next look sees whether it worked
      }
      return Optional.of(NOT_YET);
    }
    otherKeys =
        reader.astray(
            target.partitions(),
            new PortKeys.Rules(master, directory.enforcing(), directory.allowsBoth()));
    if (!otherKeys.isEmpty() && stuck && may && inForce.partitions().equals(target.partitions())) {
      mendKeys(target);
    }
    return otherKeys.first();
  }

  /** Writes what differs by datagrams; true if it was written. */
  private boolean mend(Target target) {
    return (target.writes().isEmpty() || mendEntries(target))
        && (otherKeys.isEmpty() || mendKeys(target));
  }

  private boolean mendEntries(Target target) {
    if (!affords(entries, "entries")) {
      return false;
    }
    if (!target.fence().confirm()) {
      unmended = "the leadership is lost";
      return false;
    }
    reader.figures().corrections.increment();
    return mended(reader.write(target.fabric(), target.tables(), target.fence()::holds));
  }

  /** Those of hosts first: switches get the same. */
  private boolean mendKeys(Target target) {
    boolean hosts = otherKeys.hosts().isPresent();
    if (hosts && !affords(hostKeys, "keys of hosts")
        || otherKeys.switches().isPresent() && !affords(switchKeys, "keys of switches")) {
      return false;
    }
    if (!target.fence().confirm()) {
      unmended = "the leadership is lost";
      return false;
    }
    reader.figures().keyCorrections.increment();
    if (hosts && !mended(reader.restoreHosts())) {
      return false;
    }
    return otherKeys.switches().isEmpty() || mended(reader.restoreSwitches());
  }

  private boolean mended(Optional<String> failed) {
    unmended = failed.map(why -> "what OpenSM does not write again: " + why).orElse("");
    return failed.isEmpty();
  }

  private boolean affords(Budget budget, String what) {
    if (budget.allows(time.nanos())) {
      budget.take(time.nanos());
      return true;
    }
    reader.figures().held.increment();
    unmended = "somebody keeps writing " + what + "; they are left alone for a minute";
    return false;
  }

  @Override
  public List<Figure> figures() {
    return reader.figures().all(directory.written(), !unwritten.isEmpty());
  }

  /** Has the files looked at every 100 ms. */
  @Override
  public void onChange(Consumer<String> listener) {
    changes = listener;
    watchers.add(
        Thread.ofPlatform().name("heddle-files").daemon().start(() -> watchFiles(listener)));
  }

  /** Has switches and the subnet manager asked every 100 ms, or less often if that takes long. */
  @Override
  public void onSuspicion(Runnable listener) {
    watchers.add(Thread.ofPlatform().name("heddle-pulse").daemon().start(() -> beat(listener)));
  }

  private void watchFiles(Consumer<String> listener) {
    List<String> told = List.of();
    while (!closed && slept(WATCH_MILLIS)) {
      List<String> now = directory.written().look();
      if (!now.isEmpty() && !now.equals(told)) {
        listener.accept(String.join("; ", now));
      }
      told = now;
    }
  }

  private void beat(Runnable listener) {
    long tookNanos = 0;
    while (!closed && slept(Math.max(WATCH_MILLIS, BEAT_SHARE * tookNanos / NANOS_PER_MILLI))) {
      long began = System.nanoTime();
      LiveReader.Beat beat = reader.beat();
      beat.suspicion().ifPresent(_ -> listener.run());
      beat.fact().ifPresent(changes);
      tookNanos = System.nanoTime() - began;
    }
  }

  private static boolean slept(long millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
      return true;
    } catch (InterruptedException _) {
      return false;
    }
  }

  @Override
  public void close() {
    closed = true;
    watchers.forEach(Thread::interrupt);
    reader.close();
  }
}
