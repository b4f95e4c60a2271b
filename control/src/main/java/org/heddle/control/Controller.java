package org.heddle.control;

import static java.util.stream.Collectors.joining;

import java.lang.System.Logger.Level;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.heddle.control.model.Answer;
import org.heddle.control.model.Request;
import org.heddle.control.port.Store;
import org.heddle.control.port.StoreException;
import org.heddle.fabric.Fabric;
import org.heddle.fabric.MachineList;
import org.heddle.plan.ChangePlanner;
import org.heddle.plan.DesiredState;
import org.heddle.plan.DraftState;
import org.heddle.plan.Drains;
import org.heddle.plan.DryRun;
import org.heddle.plan.Events;
import org.heddle.plan.FabricChange;
import org.heddle.plan.PhysicalFabric;
import org.heddle.plan.Progress;
import org.heddle.plan.StateProof;
import org.heddle.plan.StateRouter;
import org.heddle.plan.Tables;
import org.heddle.plan.VmInventory;
import org.heddle.plan.model.Breach;
import org.heddle.plan.model.Change;
import org.heddle.plan.model.Drained;
import org.heddle.plan.model.Event;
import org.heddle.plan.model.EventKind;
import org.heddle.plan.model.JournalEntry;
import org.heddle.plan.model.JournalEntry.Effect;
import org.heddle.plan.model.KeyRanges;
import org.heddle.plan.model.Migration;
import org.heddle.plan.model.Outcome;
import org.heddle.plan.model.Quotas;
import org.heddle.plan.model.Tenant;
import org.heddle.plan.model.Vm;

/**
 * The desired state of one fabric and the only writer of it. Changes wait in a queue; one thread
 * takes those that wait, decides one after another, routes and proves them together, makes them
 * durable in one transaction, publishes, and only then answers. If they cannot be routed or proven
 * together, each is tried alone, so that one bad change spoils none of the others.
 *
 * <p>Readers take {@link #view}, which never waits.
 */
