package org.heddle.control.model;

import java.time.Instant;

/**
 * A set of changes that was tried but not made. It does not record whether it has been applied
 * since; if it has, the epoch after its base is called {@link #subject}.
 *
 * @param id ascending from 1 within a fabric; 0 before it is stored
 * @param base epoch of the state it was tried on
 * @param actor who asked
 * @param key empty, or what makes a second request of the same actor the same one
 * @param digest of the request's content
 * @param changes what was requested, as it was sent @param result what it would do, as it was
 *     answered
 */
public record Plan(
    long id,
    long base,
    Instant at,
    String actor,
    String key,
    String digest,
    String changes,
    String result) {
  /** What the journal calls it. */
  public String subject() {
    return "plan " + id;
  }

  /** The same under another id. */
  public Plan withId(long other) {
    return new Plan(other, base, at, actor, key, digest, changes, result);
  }
}
