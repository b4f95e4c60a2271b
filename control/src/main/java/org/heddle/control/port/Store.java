package org.heddle.control.port;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.heddle.control.model.Answer;
import org.heddle.control.model.AuditRecord;
import org.heddle.control.model.Credential;
import org.heddle.control.model.Plan;
import org.heddle.fabric.Fabric;
import org.heddle.plan.model.Drained;
import org.heddle.plan.model.Event;
import org.heddle.plan.model.JournalEntry;
import org.heddle.plan.model.Migration;
import org.heddle.plan.model.Tenant;
import org.heddle.plan.model.Vm;

/**
 * The durable state of a controller. Methods throw {@link StoreException} if the database fails.
 * Thread-safe; {@link #commit} is called by one thread.
 */
public interface Store extends AutoCloseable {
  /**
   * What is needed to go on where a fabric's controller stopped.
   *
   * @param tenants in the order of their admission
   * @param vms by name
   * @param nextVguid what the next machine gets; 0 if there never was one
   * @param reference the fabric that lacked nothing
   */
  record Saved(
      String name,
      long epoch,
      Fabric fabric,
      String engine,
      List<Tenant> tenants,
      List<Vm> vms,
      long nextVguid,
      Reference reference) {
    public Saved {
      tenants = List.copyOf(tenants);
      vms = List.copyOf(vms);
    }
  }

  /**
   * The last fabric that lacked nothing of those before it.
   *
   * @param fabric empty if that is the fabric as it is now
   * @param drained what was out of service then
   */
  record Reference(Optional<Fabric> fabric, Drained drained) {
    /** The fabric lacks nothing. */
    public static final Reference NONE = new Reference(Optional.empty(), Drained.NONE);
  }

  /**
   * What a transaction does to machines.
   *
   * @param put as they are now
   * @param removed names of those that are gone
   * @param nextVguid what the next machine gets; never less than before
   * @param migrations that were decided
   */
  record Machines(List<Vm> put, List<String> removed, long nextVguid, List<Migration> migrations) {
    /** Nothing. */
    public static final Machines NONE = new Machines(List.of(), List.of(), 0, List.of());

    public Machines {
      put = List.copyOf(put);
      removed = List.copyOf(removed);
      migrations = List.copyOf(migrations);
    }
  }

  /**
   * One transaction: everything, or nothing.
   *
   * @param fabric the name of the fabric
   * @param before the epoch that must be the stored one; if another process has gone on, the commit
   *     fails
   * @param after the new epoch, as many more as there are journal entries
   * @param snapshot the fabric if it has changed
   * @param put tenants as they are now
   * @param removed names of tenants that are gone
   * @param machines the same of machines
   * @param drained what is out of service since epochs that changed it, ascending
   * @param reference the fabric that lacked nothing, if that may be another one than before
   */
  record Commit(
      String fabric,
      long before,
      long after,
      Optional<Fabric> snapshot,
      List<Tenant> put,
      List<String> removed,
      Machines machines,
      List<JournalEntry> journal,
      List<Event> events,
      List<Answer> answers,
      List<Drained.At> drained,
      Optional<Reference> reference) {
    public Commit {
      put = List.copyOf(put);
      removed = List.copyOf(removed);
      journal = List.copyOf(journal);
      events = List.copyOf(events);
      answers = List.copyOf(answers);
      drained = List.copyOf(drained);
    }

    /** Without a change of what is out of service. */
    public Commit(
        String fabric,
        long before,
        long after,
        Optional<Fabric> snapshot,
        List<Tenant> put,
        List<String> removed,
        Machines machines,
        List<JournalEntry> journal,
        List<Event> events,
        List<Answer> answers) {
      this(
          fabric,
          before,
          after,
          snapshot,
          put,
          removed,
          machines,
          journal,
          events,
          answers,
          List.of(),
          Optional.empty());
    }
  }

  /** The state of a fabric, or empty if it is new. */
  Optional<Saved> load(String fabric);

  /** What was out of service at an epoch. */
  Drained drained(String fabric, long epoch);

