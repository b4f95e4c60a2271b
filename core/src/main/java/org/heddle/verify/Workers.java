package org.heddle.verify;

import java.util.function.IntConsumer;

/** Runs the workers of an audit and reports their progress to its listener. */
public final class Workers {
  private Workers() {}

  /**
   * Calls {@code work} with every number {@code 0 .. workers-1}, each in a thread of its own; the
   * first worker is the calling thread. Returns when all have ended and throws what the first of
   * them that failed has thrown; an interrupt is kept for the caller.
   */
  public static void run(String name, int workers, IntConsumer work) {
    Throwable[] failures = new Throwable[workers];
    Thread[] threads = new Thread[workers];
    for (int w = 0; w < workers; w++) {
      int worker = w;
      Runnable guarded =
          () -> {
            try {
              work.accept(worker);
            } catch (RuntimeException | Error e) {
              failures[worker] = e;
            }
          };
      threads[w] = new Thread(guarded, name + "-" + w);
    }
    for (int w = 1; w < workers; w++) {
      threads[w].start();
    }
    threads[0].run();
    join(threads);
    for (Throwable failure : failures) {
      if (failure instanceof Error error) {
        throw error;
      }
      if (failure instanceof RuntimeException exception) {
        throw exception;
      }
    }
  }

  private static void join(Thread[] threads) {
    boolean interrupted = false;
    for (int w = 1; w < threads.length; w++) {
      while (threads[w].isAlive()) {
        try {
          threads[w].join();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Counts LIDs of all workers; one call to the listener at a time. */
  public static final class Counter {
    private final int total;
    private final AuditProgress progress;
    private int done;

    public Counter(int total, AuditProgress progress) {
      this.total = total;
      this.progress = progress;
    }

    public synchronized void add(int lids) {
      done = Math.min(total, done + lids);
      progress.checked(done, total);
    }
  }
}
