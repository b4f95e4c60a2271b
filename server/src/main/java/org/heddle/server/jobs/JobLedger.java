package org.heddle.server.jobs;

import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.Function;
import org.heddle.control.Reconciler;
import org.heddle.control.model.Job;
import org.heddle.control.port.JobStore;
import org.heddle.control.port.StoreException;
import org.heddle.server.http.Documents;
import org.heddle.server.http.Problem;

/**
 * Where the jobs that are not at their end are. States go to the store by a thread of their own,
 * all that have changed in one transaction; a job is shown as it is here until its end is durable.
 */
final class JobLedger {
  private static final long RETRY_MILLIS = 500;

  private static final String RESTARTED =
      "the controller was restarted; ask again under the same key";

  private final JobStore store;
  private final String fabric;
  private final Clock clock;

  /** By id, ascending. */
  private final Map<Long, Job> jobs = new LinkedHashMap<>();

  /** Blocks that had been written when a job was decided. */
  private final Map<Long, Long> writtenBefore = new HashMap<>();

  private final Map<Long, Job> unsaved = new LinkedHashMap<>();
  private final Map<String, Integer> waiting = new HashMap<>();
  private Reconciler.Status status;
  private long filed = -1;
  private int reserved;
  private boolean closed;

  JobLedger(JobStore store, String fabric, Clock clock) {
    this.store = store;
    this.fabric = fabric;
    this.clock = clock;
  }

  /**
   * Takes over what another process left.
   *
   * @param answered what became of a job that process was deciding
   */
  synchronized void recover(Function<Job, Optional<Job>> answered) {
    Problem lost = new Problem(503, "unavailable", RESTARTED);
    String why = Documents.JSON.writeValueAsString(lost.document());
    List<Job> changed = new ArrayList<>();
    for (Job job : store.open(fabric)) {
      Job now = job;
      if (job.state() != Job.State.APPLYING) {
        now =
            answered
                .apply(job)
                .orElseGet(() -> job.ended(Job.State.FAILED, "", why, clock.instant()));
        changed.add(now);
      }
      if (!now.state().isLast()) {
        jobs.put(now.id(), now);
      }
    }
    if (!changed.isEmpty()) {
      store.update(fabric, changed);
    }
  }

  /** Makes a job durable, unless too many wait. */
  JobStore.Added add(Job job, int ofTenant, int open, int keep) {
    String owner = job.owner();
    synchronized (this) {
      if (!owner.isEmpty() && waiting.getOrDefault(owner, 0) >= ofTenant) {
        throw Problem.tooMany(429, "too-many-requests", "too many jobs of this tenant wait");
      }
      if (jobs.size() + reserved >= open) {
        throw Problem.tooMany(503, "unavailable", "too many jobs wait");
      }
      reserved++;
      waiting.merge(owner, 1, Integer::sum);
    }
    JobStore.Added added = null;
    try {
      added = store.add(fabric, job, keep);
      return added;
    } finally {
      synchronized (this) {
        reserved--;
        if (added != null && added.fresh()) {
          jobs.put(added.job().id(), added.job());
        } else {
          left(owner);
        }
      }
    }
  }

  private void left(String owner) {
    waiting.merge(owner, -1, Integer::sum);
    waiting.remove(owner, 0);
  }

  /** A job that is not at its end, or whose end is not durable yet. */
  synchronized Optional<Job> live(long id) {
    return Optional.ofNullable(jobs.get(id));
  }

  /** All of these, by id. */
  synchronized List<Job> live() {
    return jobs.values().stream().sorted(Comparator.comparingLong(Job::id)).toList();
  }

  /** True if the job is now being decided; false if it was withdrawn. */
  synchronized boolean begin(long id) {
    Job job = jobs.get(id);
    if (job == null || job.state() != Job.State.QUEUED) {
      return false;
    }
    jobs.put(id, job.in(Job.State.RUNNING));
    return true;
  }

  /**
   * How far it is.
   *
   * @throws CancellationException if it was withdrawn
   */
  synchronized void progress(long id, String what, long done, long total) {
    Job job = jobs.get(id);
    if (job == null || job.state() != Job.State.RUNNING) {
      throw new CancellationException();
    }
    jobs.put(id, job.at(what, done, total));
  }

