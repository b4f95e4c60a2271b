package org.heddle.server.store;

import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.heddle.control.model.Job;
import org.heddle.control.port.JobStore;
import org.heddle.control.port.Part;

/** The jobs of a {@link SqlStore}. */
final class SqlJobs implements JobStore {
  private final SqlStore store;

  SqlJobs(SqlStore store) {
    this.store = store;
  }

  @Override
  public Added add(String fabric, Job job, int keep) {
    return store.write(
        () -> {
          Optional<Job> there = ofKey(fabric, job.actor(), job.key());
          if (there.isPresent()) {
            return new Added(there.get(), false);
          }
          long id = store.number("SELECT COALESCE(MAX(id), 0) FROM job WHERE fabric = ?", fabric);
          Job stored = job.withId(id + 1);
          store.update(
              "INSERT INTO job (fabric, id, actor, request_key, owner, is_open, format, document) "
                  + "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
              fabric,
              stored.id(),
              stored.actor(),
              stored.key(),
              stored.owner(),
              stored.state().isLast() ? 0 : 1,
              StoredDocument.FORMAT,
              StoredJob.of(stored).json());
          store.update("DELETE FROM job WHERE fabric = ? AND id <= ?", fabric, stored.id() - keep);
          return new Added(stored, true);
        });
  }

  /** The actor's last job under a key, if it may still come, or came, to a good end. */
  private Optional<Job> ofKey(String fabric, String actor, String key) throws SQLException {
    if (key.isEmpty()) {
      return Optional.empty();
    }
    return store
        .documents(
            StoredJob.class,
            "SELECT document, format FROM job WHERE fabric = ? AND actor = ? AND request_key = ? "
                + "ORDER BY id DESC LIMIT 1",
            fabric,
            actor,
            key)
        .stream()
        .filter(j -> j.state() != Job.State.FAILED && j.state() != Job.State.CANCELLED)
        .findFirst();
  }

  @Override
  public void update(String fabric, List<Job> jobs) {
    store.write(
        () -> {
          for (Job job : jobs) {
            store.update(
                "UPDATE job SET is_open = ?, format = ?, document = ? WHERE fabric = ? AND id = ?",
                job.state().isLast() ? 0 : 1,
                StoredDocument.FORMAT,
                StoredJob.of(job).json(),
                fabric,
                job.id());
          }
          return null;
        });
  }

  @Override
  public Optional<Job> job(String fabric, long id) {
    return store.transaction(
        () ->
            store
                .documents(
                    StoredJob.class,
                    "SELECT document, format FROM job WHERE fabric = ? AND id = ?",
                    fabric,
                    id)
                .stream()
                .findFirst());
  }

  @Override
  public List<Job> jobs(String fabric, Part part, Optional<String> owner) {
    return store.transaction(
        () ->
            owner.isEmpty()
                ? store.part(StoredJob.class, "job", "id", part, "fabric", fabric)
                : store.part(
                    StoredJob.class, "job", "id", part, "fabric", fabric, "owner", owner.get()));
  }

  @Override
  public List<Job> open(String fabric) {
    return store.transaction(
        () ->
            store.documents(
                StoredJob.class,
                "SELECT document, format FROM job WHERE fabric = ? AND is_open = 1 ORDER BY id",
                fabric));
  }
}