  /** Names of the fabrics. */
  List<String> fabrics();

  /** A new fabric without tenants at epoch 0. */
  void create(String name, Fabric fabric, String engine);

  /** Has the fabric's base tables made by another engine, from the next {@link #load} on. */
  void engine(String name, String engine);

  /**
   * Makes a change durable.
   *
   * @return the events with their ids
   */
  List<Event> commit(Commit commit);

  /** The answer remembered for an actor's key. */
  Optional<Answer> answer(String actor, String key);

  /** A part of the journal entries. */
  List<JournalEntry> journal(String fabric, Part part);

  /** Journal entries after an epoch, ascending. */
  default List<JournalEntry> journal(String fabric, long after, int limit) {
    return journal(fabric, Part.after(after, limit));
  }

  /** A part of the events. */
  List<Event> events(String fabric, Part part);

  /** Events after an id, ascending. */
  default List<Event> events(String fabric, long after, int limit) {
    return events(fabric, Part.after(after, limit));
  }

  /** The id of the newest event, 0 if there is none. */
  long lastEvent(String fabric);

  /** Stores events that belong to no change; returns them with ids. */
  List<Event> record(String fabric, List<Event> events);

  /** Stores records of requests. */
  void audit(List<AuditRecord> records);

  /** A part of the records of requests. */
  List<AuditRecord> audit(Part part);

  /** Records of requests after an id, ascending. */
  default List<AuditRecord> audit(long after, int limit) {
    return audit(Part.after(after, limit));
  }

  /** Users and tokens. */
  List<Credential> credentials();

  /** Adds one, or puts it in the place of that of its name. */
  void put(Credential credential);

  /** When credentials were used last, by name; of those that never were, nothing. */
  Map<String, Instant> lastUsed();

  /** Notes when credentials were used last. */
  void used(Map<String, Instant> at);

  /**
   * Stores a plan under a new id, and forgets those that are much older.
   *
   * @param keep plans that are kept
   * @return it with its id; or, if its actor has stored one under the same key, that one
   */
  Plan put(String fabric, Plan plan, int keep);

  /** A plan. */
  Optional<Plan> plan(String fabric, long id);

  /** The plan that an actor asked for under a key. */
  Optional<Plan> planOfKey(String fabric, String actor, String key);

  /** A part of the plans. */
  List<Plan> plans(String fabric, Part part);

  /** Plans after an id, ascending. */
  default List<Plan> plans(String fabric, long after, int limit) {
    return plans(fabric, Part.after(after, limit));
  }

  /** Machines that were moved together, by the epoch that it made. */
  Optional<Migration> migration(String fabric, long epoch);

  /** A part of the migrations. */
  List<Migration> migrations(String fabric, Part part);

  /** Migrations after an epoch, ascending. */
  default List<Migration> migrations(String fabric, long after, int limit) {
    return migrations(fabric, Part.after(after, limit));
  }

  /** Forgets answers older than so many; returns how many went. */
  int prune(int keepAnswers);

  /** What grows with time. */
  enum Kept {
    /** The journal; what was out of service at an epoch that is left is not forgotten with it. */
    HISTORY,
    /** Events. */
    EVENTS,
    /** Requests. */
    AUDIT
  }

  /** Forgets what has a number up to this one; returns how many went. */
  int forget(Kept what, String fabric, long upTo);

  /** Requests that are answered before they are decided. */
  JobStore jobs();

  /** False once another process may write in the place of this one. Does not wait. */
  default boolean writable() {
    return true;
  }

  /** What keeps this process from writing into the fabric once another one may lead. */
  default Fence fence() {
    return Fence.NONE;
  }

  /** True if the database answers. */
  boolean healthy();

  /**
   * Why nothing can be written: the last attempt failed. Some time after it another one is made
   * here, so that this ends when the cause does, though nobody asks for a change meanwhile.
   *
   * @return a sentence for everybody; empty if the last attempt succeeded
   */
  default Optional<String> refusesWrites() {
    return Optional.empty();
  }

  @Override
  void close();
}
