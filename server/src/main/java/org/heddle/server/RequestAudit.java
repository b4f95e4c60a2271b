package org.heddle.server;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.heddle.control.model.AuditRecord;
import org.heddle.control.port.Store;
import org.heddle.fabric.Counted;
import org.heddle.server.http.Threads;

/**
 * Writes down who asked for changes and what became of it, refusals and wrong credentials as well:
 * many at once, a moment later, so that nobody waits for it. What was changed is in the journal in
 * any case. Queries and bodies, where secrets could be, are not written. From time to time old
 * answers under keys are forgotten.
 */
final class RequestAudit implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(RequestAudit.class.getName());

  private static final int QUEUE = 10_000;
  private static final int BATCH = 1000;
  private static final long GATHER_MILLIS = 200;
  private static final long PRUNE_NANOS = TimeUnit.MINUTES.toNanos(10);

  /** Answers under keys that are kept. */
  private static final int KEPT = 100_000;

  private final Store store;
  private final BlockingQueue<AuditRecord> queue = new ArrayBlockingQueue<>(QUEUE);
  private final Thread thread;
  private long pruned = System.nanoTime();

  RequestAudit(Store store) {
    this.store = store;
    this.thread = Thread.ofPlatform().name("heddle-audit").daemon().unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  /** Takes a record; waits while too many are there. */
  void record(AuditRecord record) {
    try {
      queue.put(record);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    List<AuditRecord> batch = new ArrayList<>();
    while (true) {
      try {
        batch.add(queue.take());
        TimeUnit.MILLISECONDS.sleep(GATHER_MILLIS);
        flush(batch);
      } catch (InterruptedException _) {
        flush(batch);
        return;
      }
    }
  }

  private void flush(List<AuditRecord> batch) {
    queue.drainTo(batch, BATCH);
    try {
      if (!batch.isEmpty()) {
        store.audit(batch);
      }
      if (System.nanoTime() - pruned > PRUNE_NANOS) {
        pruned = System.nanoTime();
        store.prune(KEPT);
      }
    } catch (RuntimeException e) {
      LOG.log(
          Level.WARNING,
          Counted.of(batch.size(), "request waits", "requests wait")
              + " to be recorded: "
              + e.getMessage(),
          e);
      // readiness tells that the database fails; requests go on to be answered, and their records
      // wait until it is well again
      if (batch.size() < QUEUE) {
        return;
      }
    }
    batch.clear();
  }

  /** Writes what is left. */
  @Override
  public void close() {
    Threads.end(thread);
    flush(new ArrayList<>());
  }
}
