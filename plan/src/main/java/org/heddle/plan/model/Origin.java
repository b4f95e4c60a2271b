package org.heddle.plan.model;

import java.util.Locale;
import java.util.Optional;

/**
 * Who made a partition. Members may be added only by those who made it, or for whom it was made.
 */
public enum Origin {
  /** The provider or the tenant itself: {@code /v1}, commands, files. */
  OPERATOR,
  /** The site, before there was a controller: imported with the key that it had. */
  SITE,
  /** A client of UFM's partition interface. */
  CLIENT,
  /**
   * A scheduler's job, under a key that no other has come with since: perhaps all jobs have this
   * one key, so the next one may join.
   */
  JOBS,
  /**
   * A scheduler's job, when other jobs have come under other keys since: keys are job numbers here,
   * and another job that comes under this one has it by chance.
   */
  JOB,
  /**
   * A client that made it for jobs to share: it was empty when the first of them came, and stays.
   */
  SHARED,
  /**
   * A client or a job, before it was kept who: of clients anybody, of jobs the one that is there.
   */
  UNKNOWN;

  /** The word for it in documents. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The origin of a word. */
  public static Optional<Origin> of(String word) {
    for (Origin o : values()) {
      if (o.word().equals(word)) {
        return Optional.of(o);
      }
    }
    return Optional.empty();
  }

  /** True if it is for jobs. */
  public boolean isJob() {
    return this == JOBS || this == JOB || this == SHARED;
  }
}
