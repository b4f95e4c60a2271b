package org.heddle.control;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;
import org.heddle.control.model.Actor;
import org.heddle.control.model.Request;
import org.heddle.control.port.AgentException;
import org.heddle.control.port.FabricAgent;
import org.heddle.control.port.FabricAgent.BlockWrite;
import org.heddle.control.port.StoreException;
import org.heddle.fabric.Counted;
import org.heddle.fabric.Fabric;
import org.heddle.plan.DesiredState;
import org.heddle.plan.Differences;
import org.heddle.plan.model.Change;
import org.heddle.plan.model.EventKind;
import org.heddle.plan.model.Outcome;
import org.heddle.plan.model.Partition;
import org.heddle.reconfig.TableChange;
import org.heddle.routing.ForwardingTables;

/**
 * Brings the fabric to the desired state: it reads the fabric, plans again if cabling or LIDs have
 * changed, writes what differs, and repeats this until nothing differs. It hands partitions to the
 * agent when they change, and once at the start.
 */
public final class Reconciler implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Reconciler.class.getName());
  private static final Duration SOON = Duration.ofMillis(200);

  private final Controller controller;
  private final FabricAgent agent;
  private final boolean correct;
  private final Pace pace;
  private final Semaphore wake = new Semaphore(0);
  private final Thread thread;
  private final List<Consumer<Status>> watchers = new CopyOnWriteArrayList<>();
  private final List<LongConsumer> filing = new CopyOnWriteArrayList<>();
  private final LookFigures looks = new LookFigures();
  private volatile Status status = new Status(-1, false, 0, List.of(), 0);
  private volatile boolean closed;

  /** The epoch that the fabric had at the last look; -1 if it had another one. */
  private long agreed = -1;

  /** What the agent has noticed by itself, by number. */
  private long notices;

  /** How much of that was known before the look that is going on. */
  private long known;

  /** Partitions the agent has taken since this process began; null at the start. */
  private List<Partition> handed;

  /**
   * What the log said when files were written that nobody is told of; the same is not said again.
   */
  private String filed = "";

  /** The newest epoch that the fabric was seen to have since this process began. */
  private volatile long reached = -1;

  /** Problems of the last look; what was noticed since is for the next one to judge. */
  private List<String> said = List.of();

  /** Problems of the last event. */
  private List<String> told = List.of();

  /** Problems that the log was told of. */
  private List<String> logged = List.of();

  /** How long the last look took. */
  private long lookNanos;

  /** Looks since the start. */
  private long passes;

  private final FailureStreak failures = new FailureStreak("the fabric is not brought up to date");

  /** Why the fabric as it is could not be planned for at the last look; empty if it could. */
  private volatile String refusal = "";

  /**
   * How far it is.
   *
   * @param epoch that was compared
   * @param inSync true if nothing differed
   * @param differing blocks that differed
   * @param problems of the last attempt
   * @param written blocks written since the start
   */
  public record Status(
      long epoch, boolean inSync, int differing, List<String> problems, long written) {
    public Status {
      problems = List.copyOf(problems);
    }

    private Status failing(long at, int blocks, List<String> why) {
      return new Status(at, false, blocks, why, written);
    }

    /** The same while something is written: what is left, and what was done since. */
    private Status going(int left, int done, List<String> why) {
      return new Status(epoch, false, left, why, written + done);
    }
  }

  /**
   * A reconciler that is not running yet.
   *
   * @param correct false to show drift and leave it: only new epochs are written
   * @param interval between looks when nothing happens, and before an attempt is repeated
   */
  public Reconciler(Controller controller, FabricAgent agent, boolean correct, Duration interval) {
    this(controller, agent, correct, Pace.every(interval));
  }

  /**
   * One that is not running yet either.
   *
   * @param correct false to show drift and leave it: only new epochs are written
   * @param pace of looks when nothing happens
   */
  public Reconciler(Controller controller, FabricAgent agent, boolean correct, Pace pace) {
    this.controller = controller;
    this.agent = agent;
    this.correct = correct;
    this.pace = pace;
    this.thread = Thread.ofPlatform().name("heddle-reconciler").daemon().unstarted(this::run);
  }

  /** Starts the thread. */
  public void start() {
    controller.onView(_ -> wake.release());
    listen();
    thread.start();
  }

  /** Takes what the agent notices between looks. */
  void listen() {
    agent.onChange(this::noticed);
    agent.onSuspicion(wake::release);
  }

  /** How far it is. */
  public Status status() {
    return status;
  }

  /** Has somebody told of every new status, on the reconciler's thread: do not wait there. */
  public void onStatus(Consumer<Status> watcher) {
    watchers.add(watcher);
  }

  /** Has somebody told of epochs that files say and that nobody is told of (dry run). */
  public void onFiled(LongConsumer watcher) {
    filing.add(watcher);
  }

  /**
   * Why the desired state is still that of another fabric than there is: the change was refused, as
   * it will be at every look until the fabric is another one again.
   */
  public Optional<String> refusesFabric() {
    return Optional.of(refusal).filter(r -> !r.isEmpty());
  }

  /** Why the agent cannot hand on what was decided; empty if it can. */
  public Optional<String> cannotWrite() {
    return agent.cannotWrite();
  }

  /** Looks at the fabric, and what the agent has done; does not wait. */
  public List<FabricAgent.Figure> figures() {
    List<FabricAgent.Figure> out = new ArrayList<>(looks.figures());
    out.addAll(agent.figures());
    return out;
  }

  private FabricAgent.Observation observe() {
    long began = System.nanoTime();
    boolean done = false;
    try {
      FabricAgent.Observation seen = agent.observe();
      done = true;
      return seen;
    } finally {
      lookNanos = System.nanoTime() - began;
      looks.ended(lookNanos, done);
    }
  }

  private void say(Status now) {
    said = now.problems();
    synchronized (this) {
      status = now;
      agreed = now.inSync() ? now.epoch() : -1;
    }
    watchers.forEach(w -> w.accept(now));
  }

  /** Says that all is well, unless something was noticed since the look began. */
  private boolean sayInSync(Status now) {
    synchronized (this) {
      if (notices != known) {
        return false;
      }
      status = now;
      agreed = now.epoch();
    }
    said = now.problems();
    watchers.forEach(w -> w.accept(now));
    return true;
  }

  /**
   * Something is not as it was. The status says so from now on, not only when the next look has
   * ended; a look that is going on does not take it back.
   */
  private void noticed(String what) {
    boolean news;
    synchronized (this) {
      notices++;
      news = status.inSync;
      if (news) {
        status = status.failing(status.epoch, status.differing, List.of(what));
      }
    }
    LOG.log(news ? Level.INFO : Level.DEBUG, "noticed: " + what);
    wake.release();
  }

  private synchronized void begins() {
    known = notices;
  }

  /** The newest epoch that the fabric was seen to have; -1 if none was yet. */
  public long reached() {
    return reached;
  }

  /** How long a look with its consequences has been under way; zero if none is. */
  public Duration underWay() {
    return looks.underWay();
  }

  /** What of it goes wrong again and again; empty if nothing does. */
  public Optional<String> failing() {
    return failures.trouble();
  }

  private void run() {
    while (!closed) {
      PassResult result =
          LogContext.call(
              Map.of(
                  LogContext.PASS,
                  Long.toString(++passes),
                  LogContext.EPOCH,
                  Long.toString(controller.view().epoch())),
              () -> looks.timed(this::lookOnce));
      try {
        wake.tryAcquire(result.comeBack().toMillis(), TimeUnit.MILLISECONDS);
        wake.drainPermits();
      } catch (InterruptedException _) {
        return;
      }
    }
  }

  /** A look whose failure is told. */
  private PassResult lookOnce() {
    PassResult result;
    try {
      result = pass();
    } catch (RuntimeException e) {
      boolean expected = e instanceof AgentException || e instanceof StoreException;
      String why = expected ? e.getMessage() : e.toString();
      if (!expected) {
        failures.failed(why);
        LOG.log(Level.ERROR, "a look at the fabric failed", e);
      }
      say(status.failing(status.epoch, status.differing, List.of(why)));
      result = new PassResult.Failed(why, pace.most());
    }
    logTrouble(said);
    tellTrouble();
    return result;
  }

  /** A line when trouble begins, becomes something else, and ends. */
  private void logTrouble(List<String> now) {
    if (!now.equals(logged)) {
      if (now.isEmpty()) {
        LOG.log(Level.INFO, "trouble has ended: " + String.join("; ", logged));
      } else {
        LOG.log(Level.WARNING, "trouble: " + String.join("; ", now));
      }
      logged = now;
    }
  }

  /** What is wrong is an event once, when it begins or becomes something else. */
  private void tellTrouble() {
    List<String> now = said;
    try {
      if (!now.equals(told) && !now.isEmpty() && controller.leads()) {
        controller.tell(EventKind.TROUBLE, controller.view().name(), String.join("; ", now));
      }
      told = now;
    } catch (RuntimeException _) {
      // the database does not answer: at the next look, and the status says it meanwhile
    }
  }

  /**
   * One look, and one attempt to write what differs.
   *
   * @throws AgentException if the fabric cannot be read
   */
  public PassResult pass() {
    begins();
    FabricAgent.Observation seen = observe();
    if (!controller.leads()) {
      return standsBack();
    }
    DesiredState desired = controller.view();
    Fabric cabled = seen.fabric().withAssignedLids();
    if (!Differences.none(desired.fabric(), cabled)) {
      Optional<PassResult> no = adopt(desired, cabled);
      if (no.isPresent()) {
        return no.get();
      }
      desired = controller.view();
    }
    failures.succeeded();
    if (!Differences.none(desired.fabric(), cabled)) {
      return new PassResult.Overtaken(soon());
    }
    refusal = "";
    return compare(seen, desired);
  }

  /** Has the controller plan for a fabric that is another one; empty if it has. */
  private Optional<PassResult> adopt(DesiredState desired, Fabric cabled) {
    String what = Differences.of(desired.fabric(), cabled);
    LOG.log(Level.INFO, "the fabric is another one: " + what);
    Change change = new Change.FabricChanged(cabled, what);
    if (controller.submit(change, Request.of(Actor.SYSTEM)).join() instanceof Outcome.Refused no) {
      refusal = no.reason();
      String why = what + ": " + no.reason();
      if (no.code() == Outcome.Code.UNAVAILABLE && controller.leads()) {
        failures.failed(why);
      } else {
        failures.succeeded(); // an answer, if not the one hoped for
      }
      say(status.failing(desired.epoch(), 0, List.of(why)));
      return Optional.of(new PassResult.Refused(why, pace.most()));
    }
    return Optional.empty();
  }

  private PassResult compare(FabricAgent.Observation seen, DesiredState desired) {
    List<BlockWrite> writes = writes(seen, desired);
    List<Partition> partitions = desired.partitions();
    List<String> astray = agent.astray();
    long agreedBefore = agreed;
    Status before = status;
    if (writes.isEmpty() && partitions.equals(handed) && astray.isEmpty()) {
      return agrees(seen, desired, agreedBefore);
    }
    boolean drift = agreedBefore == desired.epoch();
    if (drift) {
      String what = what(writes, astray);
      LOG.log(Level.WARNING, "drift: " + what);
      looks.drifted();
      controller.tell(EventKind.DRIFT, desired.name(), what);
    }
    if (!correct && (drift || before.epoch == desired.epoch())) {
      List<String> problems = new ArrayList<>(astray);
      problems.addFirst("drift");
      say(before.failing(desired.epoch(), writes.size(), problems));
      return new PassResult.DriftLeft(writes.size(), pace.after(lookNanos));
    }
    return apply(desired, writes, partitions, astray);
  }

  private static String what(List<BlockWrite> writes, List<String> astray) {
    List<String> what = new ArrayList<>(astray);
    if (!writes.isEmpty()) {
      what.add(Counted.of(writes.size(), "block differs", "blocks differ"));
    }
    return what.isEmpty() ? "other partitions" : String.join("; ", what);
  }

  private PassResult agrees(FabricAgent.Observation seen, DesiredState desired, long agreedBefore) {
    Status now = new Status(desired.epoch(), true, 0, seen.notes(), status.written);
    if (!sayInSync(now)) {
      return new PassResult.Overtaken(Duration.ZERO);
    }
    reached = desired.epoch();
    if (agreedBefore != desired.epoch()) {
      LOG.log(Level.INFO, "in sync with epoch " + desired.epoch());
      controller.tell(
          EventKind.IN_SYNC, desired.name(), "tables are those of epoch " + desired.epoch());
    }
    return controller.view().epoch() == desired.epoch()
        ? new PassResult.InSync(desired.epoch(), pace.after(lookNanos))
        : new PassResult.Overtaken(soon());
  }

  private Duration soon() {
    return pace.least().compareTo(SOON) < 0 ? pace.least() : SOON;
  }

  private PassResult standsBack() {
    List<String> why = List.of("this process does not lead");
    say(status.failing(status.epoch, status.differing, why));
    return new PassResult.StoodBack(pace.most());
  }

  private PassResult apply(
      DesiredState desired,
      List<BlockWrite> writes,
      List<Partition> partitions,
      List<String> astray) {
    if (!controller.leads()) { // asked again: what came before may have taken long
      return standsBack();
    }
    Status before = status;
    String what =
        "writes %s of epoch %d"
            .formatted(Counted.of(writes.size(), "block", "blocks"), desired.epoch());
    LOG.log(what.equals(filed) ? Level.DEBUG : Level.INFO, what);
    List<String> problems = astray.isEmpty() ? before.problems : astray;
    say(before.failing(before.epoch, writes.size(), problems)); // how much there is to do
    FabricAgent.Target target =
        new FabricAgent.Target(
            desired.epoch(),
            desired.fabric(),
            desired.tables(),
            writes,
            partitions,
            controller.store().fence());
    int[] most = new int[1]; // what is written never becomes less
    IntConsumer progress =
        left -> {
          most[0] = Math.max(most[0], writes.size() - left);
          say(before.going(left, most[0], problems));
        };
    FabricAgent.Applied applied =
        controller.stages().timed(Stages.Stage.APPLY, () -> agent.apply(target, progress));
    if (applied.problems().isEmpty()) {
      if (applied.end() == FabricAgent.Applied.End.WRITTEN) {
        handed = partitions;
      }
      if (applied.end() != FabricAgent.Applied.End.FILED) {
        wake.release(); // look at once whether it is there
      }
    }
    say(
        new Status(
            correct ? desired.epoch() : before.epoch,
            false,
            writes.size(),
            applied.problems(),
            before.written + Math.max(most[0], applied.written())));
    filed = applied.end() == FabricAgent.Applied.End.FILED ? what : "";
    if (applied.end() == FabricAgent.Applied.End.FILED) {
      filing.forEach(w -> w.accept(desired.epoch()));
    }
    return new PassResult.Written(writes.size(), applied.soon() ? soon() : pace.most());
  }

  private static List<BlockWrite> writes(FabricAgent.Observation seen, DesiredState desired) {
    Fabric fabric = desired.fabric();
    ForwardingTables there = seen.tables();
    boolean same = true;
    for (int sw = 0; sw < fabric.switchCount() && same; sw++) {
      same = there.differingBlocks(sw, desired.tables()) == 0;
    }
    if (same) {
      return List.of();
    }
    List<BlockWrite> out = new ArrayList<>();
    for (TableChange.Write w :
        TableChange.order(fabric, Optional.of(desired.tree()), there, desired.tables()).writes()) {
      out.add(new BlockWrite(fabric.nodeGuid(w.sw()), w.block(), w.entries()));
    }
    return out;
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
