package org.heddle.server.store;

import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import org.heddle.control.model.Job;

/** A job in a database; a problem is JSON of the interface, as a text. */
record StoredJob(
    long id,
    String kind,
    String subject,
    String actor,
    String owner,
    String key,
    String digest,
    String state,
    String what,
    long done,
    long total,
    long epoch,
    String result,
    String problem,
    Instant created,
    Optional<Instant> finished)
    implements StoredDocument<Job> {
  static StoredJob of(Job j) {
    return new StoredJob(
        j.id(),
        j.kind(),
        j.subject(),
        j.actor(),
        j.owner(),
        j.key(),
        j.digest(),
        j.state().word(),
        j.what(),
        j.done(),
        j.total(),
        j.epoch(),
        j.result(),
        j.problem(),
        j.created(),
        j.finished());
  }

  @Override
  public Job value() {
    return new Job(
        id,
        kind,
        subject,
        actor,
        owner,
        key,
        digest,
        Job.State.valueOf(state.toUpperCase(Locale.ROOT)),
        what,
        done,
        total,
        epoch,
        result,
        problem,
        created,
        finished);
  }
}
