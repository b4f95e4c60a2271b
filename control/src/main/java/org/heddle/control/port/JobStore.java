package org.heddle.control.port;

import java.util.List;
import java.util.Optional;
import org.heddle.control.model.Job;

/** The durable part of jobs. Methods throw {@link StoreException}. Thread-safe. */
public interface JobStore {
  /**
   * A stored job.
   *
   * @param fresh false if it was there already
   */
  record Added(Job job, boolean fresh) {}

  /**
   * Stores a job under a new id, and forgets those that are much older.
   *
   * @param keep jobs that are kept
   * @return it; or, if its actor's last job under the same key has not failed and was not
   *     cancelled, that one
   */
  Added add(String fabric, Job job, int keep);

  /** Stores what became of jobs, all or none; those that were forgotten are passed over. */
  void update(String fabric, List<Job> jobs);

  /** A job. */
  Optional<Job> job(String fabric, long id);

  /**
   * A part of the jobs.
   *
   * @param owner whose; empty for everybody's
   */
  List<Job> jobs(String fabric, Part part, Optional<String> owner);

  /** Jobs that are not at their end, ascending. */
  List<Job> open(String fabric);
}
