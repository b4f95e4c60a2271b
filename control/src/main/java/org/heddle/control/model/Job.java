package org.heddle.control.model;

import java.time.Instant;
import java.util.Optional;

/**
 * A request that is answered before it is decided.
 *
 * @param id ascending; 0 until it is stored
 * @param kind what is requested: the word of a {@code Change.kind}, or {@link #PLAN}
 * @param subject what it is about, as it was named
 * @param actor who asked
 * @param owner the tenant whose credential asked; empty for the provider's
 * @param key under which it is decided: what the change or plan that it makes is found by later
 * @param digest of the request's content
 * @param what the step that the numbers are of
 * @param total steps, 0 if not known
 * @param epoch that it made; 0 if it is not decided or makes none
 * @param result path of what it made; empty if nothing
 * @param problem why it failed, as a JSON document; empty if it did not
 */
public record Job(
    long id,
    String kind,
    String subject,
    String actor,
    String owner,
    String key,
    String digest,
    State state,
    String what,
    long done,
    long total,
    long epoch,
    String result,
    String problem,
    Instant created,
    Optional<Instant> finished) {
  /** The kind of those that make a plan. */
  public static final String PLAN = "plan";

  /** How far it is. */
  public enum State {
    /** It waits. */
    QUEUED,
    /** It is being decided. */
    RUNNING,
    /** It is decided and durable, and the fabric does not have it yet. */
    APPLYING,
    /** The fabric agrees with its epoch or a later one; a plan is kept. */
    DONE,
    /** Files say its epoch or a later one; nobody is told of them (dry run). */
    WRITTEN,
    /** It was refused, or the controller ended before it was decided. */
    FAILED,
    /** Somebody withdrew it before it was decided. */
    CANCELLED;

    /** The word of documents. */
    public String word() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }

    /** True if nothing more happens. */
    public boolean isLast() {
      return this == DONE || this == WRITTEN || this == FAILED || this == CANCELLED;
    }
  }

  /** One that waits. */
  public static Job queued(
      String kind, String subject, Actor actor, String key, String digest, Instant created) {
    String owner = actor.role() == Actor.Role.TENANT ? actor.tenant() : "";
    return new Job(
        0,
        kind,
        subject,
        actor.name(),
        owner,
        key,
        digest,
        State.QUEUED,
        "",
        0,
        0,
        0,
        "",
        "",
        created,
        Optional.empty());
  }

  /** The same under an id, and under a key of its own if it had none. */
  public Job withId(long other) {
    String own = key.isEmpty() ? ownKey(other) : key;
    return new Job(
        other, kind, subject, actor, owner, own, digest, state, what, done, total, epoch, result,
        problem, created, finished);
  }

  /** A key that no request can have: a line of a header has no line breaks. */
  public static String ownKey(long id) {
    return "job\n" + id;
  }

  /** The same in another state. */
  public Job in(State other) {
    return with(other, what, done, total, epoch, result, problem, finished);
  }

  /** The same so far. */
  public Job at(String step, long stepsDone, long stepsTotal) {
    return with(state, step, stepsDone, stepsTotal, epoch, result, problem, finished);
  }

  /** Decided: waits for the fabric. */
  public Job decided(long made, String path) {
    return with(State.APPLYING, "blocks", 0, 0, made, path, problem, finished);
  }

  /** At its end. */
  public Job ended(State last, String path, String why, Instant now) {
    return with(last, what, done, total, epoch, path, why, Optional.of(now));
  }

  private Job with(
      State toState,
      String step,
      long stepsDone,
      long stepsTotal,
      long made,
      String path,
      String why,
      Optional<Instant> end) {
    return new Job(
        id,
        kind,
        subject,
        actor,
        owner,
        key,
        digest,
        toState,
        step,
        stepsDone,
        stepsTotal,
        made,
        path,
        why,
        created,
        end);
  }
}
