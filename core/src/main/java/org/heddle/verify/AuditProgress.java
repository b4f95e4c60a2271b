package org.heddle.verify;

/**
 * Receives the progress of an audit. Called by the audit's worker threads, one call at a time,
 * after every block of LIDs; must return quickly.
 */
@FunctionalInterface
public interface AuditProgress {
  /** Nobody listens. */
  AuditProgress NONE = (done, total) -> {};

  /**
   * @param done LIDs checked so far, never falling
   * @param total LIDs to check
   */
  void checked(int done, int total);
}