  /** The change is durable. */
  synchronized void decided(long id, long epoch, String path, Reconciler.Status now) {
    Job job = jobs.get(id);
    if (job == null || job.state() != Job.State.RUNNING) {
      return;
    }
    left(job.owner());
    writtenBefore.put(id, now.written());
    change(job.decided(epoch, path));
    seen(status == null ? now : status);
    filed(filed);
  }

  /** Nothing more will happen to it. */
  synchronized void ended(long id, Job.State state, String path, String why) {
    Job job = jobs.get(id);
    if (job != null && job.state() == Job.State.RUNNING) {
      left(job.owner());
      change(job.ended(state, path, why, clock.instant()));
    }
  }

  /**
   * Withdraws a job: one that waits, or a plan that is being worked out.
   *
   * @return it as it is now; empty if it is not here any more
   */
  synchronized Optional<Job> cancel(long id) {
    Job job = jobs.get(id);
    boolean waits =
        job != null
            && (job.state() == Job.State.QUEUED
                || job.state() == Job.State.RUNNING && job.kind().equals(Job.PLAN));
    if (waits) {
      left(job.owner());
      change(job.ended(Job.State.CANCELLED, "", "", clock.instant()));
    }
    return Optional.ofNullable(jobs.get(id));
  }

  /** The reconciler has looked at the fabric, or is about to write. */
  synchronized void seen(Reconciler.Status now) {
    status = now;
    for (Job job : List.copyOf(jobs.values())) {
      if (job.state() != Job.State.APPLYING) {
        continue;
      }
      if (now.inSync() && now.epoch() >= job.epoch()) {
        change(
            job.at("blocks", job.total(), job.total())
                .ended(Job.State.DONE, job.result(), "", clock.instant()));
        continue;
      }
      long total = Math.max(job.total(), now.inSync() ? 0 : now.differing());
      long written = now.written() - writtenBefore.computeIfAbsent(job.id(), _ -> now.written());
      // what others have and how much of it is not a tenant's to know
      boolean counts = job.owner().isEmpty();
      String why = !counts || now.problems().isEmpty() ? "blocks" : now.problems().getFirst();
      jobs.put(
          job.id(), counts ? job.at(why, Math.min(written, total), total) : job.at("blocks", 0, 1));
    }
  }

  /** Files say an epoch, which is all that becomes of it: the agent tells nobody. */
  synchronized void filed(long epoch) {
    filed = Math.max(filed, epoch);
    for (Job job : List.copyOf(jobs.values())) {
      if (job.state() == Job.State.APPLYING && job.epoch() <= filed) {
        change(job.ended(Job.State.WRITTEN, job.result(), "", clock.instant()));
      }
    }
  }

  private void change(Job job) {
    jobs.put(job.id(), job);
    unsaved.put(job.id(), job);
    notifyAll();
  }

  /** Saves what has changed until it is closed; what cannot be saved is tried again. */
  void run() {
    while (true) {
      List<Job> batch;
      synchronized (this) {
        try {
          while (unsaved.isEmpty() && !closed) {
            wait();
          }
        } catch (InterruptedException _) {
          return;
        }
        if (unsaved.isEmpty()) {
          return;
        }
        batch = List.copyOf(unsaved.values());
      }
      if (!save(batch)) {
        return;
      }
    }
  }

  /** False if there is no use in going on. */
  private boolean save(List<Job> batch) {
    try {
      store.update(fabric, batch);
    } catch (StoreException _) {
      synchronized (this) {
        try {
          wait(RETRY_MILLIS);
        } catch (InterruptedException _) {
          return false;
        }
        return !closed;
      }
    }
    synchronized (this) {
      for (Job job : batch) {
        unsaved.remove(job.id(), job);
        if (job.state().isLast()) {
          jobs.remove(job.id());
          writtenBefore.remove(job.id());
        }
      }
    }
    return true;
  }

  /** What has changed is saved, then no more. */
  synchronized void close() {
    closed = true;
    notifyAll();
  }
}