public final class Controller implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Controller.class.getName());

  /** Changes that are made durable together at most. */
  private static final int BATCH = 64;

  private static final int QUEUE = 4096;

  /** Entries of the journal that are read at once. */
  static final int JOURNAL_PART = 500;

  private final FailureStreak failures = new FailureStreak("changes fail with an error");
  private final Store store;
  private final Clock clock;
  private final String name;
  private final BlockingQueue<Pending> queue = new ArrayBlockingQueue<>(QUEUE);
  private final List<Consumer<DesiredState>> viewers = new CopyOnWriteArrayList<>();
  private final List<Consumer<Event>> listeners = new CopyOnWriteArrayList<>();
  private final Thread writer;
  private DraftState state;
  private long epoch;
  private volatile DesiredState view;
  private volatile DryRun.Basis basis;
  private final DryRuns dryRuns = new DryRuns();
  private volatile boolean closed;

  private final Stages stages = new Stages();

  /** When the writer began what it is at, if it is at something. */
  private volatile long busySince;

  private volatile boolean busy;
  private volatile boolean lost;

  /** From the call of the store's commit until the new state is this object's; the writer's. */
  private boolean committing;

  private volatile String noOwnLids = "";

  /** Tenants that are not what the store says, since that cannot be; the next commit says it. */
  private final Set<String> unsaved = new TreeSet<>();

  /** A change that waits; {@code id} is that of the request it came with, for the log. */
  private record Pending(
      Change change,
      Request request,
      CompletableFuture<Outcome> answer,
      String id,
      long sinceNanos) {}

  /** A change that was decided, and waits to be durable. */
  private record Decided(
      Pending pending, long epoch, ChangePlanner.Decision.Changed changed, Drained drained) {
    Decided with(Effect last) {
      List<Effect> effects = ChangePlanner.merged(changed.effects(), last);
      return new Decided(
          pending,
          epoch,
          new ChangePlanner.Decision.Changed(
              effects, changed.tenant(), changed.machines(), changed.vm(), changed.migration()),
          drained);
    }

    Optional<Migration> migration() {
      return changed.migration().map(m -> m.by(pending.request.actor().name()));
    }
  }

  private Controller(
      Store store, Clock clock, Store.Saved saved, DraftState state, Set<String> corrected) {
    this.store = store;
    this.clock = clock;
    this.name = saved.name();
    this.state = state;
    this.epoch = saved.epoch();
    this.unsaved.addAll(corrected);
    Tables tables = StateRouter.route(state);
    while (!tables.ok() && tables.culprit() != null) {
      unsaved.add(FabricChange.giveUp(state, tables, epoch).name());
      tables = StateRouter.route(state);
    }
    if (!tables.ok()) {
      throw new IllegalStateException("the stored state cannot be routed: " + tables.trouble());
    }
    state.publish(tables);
    this.view = publish(state);
    this.basis = new DryRun.Basis(view, state);
    this.writer = Thread.ofPlatform().name("heddle-writer").unstarted(this::run);
  }

  /**
   * Goes on where the store says that a fabric's controller stopped.
   *
   * @throws IllegalArgumentException if the store has no such fabric, or its fabric is no fat-tree
   */
  public static Controller open(Store store, Clock clock, String fabric) {
    return open(store, clock, fabric, KeyRanges.ALL, MachineList.NONE);
  }

  /** The same without quotas. */
  public static Controller open(
      Store store, Clock clock, String fabric, KeyRanges keys, MachineList machines) {
    return open(store, clock, fabric, keys, machines, Quotas.NONE);
  }

  /**
   * The same.
   *
   * @param keys those that partitions may have which are made from now on
   * @param machines as a site lists them, for this fabric and those it becomes
   * @param quotas what owners of tenants may have
   */
  public static Controller open(
      Store store,
      Clock clock,
      String fabric,
      KeyRanges keys,
      MachineList machines,
      Quotas quotas) {
    Store.Saved saved =
        store
            .load(fabric)
            .orElseThrow(() -> new IllegalArgumentException("no fabric '" + fabric + "'"));
    Drained drained = store.drained(fabric, saved.epoch());
    return switch (PhysicalFabric.of(
        saved.fabric().withMachines(machines), saved.engine(), drained)) {
      case PhysicalFabric.Outcome.Refused no ->
          throw new IllegalArgumentException(no.reason() + String.join("; ", no.details()));
      case PhysicalFabric.Outcome.Built built -> {
        DraftState w = new DraftState(built.site(), saved.engine());
        w.reference = reference(saved, built.site());
        w.keyRanges = keys;
        w.quotas = quotas;
        saved.tenants().forEach(t -> w.add(t, null));
        Set<String> corrected = recall(w);
        w.machines = VmInventory.of(w.site, saved.vms(), saved.nextVguid(), new ArrayList<>());
        Controller out = new Controller(store, clock, saved, w, corrected);
        out.writer.start();
        yield out;
      }
    };
  }

  private static PhysicalFabric reference(Store.Saved saved, PhysicalFabric now) {
    Store.Reference r = saved.reference();
    return r.fabric().isPresent()
            && PhysicalFabric.of(
                    r.fabric().get().withMachines(now.fabric().machineList()),
                    saved.engine(),
                    r.drained())
                instanceof PhysicalFabric.Outcome.Built built
        ? built.site()
        : now;
  }

  /**
   * Has the tenants of the store hold what is there of what they list. What they lost is worked out
   * anew; that they gave way, or could not be routed, was decided and stays.
   *
   * @return who is not what the store says
   */
  private static Set<String> recall(DraftState w) {
    Set<String> corrected = new TreeSet<>();
    Map<String, List<Breach>> lost = FabricChange.take(w, w.tenants.values());
    for (Tenant t : List.copyOf(w.tenants.values())) {
      Set<Breach> now = new LinkedHashSet<>(lost.getOrDefault(t.name(), List.of()));
      t.broken().stream()
          .filter(b -> b instanceof Breach.GaveWay || b instanceof Breach.Unroutable)
          .forEach(now::add);
      if (!now.equals(Set.copyOf(t.broken()))) {
        w.tenants.put(t.name(), t.holding(t.hosts(), t.links(), List.copyOf(now), t.changed()));
        corrected.add(t.name());
      }
    }
    return corrected;
  }

  /** The desired state as it is durable now. */
  public DesiredState view() {
    return view;
  }

  /** The store. */
  public Store store() {
    return store;
  }

  /**
   * True while changes are taken: false once the store has failed under a commit, or another
   * process may lead.
   */
  public boolean leads() {
    return !closed && !lost && store.writable();
  }

  /**
   * Refuses LIDs of machines' own from now on, because they would not be reached.
   *
   * @param reason a sentence that says what to do instead
   */
  public void refuseOwnLids(String reason) {
    noOwnLids = reason;
  }

  /** Has somebody told of every new state, on the writer's thread: do not wait there. */
  public void onView(Consumer<DesiredState> viewer) {
    viewers.add(viewer);
  }

  /** Has somebody told of every event, after it is durable. */
  public void onEvent(Consumer<Event> listener) {
    listeners.add(listener);
  }

  /**
   * Asks for a change; the answer comes when it is durable or refused. Never waits. A dry run is
   * worked out beside the writer, on the state that is published when its turn comes.
   */
  public CompletableFuture<Outcome> submit(Change change, Request request) {
    if (request.dryRun()) {
      return dryRuns.submit(request.actor().name(), () -> tryOut(change, request));
    }
    CompletableFuture<Outcome> answer = new CompletableFuture<>();
    if (!leads() || !queue.offer(pending(change, request, answer))) {
      answer.complete(
          Outcome.Refused.of(
              Outcome.Code.UNAVAILABLE, leads() ? "too many requests wait" : whyNot()));
    } else if (!leads()) {
      drain(); // closed meanwhile
    }
    return answer;
  }

  private static Pending pending(
      Change change, Request request, CompletableFuture<Outcome> answer) {
    String id = LogContext.current().getOrDefault(LogContext.REQUEST, "");
    return new Pending(change, request, answer, id, System.nanoTime());
  }

  /** How long the stages of changes take. */
  public Stages stages() {
    return stages;
  }

  /** How long the writer has been at the changes that it took last; zero if it waits for some. */
  public Duration busyFor() {
    return busy ? Duration.ofNanos(System.nanoTime() - busySince) : Duration.ZERO;
  }

  /** What of the writer goes wrong again and again; empty if nothing does. */
  public Optional<String> failing() {
    return failures.trouble();
  }

  /**
   * What would become of a change, worked out on the calling thread beside the one that writes:
   * changes go on meanwhile, and the answer is about the state there was at its beginning.
   *
   * @param progress is told how far it is, and may end it
   */
  public Outcome tryOut(Change change, Progress progress) {
    return leads()
        ? DryRun.run(basis, change, "", clock.instant(), noOwnLids, progress)
        : Outcome.Refused.of(Outcome.Code.UNAVAILABLE, whyNot());
  }

  private Outcome tryOut(Change change, Request request) {
    if (!leads()) {
      return Outcome.Refused.of(Outcome.Code.UNAVAILABLE, whyNot());
    }
    try {
      DryRun.Basis on = basis;
      String actor = request.actor().name();
      return answered(request)
          .orElseGet(
              () -> DryRun.run(on, change, actor, clock.instant(), noOwnLids, Progress.NONE));
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, "a dry run failed: " + change.kind().word() + " " + change.subject(), e);
      return Outcome.Refused.of(Outcome.Code.UNAVAILABLE, said(e));
    }
  }

  /**
   * The change that returns to an epoch. Reads the journal after it in parts, so that commits go on
   * meanwhile and memory is that of the tenants and machines that changed; if there are commits, it
   * is for the state of the last part.
   *
   * @return empty if the epoch is not in the journal
   */
  public Optional<Change.Rollback> rollbackTo(long target) {
    if (target < 0 || target > view.epoch()) {
      return Optional.empty();
    }
    Map<String, Optional<Tenant>> then = new LinkedHashMap<>();
    Map<String, Optional<Vm>> machines = new LinkedHashMap<>();
    long base = target;
    List<JournalEntry> part;
    do {
      part = store.journal(name, base, JOURNAL_PART);
      if (base == target
          && target < view.epoch()
          && (part.isEmpty() || part.getFirst().epoch() != target + 1)) {
        return Optional.empty(); // what came right after it is forgotten
      }
      for (JournalEntry e : part) {
        e.effects().forEach(f -> then.putIfAbsent(f.name(), f.before()));
        e.machines().forEach(m -> machines.putIfAbsent(m.name(), m.before()));
        base = e.epoch();
      }
    } while (part.size() == JOURNAL_PART);
    return Optional.of(
        new Change.Rollback(
            target, base, then, machines, store.drained(name, target), Optional.empty()));
  }

  /**
   * The change that makes one tenant, with its machines, what it was at an epoch; nothing else
   * changes. It is refused if what it held is others' by now.
   *
   * @param tenant its name; it need not be there now, or then
   * @return empty if the epoch is not in the journal
   */
  public Optional<Change.Rollback> rollbackTo(long target, String tenant) {
    return rollbackTo(target).map(all -> all.of(tenant, view.drained(), view.vms()));
  }

  /** The moment by the controller's clock. */
  public Instant now() {
    return clock.instant();
  }

  /** The first epoch that the journal can return to; those before it are forgotten. */
  public long oldest() {
    List<JournalEntry> first = store.journal(name, 0, 1);
    return first.isEmpty() ? view.epoch() : first.getFirst().epoch() - 1;
  }

  /** Stores and tells events that belong to no change. */
  public void tell(EventKind kind, String subject, String text) {
    Event e = new Event(0, clock.instant(), kind, subject, "", text, view.epoch());
    store.record(name, List.of(e)).forEach(stored -> listeners.forEach(l -> l.accept(stored)));
  }

  private void run() {
    List<Pending> batch = new ArrayList<>();
    while (!closed) {
      try {
        batch.clear();
        batch.add(queue.take());
        queue.drainTo(batch, BATCH - 1);
        busySince = System.nanoTime();
        busy = true;
        batch.forEach(p -> stages.took(Stages.Stage.WAIT, busySince - p.sinceNanos));
        process(batch);
      } catch (InterruptedException _) {
        break;
      } catch (RuntimeException | Error e) {
        fail(batch, e);
      } finally {
        busy = false;
      }
    }
    drain();
  }

  /** Refuses what is not answered yet; the state is as it was. */
  private void fail(List<Pending> batch, Throwable e) {
    if (!(e instanceof StoreException)) {
      failures.failed(e.toString());
    }
    LogContext.run(
        Map.of(LogContext.EPOCH, Long.toString(epoch), LogContext.REQUEST, ids(batch)),
        () -> unexpected("the writer failed at " + kinds(batch), e));
    lost |= e instanceof StoreException s && s.unknown() || committing;
    for (Pending p : batch) {
      p.answer.complete(Outcome.Refused.of(Outcome.Code.UNAVAILABLE, said(e)));
    }
  }

  private static String ids(List<Pending> batch) {
    return batch.stream().map(Pending::id).filter(id -> !id.isEmpty()).collect(joining(","));
  }

  private static String kinds(List<Pending> batch) {
    return batch.stream().map(p -> called(p.change)).collect(joining(", "));
  }

  /** What the log calls a change that failed: it may be one that cannot even say what it is. */
  private static String called(Change c) {
    try {
      return c.kind().word() + " " + c.subject();
    } catch (RuntimeException _) {
      return c.getClass().getSimpleName();
    }
  }

  /** The one place where exceptions that nobody meant to happen end: with their stack, once. */
  private static void unexpected(String what, Throwable e) {
    if (e instanceof StoreException) {
      LOG.log(Level.WARNING, "the database refused: " + what + ": " + e.getMessage(), e);
    } else {
      LOG.log(Level.ERROR, what, e);
    }
  }

  private static String said(Throwable e) {
    return e instanceof StoreException ? e.getMessage() : "failed: " + e;
  }

  private String whyNot() {
    return lost
        ? "it is not known whether the last change is stored: restart the controller"
        : "this process takes no changes";
  }

  private void drain() {
    for (Pending p = queue.poll(); p != null; p = queue.poll()) {
      p.answer.complete(Outcome.Refused.of(Outcome.Code.UNAVAILABLE, whyNot()));
    }
  }

  private void process(List<Pending> batch) {
    if (!together(batch)) {
      for (Pending p : batch) {
        if (!p.answer.isDone()) {
          alone(p);
        }
      }
    }
  }

  /** All of a batch; if one of them fails, nothing has happened and each is tried alone. */
  private boolean together(List<Pending> batch) {
    try {
      return attempt(batch);
    } catch (StoreException e) {
      throw e;
    } catch (RuntimeException | Error e) {
      if (batch.size() == 1 || committing) {
        throw e;
      }
      unexpected("a batch of changes of " + name + " failed", e);
      return false;
    }
  }

  /** One; if it fails, the others go on. */
  private void alone(Pending p) {
    try {
      attempt(List.of(p));
    } catch (StoreException e) {
      throw e;
    } catch (RuntimeException | Error e) {
      if (committing) {
        throw e;
      }
      fail(List.of(p), e);
    }
  }

  /** Works a batch through; false if it holds several changes that cannot go together. */
  private boolean attempt(List<Pending> batch) {
    DraftState w = state.copy();
    List<Decided> decided = new ArrayList<>();
    List<Pending> later = new ArrayList<>();
    Set<String> keys = new LinkedHashSet<>();
    Map<Pending, Outcome> settled = new LinkedHashMap<>();
    boolean alone = batch.size() == 1;
    Instant now = clock.instant();
    for (Pending p : batch) {
      String key = p.request.key();
      if (!key.isEmpty() && !keys.add(p.request.actor().name() + "\n" + key)) {
        later.add(p); // the same key twice in a batch: the second finds the first one's answer
        continue;
      }
      Optional<Outcome> known = answered(p.request);
      if (known.isPresent()) {
        settled.put(p, known.get());
        continue;
      }
      DraftState next = w.copy();
      long at = epoch + decided.size() + 1;
      switch (stages.timed(
          Stages.Stage.DECIDE,
          () -> new ChangePlanner(next, at, now, noOwnLids).decide(p.change))) {
        case ChangePlanner.Decision.Settled s -> settled.put(p, s.outcome());
        case ChangePlanner.Decision.Changed c -> {
          w = next;
          decided.add(new Decided(p, at, c, next.site.drained()));
        }
      }
    }
    boolean ok = decided.isEmpty() || finish(w, decided, alone);
    if (ok) {
      settled.forEach((p, outcome) -> p.answer.complete(outcome));
      later.forEach(p -> attempt(List.of(p)));
    }
    return ok;
  }

  /**
   * The outcome of an earlier request of the same actor and key, if there was one that changed
   * something. Whoever refuses a request before it is submitted asks this first: what the earlier
   * one did may be why.
   */
  public Optional<Outcome> answered(Request request) {
    if (request.key().isEmpty()) {
      return Optional.empty();
    }
    return store
        .answer(request.actor().name(), request.key())
        .map(
            a ->
                a.digest().equals(request.digest())
                    ? new Outcome.Accepted(a.epoch(), view.tenant(a.tenant()), true)
                    : Outcome.Refused.of(
                        Outcome.Code.KEY_REUSED, "the key was used for another request"));
  }

  private boolean finish(DraftState w, List<Decided> decided, boolean alone) {
    // who is a member of what does not change the tables
    boolean same = w.routesAs(state) && w.machines.routedAs(state.machines);
    Tables tables =
        same
            ? state.routed.with(w.machines, state.routed.tables())
            : stages.timed(Stages.Stage.PROVE, () -> StateProof.prove(w));
    while (alone && ChangePlanner.mayGiveUp(decided.getFirst().pending.change, tables)) {
      Decided d = decided.getFirst();
      decided = List.of(d.with(FabricChange.giveUp(w, tables, d.epoch)));
      tables = StateProof.prove(w);
    }
    if (!tables.ok()) {
      if (alone) {
        decided
            .getFirst()
            .pending
            .answer
            .complete(Outcome.Refused.of(tables.code(), tables.trouble()));
      }
      return alone;
    }
    w.publish(tables);
    long after = epoch + decided.size();
    Store.Commit commit = commit(w, decided, after);
    committing = true;
    List<Event> events;
    try {
      events = stages.timed(Stages.Stage.COMMIT, () -> store.commit(commit));
    } catch (StoreException e) {
      committing = false; // it says itself whether what happened is known
      throw e;
    }
    epoch = after;
    state = w;
    failures.succeeded();
    view = publish(w);
    basis = new DryRun.Basis(view, w);
    unsaved.clear();
    committing = false;
    decided.forEach(Controller::answer);
    decided.forEach(Controller::log);
    for (Consumer<DesiredState> v : viewers) {
      tell(v, view);
    }
    for (Event e : events) {
      for (Consumer<Event> l : listeners) {
        tell(l, e);
      }
    }
    return true;
  }

  private static void log(Decided d) {
    if (LOG.isLoggable(Level.DEBUG)) {
      Change c = d.pending.change;
      LogContext.run(
          Map.of(LogContext.EPOCH, Long.toString(d.epoch), LogContext.REQUEST, d.pending.id),
          () ->
              LOG.log(
                  Level.DEBUG,
                  c.kind().word() + " " + c.subject() + " by " + d.pending.request.actor().name()));
    }
  }

  /** What somebody does with what he is told is no trouble of the change. */
  private static <T> void tell(Consumer<T> who, T what) {
    try {
      who.accept(what);
    } catch (RuntimeException e) {
      unexpected("announcing a change failed", e);
    }
  }

  private static void answer(Decided d) {
    d.pending.answer.complete(
        Outcome.Accepted.of(d.epoch, d.changed.tenant(), d.changed.vm(), d.migration()));
  }

  private Store.Commit commit(DraftState w, List<Decided> decided, long after) {
    Set<String> touched = new LinkedHashSet<>();
    List<JournalEntry> journal = new ArrayList<>();
    List<Event> events = new ArrayList<>();
    List<Answer> answers = new ArrayList<>();
    Optional<Fabric> snapshot = Optional.empty();
    List<Drained.At> drained = new ArrayList<>();
    Drained before = state.site.drained();
    Instant now = clock.instant();
    for (Decided d : decided) {
      Change c = d.pending.change;
      Request r = d.pending.request;
      List<Effect> effects = d.changed.effects();
      effects.forEach(e -> touched.add(e.name()));
      journal.add(
          new JournalEntry(
              d.epoch,
              now,
              r.actor().name(),
              c.kind(),
              c.subject(),
              effects,
              d.changed.machines()));
      events.addAll(Drains.events(w.site.fabric(), before, d.drained, d.epoch, now));
      events.addAll(Events.of(c, effects, d.epoch, now));
      events.addAll(Events.of(d.changed.machines(), vm -> owner(w, vm), d.epoch, now));
      if (!d.drained.equals(before)) {
        drained.add(new Drained.At(d.epoch, d.drained));
        before = d.drained;
      }
      if (!r.key().isEmpty()) {
        String tenant = d.changed.tenant().map(Tenant::name).orElse("");
        answers.add(new Answer(r.actor().name(), r.key(), r.digest(), d.epoch, tenant, now));
      }
      snapshot = c instanceof Change.FabricChanged ? Optional.of(w.site.fabric()) : snapshot;
    }
    List<Tenant> put = new ArrayList<>();
    List<String> removed = new ArrayList<>();
    touched.addAll(unsaved);
    for (String t : touched) {
      Optional.ofNullable(w.tenants.get(t)).ifPresentOrElse(put::add, () -> removed.add(t));
    }
    return new Store.Commit(
        name,
        epoch,
        after,
        snapshot,
        put,
        removed,
        machines(w, decided),
        journal,
        events,
        answers,
        drained,
        w.reference == state.reference && w.site == state.site
            ? Optional.empty()
            : Optional.of(reference(w)));
  }

  private static Store.Reference reference(DraftState w) {
    return w.reference == w.site
        ? Store.Reference.NONE
        : new Store.Reference(Optional.of(w.reference.fabric()), w.reference.drained());
  }

  /** Whose a machine is; its tenant may be gone by now. */
  private String owner(DraftState w, Vm vm) {
    Tenant t = w.tenants.getOrDefault(vm.tenant(), state.tenants.get(vm.tenant()));
    return t == null ? "" : t.spec().owner();
  }

  /** Whoever else is routed otherwise is among them, too. */
  private Store.Machines machines(DraftState w, List<Decided> decided) {
    if (w.machines == state.machines) {
      return Store.Machines.NONE;
    }
    Map<String, Vm> before = state.machines.all();
    Map<String, Vm> now = w.machines.all();
    List<Vm> put = new ArrayList<>();
    now.values().stream().filter(vm -> !vm.equals(before.get(vm.name()))).forEach(put::add);
    List<String> removed = new ArrayList<>(before.keySet());
    removed.removeAll(now.keySet());
    List<Migration> migrations = new ArrayList<>();
    decided.forEach(d -> d.migration().ifPresent(migrations::add));
    return new Store.Machines(put, removed, w.machines.placement().nextVguid(), migrations);
  }

  private DesiredState publish(DraftState w) {
    return new DesiredState(
        name,
        epoch,
        w.machines.fabric(),
        w.site.tree(),
        w.routed.tables(),
        Collections.unmodifiableMap(w.tenants),
        Collections.unmodifiableMap(w.keys),
        w.machines.all(),
        w.holdings.freeHosts(),
        Stream.concat(w.site.notes().stream(), w.routed.notes().stream()).toList(),
        w.site.out(),
        w.engineInForce());
  }

  /** Takes no more changes; those that wait are refused. Does not close the store. */
  @Override
  public void close() {
    closed = true;
    writer.interrupt();
    try {
      writer.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    drain();
    dryRuns.close();
  }
}
