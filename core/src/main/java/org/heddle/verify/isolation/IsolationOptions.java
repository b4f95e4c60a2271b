package org.heddle.verify.isolation;

import java.util.Optional;
import org.heddle.topology.FatTree;
import org.heddle.verify.AuditProgress;

/**
 * How to audit isolation.
 *
 * @param tree levels of the switches; without it channels are not told apart by direction
 * @param threads worker threads, at least 1; the report does not depend on it
 * @param examples how many examples to keep for each finding, at least 0
 * @param progress told how many destination LIDs are done, each counted once for every partition of
 *     its port
 */
public record IsolationOptions(
    Optional<FatTree> tree, int threads, int examples, AuditProgress progress) {
  public IsolationOptions {
    if (threads < 1 || examples < 0) {
      throw new IllegalArgumentException(threads + " threads, " + examples + " examples");
    }
  }

  /** No tree, two threads, five examples, no progress. */
  public static IsolationOptions defaults() {
    return new IsolationOptions(Optional.empty(), 2, 5, AuditProgress.NONE);
  }

  /** The same with a tree. */
  public IsolationOptions withTree(FatTree levels) {
    return new IsolationOptions(Optional.of(levels), threads, examples, progress);
  }

  /** The same with another number of threads. */
  public IsolationOptions withThreads(int count) {
    return new IsolationOptions(tree, count, examples, progress);
  }

  /** The same with another number of examples. */
  public IsolationOptions withExamples(int count) {
    return new IsolationOptions(tree, threads, count, progress);
  }

  /** The same with a listener. */
  public IsolationOptions withProgress(AuditProgress listener) {
    return new IsolationOptions(tree, threads, examples, listener);
  }
}
