package org.heddle.control;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.heddle.control.model.Answer;
import org.heddle.control.model.AuditRecord;
import org.heddle.control.model.Credential;
import org.heddle.control.model.Plan;
import org.heddle.control.port.Fence;
import org.heddle.control.port.JobStore;
import org.heddle.control.port.Part;
import org.heddle.control.port.Store;
import org.heddle.control.port.StoreException;
import org.heddle.fabric.Fabric;
import org.heddle.plan.model.Drained;
import org.heddle.plan.model.Event;
import org.heddle.plan.model.JournalEntry;
import org.heddle.plan.model.Migration;
import org.heddle.plan.model.Tenant;
import org.heddle.plan.model.Vm;

/** A store that forgets at the end of the process. */
final class MemoryStore implements Store {
  private final List<Plan> plans = new ArrayList<>();
  private final Map<String, Tenant> tenants = new LinkedHashMap<>();
  private final List<JournalEntry> journal = new ArrayList<>();
  private final List<Drained.At> drained = new ArrayList<>();
  private final List<Event> events = new ArrayList<>();
  private final Map<String, Answer> answers = new LinkedHashMap<>();
  private final Map<String, Vm> vms = new TreeMap<>();
  private final List<Migration> migrations = new ArrayList<>();
  private Saved saved;
  private Reference reference = Reference.NONE;
  private long nextVguid;
  private boolean failing;
  private volatile boolean writable = true;
  private volatile Fence fence = Fence.NONE;

  synchronized void failNext() {
    failing = true;
  }

  @Override
  public synchronized Optional<Saved> load(String fabric) {
    return Optional.ofNullable(saved)
        .map(
            s ->
                new Saved(
                    s.name(),
                    s.epoch(),
                    s.fabric(),
                    s.engine(),
                    tenants.values().stream()
                        .sorted(
                            Comparator.comparingLong(Tenant::created).thenComparing(Tenant::name))
                        .toList(),
                    List.copyOf(vms.values()),
                    nextVguid,
                    reference));
  }

  @Override
  public synchronized Drained drained(String fabric, long epoch) {
    Drained out = Drained.NONE;
    for (Drained.At at : drained) {
      out = at.epoch() <= epoch ? at.drained() : out;
    }
    return out;
  }

  @Override
  public List<String> fabrics() {
    return List.of(saved.name());
  }

  @Override
  public synchronized void engine(String name, String engine) {
    saved =
        new Saved(
            name,
            saved.epoch(),
            saved.fabric(),
            engine,
            saved.tenants(),
            saved.vms(),
            saved.nextVguid(),
            saved.reference());
  }

  @Override
  public void create(String name, Fabric fabric, String engine) {
    saved = new Saved(name, 0, fabric, engine, List.of(), List.of(), 0, Reference.NONE);
  }

  @Override
  public synchronized List<Event> commit(Commit c) {
    if (failing || c.before() != saved.epoch()) {
      failing = false;
      throw new StoreException("no", null, false);
    }
    saved =
        new Saved(
            saved.name(),
            c.after(),
            c.snapshot().orElse(saved.fabric()),
            saved.engine(),
            List.of(),
            List.of(),
            0,
            Reference.NONE);
    reference = c.reference().orElse(reference);
    c.machines().removed().forEach(vms::remove);
    c.machines().put().forEach(vm -> vms.put(vm.name(), vm));
    nextVguid = Math.max(nextVguid, c.machines().nextVguid());
    migrations.addAll(c.machines().migrations());
    c.removed().forEach(tenants::remove);
    c.put().forEach(t -> tenants.put(t.name(), t));
    drained.addAll(c.drained());
    journal.addAll(c.journal());
    c.answers().forEach(a -> answers.put(a.actor() + " " + a.key(), a));
    return record("", c.events());
  }

  @Override
  public Optional<Answer> answer(String actor, String key) {
    return Optional.ofNullable(answers.get(actor + " " + key));
  }

  @Override
  public List<JournalEntry> journal(String fabric, Part part) {
    return (part.descending() ? journal.reversed() : journal)
        .stream().filter(e -> part.holds(e.epoch())).limit(part.limit()).toList();
  }

  @Override
  public synchronized List<Event> events(String fabric, Part part) {
    return (part.descending() ? events.reversed() : events)
        .stream().filter(e -> part.holds(e.id())).limit(part.limit()).toList();
  }

  @Override
  public synchronized long lastEvent(String fabric) {
    return events.size();
  }

  @Override
  public synchronized List<Event> record(String fabric, List<Event> more) {
    List<Event> out = new ArrayList<>();
    for (Event e : more) {
      long id = events.size() + 1L;
      out.add(new Event(id, e.at(), e.kind(), e.subject(), e.owner(), e.text(), e.epoch()));
      events.add(out.getLast());
    }
    return out;
  }

  @Override
  public void audit(List<AuditRecord> records) {}

  @Override
  public List<AuditRecord> audit(Part part) {
    return List.of();
  }

  @Override
  public List<Credential> credentials() {
    return List.of();
  }

  @Override
  public void put(Credential credential) {}

  @Override
  public synchronized Plan put(String fabric, Plan plan, int keep) {
    Optional<Plan> there = planOfKey(fabric, plan.actor(), plan.key());
    if (there.isPresent()) {
      return there.get();
    }
    plans.add(plan.withId(plans.size() + 1L));
    return plans.getLast();
  }

  @Override
  public synchronized Optional<Plan> plan(String fabric, long id) {
    return plans.stream().filter(p -> p.id() == id).findFirst();
  }

  @Override
  public synchronized Optional<Plan> planOfKey(String fabric, String actor, String key) {
    return plans.stream()
        .filter(p -> !key.isEmpty() && p.actor().equals(actor) && p.key().equals(key))
        .findFirst();
  }

  @Override
  public synchronized List<Plan> plans(String fabric, Part part) {
    return (part.descending() ? plans.reversed() : plans)
        .stream().filter(p -> part.holds(p.id())).limit(part.limit()).toList();
  }

  @Override
  public JobStore jobs() {
    throw new UnsupportedOperationException();
  }

  @Override
  public synchronized Optional<Migration> migration(String fabric, long epoch) {
    return migrations.stream().filter(m -> m.epoch() == epoch).findFirst();
  }

  @Override
  public synchronized List<Migration> migrations(String fabric, Part part) {
    return (part.descending() ? migrations.reversed() : migrations)
        .stream().filter(m -> part.holds(m.epoch())).limit(part.limit()).toList();
  }

  @Override
  public int prune(int keepAnswers) {
    return 0;
  }

  @Override
  public synchronized int forget(Kept what, String fabric, long upTo) {
    int before = journal.size();
    if (what == Kept.HISTORY) {
      journal.removeIf(e -> e.epoch() <= upTo);
    }
    return before - journal.size();
  }

  /** What writes into the fabric are fenced by, from now on. */
  void fence(Fence other) {
    fence = other;
  }

  void loseLeadership() {
    writable = false;
  }

  @Override
  public boolean writable() {
    return writable;
  }

  @Override
  public Fence fence() {
    return fence;
  }

  @Override
  public Map<String, Instant> lastUsed() {
    return Map.of();
  }

  @Override
  public void used(Map<String, Instant> at) {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean healthy() {
    return true;
  }

  @Override
  public void close() {}
}
