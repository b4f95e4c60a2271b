package org.heddle.verify;

import java.util.Optional;
import org.heddle.topology.FatTree;

/**
 * How to audit.
 *
 * @param tree levels of the switches; without it the up/down property is not checked and loads are
 *     not told apart by direction
 * @param threads worker threads, at least 1; the report does not depend on it
 * @param examples how many examples to keep for each finding, at least 0
 * @param progress told after every block of LIDs
 */
public record AuditOptions(
    Optional<FatTree> tree, int threads, int examples, AuditProgress progress) {
  public AuditOptions {
    if (threads < 1 || examples < 0) {
      throw new IllegalArgumentException(threads + " threads, " + examples + " examples");
    }
  }

  /** No tree, two threads, five examples, no progress. */
  public static AuditOptions defaults() {
    return new AuditOptions(Optional.empty(), 2, 5, AuditProgress.NONE);
  }

  /** The same with a tree. */
  public AuditOptions withTree(FatTree levels) {
    return new AuditOptions(Optional.of(levels), threads, examples, progress);
  }

  /** The same with another number of threads. */
  public AuditOptions withThreads(int count) {
    return new AuditOptions(tree, count, examples, progress);
  }

  /** The same with another number of examples. */
  public AuditOptions withExamples(int count) {
    return new AuditOptions(tree, threads, count, progress);
  }

  /** The same with a listener. */
  public AuditOptions withProgress(AuditProgress listener) {
    return new AuditOptions(tree, threads, examples, listener);
  }
}
